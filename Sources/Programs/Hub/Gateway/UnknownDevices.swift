// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioBluetooth

/// The devices in range that are nobody's, so that they can be enrolled.
struct UnknownDevices: Hashable, Sendable {
  /// How long a device is listed that is not heard any more.
  static let memory: TimeInterval = 600
  /// How many are listed; anything can advertise.
  static let capacity = 100

  private var devices: [UUID: HubStatus.UnknownDevice] = [:]

  /// Notes a device that advertises; one that the catalogue does not have is no health device.
  mutating func note(_ heard: DeviceListener.HeardDevice, at now: Date) {
    guard let model = Self.model(of: heard) else { return }
    let known = devices[heard.identifier]
    guard known != nil || devices.count < Self.capacity else { return }
    devices[heard.identifier] = HubStatus.UnknownDevice(
      identifier: heard.identifier, model: model.id, name: model.name,
      signal: heard.rssi ?? known?.signal, lastSeen: now)
  }

  /// What a device is, as far as its advertisement tells.
  static func model(of heard: DeviceListener.HeardDevice) -> DeviceModel? {
    .best(of: DeviceModel.supported, for: heard.advertisement)
  }

  /// Those that are nobody's, the strongest signal first.
  ///
  /// - Parameters:
  ///   - assignments: Which devices are whose.
  ///   - now: The time of day.
  /// - Returns: The devices.
  mutating func list(
    without assignments: HubAssignments, at now: Date
  ) -> [HubStatus.UnknownDevice] {
    let own = Set(assignments.devices.map(\.identifier))
    devices = devices.filter {
      !own.contains($0.key) && now.timeIntervalSince($0.value.lastSeen) < Self.memory
    }
    return devices.values.sorted {
      ($0.signal ?? -128, $1.identifier.uuidString) > ($1.signal ?? -128, $0.identifier.uuidString)
    }
  }
}
