// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import SantorioBluetooth
import SantorioConcurrency
import Testing
import VirtualDevices
import HealthRecords

/// A kind of device of the tests' own: its entry in the catalogue, its driver, and the device
/// itself.
///
/// It sends values (FFA1), takes commands (FFA2), and has what is needed to be asked for harm
/// (2A52).
struct Invention: Sendable {
  typealias DriverScript = @Sendable (DriverEvent) -> [DriverAction]
  typealias DeviceScript = @Sendable (VirtualDeviceInput) -> [VirtualDeviceOutput]

  static let values = GATTAttribute("FFA0", "FFA1")
  static let commands = GATTAttribute("FFA0", "FFA2")
  static let recordAccess = GATTAttribute("FFA0", "2A52")
  static let number = 1_090_001

  /// What the drivers were told before they began, the first first.
  let contexts = Locked<[DriverContext]>([])
  /// What was written to the device.
  let written = Locked<[[UInt8]]>([])
  private let isComplete: Bool
  private let commandProperties: VirtualCharacteristic.Properties
  private let driver: DriverScript
  private let device: DeviceScript

  init(
    isComplete: Bool = true, commands: VirtualCharacteristic.Properties = .write,
    driver: @escaping DriverScript, device: @escaping DeviceScript = { _ in [] }
  ) {
    self.isComplete = isComplete
    commandProperties = commands
    self.driver = driver
    self.device = device
  }

  /// Its entry in the catalogue.
  var peripheral: DeviceModel {
    DeviceModel(
      id: Self.number, type: .thermometer, manufacturer: "Acme", model: "Thermometer",
      instructions: "Measure.", connectTimeout: .seconds(60), readTimeout: .seconds(60),
      advertisementFilter: AdvertisementFilter(services: ["FFA0"]), drivers: [driverModel])
  }

  private var driverModel: DriverModel {
    DriverModel(
      id: "invention", name: "Protocol of the tests", required: [Self.values, Self.commands],
      optional: [Self.recordAccess], confidence: .documented, sources: []
    ) { context in
      contexts.withLock { $0.append(context) }
      return ScriptedDriver(isComplete: isComplete, script: driver)
    }
  }

  /// The device.
  var model: VirtualDeviceModel {
    VirtualDeviceModel(
      id: "invention", summary: "A device of the tests.", peripheralID: Self.number,
      advertisedName: "Acme", advertisedServices: ["FFA0"], readingCount: 0
    ) { _ in
      ScriptedDevice(
        services: [
          VirtualService(
            "FFA0",
            [
              VirtualCharacteristic("FFA1", .notify),
              VirtualCharacteristic("FFA2", commandProperties),
              VirtualCharacteristic("2A52", [.write, .indicate]),
            ])
        ]
      ) { input in
        if case .written(_, let bytes) = input { written.withLock { $0.append(bytes) } }
        return device(input)
      }
    }
  }

  /// The reading of a value: its first byte is a temperature, its second a number.
  static func reading(_ bytes: [UInt8]) -> DeviceReading {
    var reading = DeviceReading(
      [.init(.bodyTemperature, Double(bytes.first ?? 0))], payload: bytes)
    reading.sequenceNumber = bytes.dropFirst().first.map { Int($0) }
    return reading
  }
}

private struct ScriptedDriver: DeviceDriver {
  let isComplete: Bool
  let script: Invention.DriverScript

  var deadline: Duration? { nil }

  mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    script(event)
  }
}

private struct ScriptedDevice: VirtualDeviceLogic {
  let services: [VirtualService]
  let script: Invention.DeviceScript

  var isAdvertising: Bool { true }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    script(input)
  }
}

extension DeviceCatalogue {
  /// The catalogue with the numbers of the tests' own devices; tests pass their own entries.
  static let withInventions: DeviceCatalogue = {
    var catalogue = DeviceCatalogue.standard
    for number in [Invention.number, Invention.number + 1] {
      let entry = DeviceModel(
        id: number, type: .thermometer, manufacturer: "Acme", model: "\(number)",
        instructions: "Measure.", connectTimeout: .seconds(60), readTimeout: .seconds(60),
        advertisementFilter: AdvertisementFilter(services: ["FFA0"]),
        drivers: [.thermometerProfile])
      do { try catalogue.register(entry) } catch { Issue.record(error) }
    }
    return catalogue
  }()
}
