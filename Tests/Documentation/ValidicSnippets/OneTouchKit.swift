// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioOneTouch

// What the guide's code uses of LifeScan's kit, under the kit's names; nothing more is known of it.

struct BloodGlucoseRecord: OneTouchKitReading {
  let number: Int
  let milligrams: Double

  var meterGlucose: OneTouchGlucose { .concentration(.milligramsPerDeciliter(milligrams)) }
  var meterTime: OneTouchMeterTime { .instant(Date(timeIntervalSince1970: 1_784_012_400)) }
  var meterSequenceNumber: Int? { number }
  var isControlSolutionTest: Bool { false }
}

final class OneTouchDevice: OneTouchKitDevice {
  let meterSerialNumber: String
  let isPaired: Bool
  var memory: [BloodGlucoseRecord] = []
  var error: (any Error)?

  init(_ serialNumber: String, isPaired: Bool = true) {
    meterSerialNumber = serialNumber
    self.isPaired = isPaired
  }

  func getGlucoseRecords(
    anchor: Int?, filterType: String?,
    completion: @escaping (OneTouchDevice, Int?, [BloodGlucoseRecord]?, (any Error)?) -> Void
  ) {
    if let error { return completion(self, nil, nil, error) }
    completion(self, memory.count, Array(memory.dropFirst(anchor ?? 0)), nil)
  }
}

protocol OneTouchDeviceManagerListener: AnyObject {
  func onDeviceConnected(device: OneTouchDevice)
  func onDeviceDisconnected(device: OneTouchDevice)
}

final class OneTouchDeviceManager: OneTouchKitManager {
  static let shared = OneTouchDeviceManager()

  var devices: [OneTouchDevice] = []
  var autoClockSync = false
  weak var listener: (any OneTouchDeviceManagerListener)?
  private(set) var expected: Set<String> = []

  func connect(_ device: OneTouchDevice) { expected.insert(device.meterSerialNumber) }

  func disconnect(_ device: OneTouchDevice) { expected.remove(device.meterSerialNumber) }
}
