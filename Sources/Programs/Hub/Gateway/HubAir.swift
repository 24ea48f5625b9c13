// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth

/// What a hub hears: the state of its radio, and the devices in range.
struct HubAir: Sendable {
  var unknown = UnknownDevices()
  /// The devices that are somebody's, which are not forgotten.
  var own: Set<UUID> = []
  private var heard: [UUID: Heard] = [:]
  private var unavailability: BluetoothError.Unavailability? = .unknown

  private struct Heard {
    var date: Date
    /// What it is, as far as its advertisement tells.
    let model: Int
  }

  /// How many devices are remembered beside the own: anything can advertise.
  static let capacity = 2000
  /// How many are left when there are more: what is heard last is remembered.
  static let rest = 1500

  mutating func note(_ event: DeviceListener.Event, at now: Date) {
    switch event {
    case .radio(let reason): unavailability = reason
    case .heard(let device):
      // Only health devices are of interest.
      guard let model = UnknownDevices.model(of: device) else { return }
      note(device.identifier, model.id, at: now)
      unknown.note(device, at: now)
    }
  }

  /// Notes that a health device advertises.
  ///
  /// - Returns: Whether others were forgotten for it, which takes time: at most once in 500 new ones.
  @discardableResult
  mutating func note(_ device: UUID, _ model: Int, at now: Date) -> Bool {
    heard[device] = Heard(date: now, model: model)
    guard heard.count > Self.capacity + own.count else { return false }
    let others = heard.filter { !own.contains($0.key) }
    for (device, _) in others.sorted(by: { $0.value.date > $1.value.date }).dropFirst(Self.rest) {
      heard[device] = nil
    }
    return true
  }

  /// How many devices are remembered.
  var count: Int { heard.count }

  /// When a device was heard last; nil when it was not, or long ago.
  func lastHeard(_ device: UUID) -> Date? { heard[device]?.date }

  /// What a device is, as far as its advertisement told.
  func model(of device: UUID) -> Int? { heard[device]?.model }

  /// Whether the radio can be used.
  var isOn: Bool { unavailability == nil }

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
