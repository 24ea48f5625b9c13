// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import CoreBluetoothSimulation
import Foundation
import VirtualDevices
import HealthDevices

/// The devices of the demonstration, each on its own host of a simulated radio environment.
struct DemoDevices: Sendable {
  /// One of each kind that people have at home.
  static let models: [VirtualDeviceModel] = [
    .ua651BLE(), .bm54(), .accuChekGuide, .oneTouchVerioFlex, .cgmSensor, .ut201BLE, .uc352BLE,
    .bf720, .nonin3230, .o2Ring, .polarH10, .miScale, .taiDocBloodPressure,
  ]

  /// A line for each of them.
  static var list: String {
    let width = models.map(\.id.count).max() ?? 0
    return models.map { "  \($0.id.padded(to: width + 2))\($0.summary)" }.joined(separator: "\n")
  }

  private let air: SimulatedRadioEnvironment
  private let devices: [VirtualDevice]

  /// Sets up the devices and switches them on; they can be paired, and hold measurements.
  ///
  /// - Parameters:
  ///   - air: The radio environment.
  ///   - now: The time of day. The newest stored measurements are those of the morning before it, so
  ///     that the devices of two commands of a day hold the same ones.
  init(in air: SimulatedRadioEnvironment, now: Date = Date()) {
    self.air = air
    let morning = Self.morning(before: now)
    devices = Self.models.enumerated().map { index, model in
      let place = SimulatedPosition(x: 2 + Double(index % 4), y: 1 + Double(index / 4))
      return VirtualDevice(
        model.withNewestMeasurement(at: morning),
        on: air.makeHost(named: model.advertisedName, at: place))
    }
    for device in devices {
      device.switchOn()
      device.enterPairingMode()
    }
  }

  /// Returns six o'clock of today or, until half past six, of yesterday.
  ///
  /// A recording that begins at six is over by half past.
  static func morning(
    before now: Date, in zone: TimeZone = .autoupdatingCurrent
  ) -> LocalDateTime {
    let ready = now.addingTimeInterval(-6.5 * 3600)
    var morning = LocalDateTime(ready, utcOffsetSeconds: zone.secondsFromGMT(for: now))
    (morning.hour, morning.minute, morning.second) = (6, 0, 0)
    return morning
  }

  /// How many readings the devices hold; failed measurements do not count.
  var readingCount: Int { Self.models.reduce(0) { $0 + $1.readingCount } }

  /// Takes a new measurement on one of the devices every few seconds until the task is cancelled.
  func run() async {
    while (try? await air.clock.sleep(for: .seconds(20))) != nil {
      devices.randomElement()?.measure()
    }
  }
}

extension VirtualDevice {
  /// A device on a simulated host, with the clock of its radio environment.
  convenience init(
    _ model: VirtualDeviceModel, on host: SimulatedHost,
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void = { _ in }
  ) {
    self.init(
      model, settings: Settings(on: host), managerOptions: host.managerOptions, onEvent: onEvent)
  }
}
