// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioOneTouch

// What Validic's documentation shows of LifeScan's kit, under the kit's names; nothing more is known.

/// A result of the kit.
struct BloodGlucoseRecord: OneTouchKitReading {
  let number: Int
  let milligrams: Double
  var isControlSolutionTest = false

  var meterGlucose: OneTouchGlucose { .concentration(.milligramsPerDeciliter(milligrams)) }
  var meterTime: OneTouchMeterTime { .instant(Date(timeIntervalSince1970: 1_784_012_400)) }
  var meterSequenceNumber: Int? { number }
}

/// A meter of the kit, which answers at once.
final class OneTouchDevice: OneTouchKitDevice, Sendable {
  let isPaired: Bool
  let meterSerialNumber: String
  let memory = Locked<[BloodGlucoseRecord]>([])
  let isBroken = Locked(false)

  init(_ serialNumber: String, isPaired: Bool = true) {
    meterSerialNumber = serialNumber
    self.isPaired = isPaired
  }

  func getGlucoseRecords(
    anchor: Int?, filterType: String?,
    completion: @escaping (OneTouchDevice, Int?, [BloodGlucoseRecord]?, (any Error)?) -> Void
  ) {
    guard !isBroken.withLock({ $0 }) else {
      return completion(self, nil, nil, CocoaError(.fileReadUnknown))
    }
    let all = memory.withLock { $0 }
    completion(self, all.count, Array(all.dropFirst(anchor ?? 0)), nil)
  }
}

/// The kit's listener.
protocol OneTouchDeviceManagerListener: AnyObject {
  func onDeviceConnected(device: OneTouchDevice)
  func onDeviceDisconnected(device: OneTouchDevice)
}

/// The kit's manager.
final class OneTouchDeviceManager: OneTouchKitManager {
  var autoClockSync = false
  var devices: [OneTouchDevice] = []
  private(set) var waitingFor: Set<String> = []
  weak var listener: (any OneTouchDeviceManagerListener)?

  func connect(_ device: OneTouchDevice) { waitingFor.insert(device.meterSerialNumber) }

  func disconnect(_ device: OneTouchDevice) { waitingFor.remove(device.meterSerialNumber) }

  /// A meter comes near and goes away again.
  func visit(_ device: OneTouchDevice) {
    guard waitingFor.remove(device.meterSerialNumber) != nil else { return }
    listener?.onDeviceConnected(device: device)
    listener?.onDeviceDisconnected(device: device)
  }
}
