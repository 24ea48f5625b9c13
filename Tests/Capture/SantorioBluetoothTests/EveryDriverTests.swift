// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import LicensedMeters
import TestSupport
public import Testing
import VirtualDevices

@testable import SantorioBluetooth
public import HealthDevices

extension DriverAction {
  /// Whether a device is asked for something.
  fileprivate var isRequest: Bool {
    switch self {
    case .read, .write, .writeWithoutResponse, .subscribe, .confirmStorage: true
    default: false
    }
  }

  fileprivate var writtenBytes: (attribute: GATTAttribute, bytes: [UInt8])? {
    switch self {
    case .write(let attribute, let bytes), .writeWithoutResponse(let attribute, let bytes):
      (attribute, bytes)
    default: nil
    }
  }

  fileprivate var isEnd: Bool {
    switch self {
    case .finish, .fail: true
    default: false
    }
  }
}

extension DriverModel {
  /// The virtual devices that it reads.
  fileprivate var virtualDevices: [VirtualDeviceModel] {
    VirtualDeviceModel.allAndLicensed.filter { model in
      let peripheral = DeviceCatalogue.withLicensedMeters.entries.first {
        $0.id == model.peripheralID
      }
      guard peripheral?.drivers.contains(self) == true else { return false }
      let services = model.make(VirtualClock()).services
      return required.allSatisfy { attribute in
        services.contains { service in
          service.characteristics.contains {
            attribute.matches(service: service.uuid, characteristic: $0.uuid)
          }
        }
      }
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Every driver` {
  static let all: [DriverModel] = DeviceCatalogue.withLicensedMeters.entries.flatMap(\.drivers)
    .uniqued

  @Test func `is found for every kind`() {
    #expect(Self.all.count >= 25)
  }

  @Test func `that only listens also has a virtual device`() {
    let played = Set(VirtualDeviceModel.allAndLicensed.map(\.peripheralID))
    for entry in DeviceModel.supported where entry.broadcast != nil {
      #expect(played.contains(entry.id), "\(entry.name)")
    }
  }

  /// A trap would end the test process.
  @Test(arguments: `Every driver`.all)
  func `sends nothing forbidden, never loops, and ends, whatever the device does`(
    model: DriverModel
  ) {
    let devices = model.virtualDevices
    #expect(!devices.isEmpty, "no virtual device speaks \(model.name)")
    var tally = Tally()
    for seed in 0..<cases(few: 15, many: 60) {
      let virtual = devices.isEmpty ? nil : devices[seed % devices.count]
      var life = Life(model, virtual, seed: UInt64(seed))
      life.run(.pair, &tally)
      life.run(.read, &tally)
    }
    #expect(tally.ends > 0)
    #expect(tally.readings > 0)
  }
}

/// What came of the lives of a driver.
private struct Tally {
  var ends = 0
  var readings = 0
}

/// A device that is paired and read.
private struct Life {
  private let model: DriverModel
  private let seed: UInt64
  private var device: UnreliableDevice
  private var time = DriverTime(
    elapsed: .zero, secondsSince1970: 1_774_785_600, utcOffsetSeconds: 7200)
  private var secrets: [DeviceSecret: [UInt8]] = [
    .encryptionKey: StandInCryptography.exampleKey,
    .applicationKey: StandInCryptography.exampleKey,
  ]

  init(_ model: DriverModel, _ virtual: VirtualDeviceModel?, seed: UInt64) {
    self.model = model
    self.seed = seed
    device = UnreliableDevice(model.required + model.optional, virtual, seed: seed)
  }

  /// One connection.
  mutating func run(_ purpose: DriverContext.Purpose, _ tally: inout Tally) {
    device.press(purpose == .pair ? .pairingMode : .measure(number: 1), at: time)
    let context = DriverContext(
      purpose: purpose, attributes: Set(model.required + model.optional), secrets: secrets)
    var driver = model.make(context)
    var event = DriverEvent.begun
    var isOver = false
    for _ in 0..<300 {
      let actions = driver.handle(event, at: time)
      check(actions, isOver: isOver)
      for case .keep(let secret, let bytes) in actions { secrets[secret] = bytes }
      tally.readings += actions.count {
        if case .deliver(let reading) = $0 { reading.rejection == nil } else { false }
      }
      if !isOver, actions.contains(where: \.isEnd) {
        isOver = true
        tally.ends += 1
      }
      event = device.event(after: actions, at: time)
      if event == .timeReached {
        let next = [driver.deadline, device.deadline].compactMap(\.self).min()
        time.elapsed = max(time.elapsed, next ?? .zero)
      }
      time.elapsed += .milliseconds(10)
    }
    device.press(.disconnected(allArrived: true), at: time)
  }

  private func check(_ actions: [DriverAction], isOver: Bool) {
    if actions.count > 5000 { Issue.record("\(actions.count) actions at once, seed \(seed)") }
    if isOver, let late = actions.first(where: \.isRequest) {
      Issue.record("\(late) after the end, seed \(seed)")
    }
    for case (let attribute, let bytes)? in actions.map(\.writtenBytes) {
      guard let forbidden = ForbiddenCommand.first(writing: bytes, to: attribute) else { continue }
      Issue.record("\(bytes) to \(attribute.characteristic) \(forbidden.effect), seed \(seed)")
    }
  }
}

extension DriverModel: CustomTestStringConvertible {
  /// The name.
  public var testDescription: String { id }
}
