// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth

/// What a hub hears: the state of its radio, and the devices in range.
struct HubAir: Sendable {
  var unknown = UnknownDevices()
  /// When each device was heard last.
  private(set) var lastHeard: [UUID: Date] = [:]
  /// What devices are, as far as their advertisements tell.
  private(set) var models: [UUID: Int] = [:]
  private var unavailability: BluetoothError.Unavailability? = .unknown

  /// Anything can advertise.
  private static let capacity = 2000
  private static let memory: TimeInterval = 86_400

  mutating func note(_ event: DeviceListener.Event, at now: Date) {
    switch event {
    case .radio(let reason): unavailability = reason
    case .heard(let device):
      if lastHeard.count >= Self.capacity { forget(before: now - Self.memory) }
      // Only health devices are of interest.
      guard let model = UnknownDevices.model(of: device) else { return }
      lastHeard[device.identifier] = now
      models[device.identifier] = model.id
      unknown.note(device, at: now)
    }
  }

  /// Whether the radio can be used.
  var isOn: Bool { unavailability == nil }

  private mutating func forget(before date: Date) {
    lastHeard = lastHeard.filter { $0.value >= date }
    models = models.filter { lastHeard[$0.key] != nil }
  }

  /// The state of the radio.
  func adapter(named name: String) -> HubStatus.Part {
    guard let unavailability else { return HubStatus.Part(works: true, name) }
    return HubStatus.Part(works: false, "\(name): \(unavailability.text)")
  }
}

extension BluetoothError.Unavailability {
  fileprivate var text: String {
    switch self {
    case .poweredOff: "switched off; \"santorio doctor\" says what to do"
    case .unsupported: "there is no such adapter; \"santorio doctor\" says what to do"
    case .denied, .restricted: "the hub may not use it; \"santorio doctor\" says what to do"
    case .unknown: "bluetoothd does not say whether it is on"
    }
  }
}

/// What a hub has counted since its start.
struct HubCounts: Sendable {
  var readings: [HubMetrics.DeviceKey: Int] = [:]
  var deviceNames: [UUID: String] = [:]
  var readFailures: [HubMetrics.ReasonKey: Int] = [:]
  var uploads: [String: Int] = [:]
  var uploadFailures: [HubMetrics.ReasonKey: Int] = [:]
}
