// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import VirtualDevices

/// The patients, devices and stories of the demonstration.
struct DemoWard: Sendable {
  /// Someone in a bed.
  struct Patient: Hashable, Sendable {
    /// The name on the gateway, for instance `bed-1`.
    let alias: String
    /// The user on the server.
    let uid: String
  }

  /// A device in the room, and whose it is.
  struct Placed: Sendable {
    let device: VirtualDevice
    /// Its entry in the catalogue.
    let model: DeviceModel
    /// Its host; a central knows the device by the identifier that its own host has for this one.
    let host: SimulatedHost
    /// Who uses it, with the user as the device labels it; several for a shared device.
    let owners: [(patient: String, slot: Int?)]
  }

  /// The patients.
  static let patients = WardStory.Bed.allCases.map {
    Patient(alias: $0.rawValue, uid: "ward-7-\($0.rawValue)")
  }

  let patients = Self.patients
  /// The devices, switched off.
  let devices: [Placed]
  private let kinds: [WardDevice]
  private let air: SimulatedRadioEnvironment
  private let now: @Sendable () -> Date

  /// Places the devices, with what they have measured in the last weeks.
  ///
  /// - Parameters:
  ///   - air: Where they are.
  ///   - now: The time of day.
  init(in air: SimulatedRadioEnvironment, now: @escaping @Sendable () -> Date = { Date() }) {
    let story = WardStory(calendar: WardCalendar(now: now()))
    let kinds = WardDevice.all(of: story).filter { $0.entry != nil }
    self.air = air
    self.now = now
    self.kinds = kinds
    devices = kinds.enumerated().compactMap { index, kind in
      guard let entry = kind.entry else { return nil }
      let place = SimulatedPosition(x: 2 + Double(index % 4), y: 1 + Double(index / 4))
      let host = air.makeHost(named: kind.model.advertisedName, at: place)
      return Placed(
        device: kind.makeDevice(on: host, now: now), model: entry, host: host, owners: kind.owners)
    }
  }

  /// Switches all devices on; those that are paired wait for it.
  func switchOn() {
    for placed in devices {
      placed.device.switchOn()
      placed.device.enterPairingMode()
    }
  }

  /// How many readings a first reading of all devices will find, by the patient's alias; nil for
  /// those that need a decision.
  var expectedReadings: [String?: Int] {
    kinds.reduce(into: [:]) { $0.merge($1.readings) { $0 + $1 } }
  }

  /// Takes a new measurement every few seconds until the task is cancelled.
  func run() async {
    var last: [Int: Date] = [:]
    var turn = 0
    let start = now()
    while (try? await air.clock.sleep(for: .seconds(5))) != nil {
      let moment = now()
      // Neighbours in the list measure at different times.
      let order = kinds.indices.map { (turn + 5 * $0) % kinds.count }
      let due = order.first { index in
        moment.timeIntervalSince(last[index] ?? start) >= kinds[index].secondsBetween
      }
      guard let due else { continue }
      turn = due + 5
      last[due] = moment
      devices[due].device.measure(kinds[due].next(moment).measurement)
    }
  }

  /// A line for each device, for the help text.
  static var list: String {
    let kinds = WardDevice.all(of: WardStory(calendar: WardCalendar(now: Date())))
    let width = kinds.map(\.model.id.count).max() ?? 0
    return kinds.map { kind in
      let beds = kind.owners.map(\.patient).joined(separator: ", ")
      return "  \(kind.model.id.padded(to: width + 2))\(beds.padded(to: 14))\(kind.use)"
    }.joined(separator: "\n")
  }
}

extension WardDevice {
  fileprivate var entry: DeviceModel? { DeviceModel(id: model.peripheralID) }

  /// The device with its memory, switched off.
  fileprivate func makeDevice(
    on host: SimulatedHost, now: @escaping @Sendable () -> Date
  ) -> VirtualDevice {
    var settings = VirtualDevice.Settings(on: host)
    settings.now = now
    settings.clockOffsetSeconds = clockOffsetSeconds
    settings.batteryPercent = batteryPercent
    let device = VirtualDevice(model, settings: settings, managerOptions: host.managerOptions)
    device.eraseMeasurements()
    for taken in past { device.measure(taken.measurement, at: taken.date) }
    device.remember(recordings)
    return device
  }
}

extension VirtualDevice.Settings {
  /// The surroundings of a device on a simulated host, with the clock of its radio environment.
  init(on host: SimulatedHost) {
    self.init()
    clock = host.air.clock
    isConnected = { host.connectedPeers.contains($0) }
    broadcast = { services, manufacturer in
      host.serviceData = Dictionary(
        services.map { (CBUUID(string: $0.key), $0.value) }, uniquingKeysWith: { $1 })
      host.manufacturerData = manufacturer.isEmpty ? nil : manufacturer
    }
  }
}
