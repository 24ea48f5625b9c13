// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Foundation
package import HealthDevices

/// Hears which devices are in range, beside what the operations of a central do.
///
/// It connects none. A scan takes power and time of the radio: it is meant to be switched on for
/// some seconds from time to time.
package final class DeviceListener: @unchecked Sendable {
  /// A device that advertises.
  package struct HeardDevice: Sendable {
    /// The system's identifier.
    package let identifier: UUID
    /// What it advertises.
    package let advertisement: Advertisement
    /// The strength of its signal, in dBm; nil when it was not measured.
    package let rssi: Int?
  }

  /// What is heard.
  package enum Event: Sendable {
    /// Whether Bluetooth can be used; nil when it can.
    case radio(BluetoothError.Unavailability?)
    /// A device advertises.
    case heard(HeardDevice)
  }

  /// The name of its scan.
  let id = UUID()
  private let central: BluetoothCentral
  private let tell: @Sendable (Event) -> Void
  // Touched on the central's queue only.
  private var listens = false

  /// Makes a listener, which hears of the radio's state from now on.
  ///
  /// - Parameters:
  ///   - central: The central of the radio.
  ///   - tell: Called with each event, on the central's queue.
  package init(on central: BluetoothCentral, tell: @escaping @Sendable (Event) -> Void) {
    self.central = central
    self.tell = tell
    central.queue.async { central.add(self) }
  }

  /// Hears of devices from now on, once of each.
  package func listen() {
    central.queue.async { [self] in
      listens = true
      central.scan(nil, allowsDuplicates: false, for: id)
    }
  }

  /// Hears of no more devices.
  package func rest() {
    central.queue.async { [self] in
      listens = false
      central.stopScan(for: id)
    }
  }

  /// Hears of nothing any more.
  package func stop() { central.queue.async { [self] in central.remove(self) } }

  // MARK: - From the central, on its queue

  func radioChanged(_ state: PeripheralOperation.RadioState) {
    switch state {
    case .on:
      tell(.radio(nil))
      if listens { central.scan(nil, allowsDuplicates: false, for: id) }
    case .unavailable(let reason): tell(.radio(reason))
    case .unknown, .awaitingPermission: tell(.radio(.unknown))
    }
  }

  func heard(_ device: UUID, _ advertisement: Advertisement, rssi: Int?) {
    guard listens else { return }
    tell(.heard(HeardDevice(identifier: device, advertisement: advertisement, rssi: rssi)))
  }
}
