// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import Testing
import VirtualDevices

@testable import SantorioBluetooth

extension DriverAction {
  /// Whether a device is asked for something.
  fileprivate var isRequest: Bool {
    switch self {
    case .read, .write, .writeWithoutResponse, .subscribe, .confirmStorage: true
    default: false
    }
  }

  fileprivate var writtenOctets: (attribute: Attribute, octets: [UInt8])? {
    switch self {
    case .write(let attribute, let octets), .writeWithoutResponse(let attribute, let octets):
      (attribute, octets)
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
    VirtualDeviceModel.all.filter { model in
      let peripheral = BluetoothPeripheral.catalogue.first { $0.id == model.peripheralID }
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

@Suite(.timeLimit(.minutes(5))) struct `Every driver` {
  static let all: [DriverModel] = BluetoothPeripheral.catalogue.flatMap(\.drivers).uniqued

  /// What came of the lives of a driver.
  private struct Tally {
    var ends = 0
    var readings = 0
  }

  @Test func `is one of many`() {
    #expect(Self.all.count >= 25)
  }

  /// A trap would end the test process.
  @Test(arguments: `Every driver`.all)
  func
    `sends nothing forbidden, never spins, and is silent after its end, whatever the device does`(
      model: DriverModel
    )
  {
    let devices = model.virtualDevices
    var tally = Tally()
    for seed in 0..<200 {
      let device = devices.isEmpty ? nil : devices[seed % devices.count].make(VirtualClock())
      run(model, device, seed: UInt64(seed), .read, &tally)
      run(model, device, seed: UInt64(seed), .pair, &tally)
    }
    #expect(tally.ends > 0)
    #expect(tally.readings > 0 || devices.isEmpty)
  }

  private func run(
    _ model: DriverModel, _ virtual: (any VirtualDeviceLogic)?, seed: UInt64,
    _ purpose: DriverContext.Purpose, _ tally: inout Tally
  ) {
    let attributes = model.required + model.optional
    var device = UnreliableDevice(attributes, virtual, seed: seed)
    var context = DriverContext(purpose: purpose, attributes: Set(attributes))
    context.secrets = [
      .encryptionKey: Array(1...16), .applicationKey: Array(1...16),
      .consent: [1, 0x39, 0x30, 2, 0, 0],
    ]
    context.cryptography = StandInCryptography()
    var driver = model.make(context)
    var time = DriverTime(elapsed: .zero, secondsSince1970: 1_774_785_600, utcOffsetSeconds: 7200)
    var event = DriverEvent.begun
    var isOver = false
    for _ in 0..<160 {
      let actions = driver.handle(event, at: time)
      if actions.count > 5000 {
        Issue.record("\(actions.count) actions for one event, seed \(seed)")
      }
      if isOver, let late = actions.first(where: \.isRequest) {
        Issue.record("\(late) after the end, seed \(seed)")
      }
      check(actions, seed)
      tally.readings += actions.count {
        if case .deliver(let reading) = $0 { reading.refusal == nil } else { false }
      }
      if !isOver, actions.contains(where: \.isEnd) {
        isOver = true
        tally.ends += 1
      }
      event = device.event(after: actions, at: time)
      if event == .timeReached,
        let next = [driver.deadline, device.deadline].compactMap(\.self).min()
      {
        time.elapsed = max(time.elapsed, next)
      }
      time.elapsed += .milliseconds(10)
    }
  }

  private func check(_ actions: [DriverAction], _ seed: UInt64) {
    for case (let attribute, let octets)? in actions.map(\.writtenOctets) {
      guard let forbidden = ForbiddenCommand.first(writing: octets, to: attribute) else { continue }
      Issue.record("\(octets) to \(attribute.characteristic) \(forbidden.effect), seed \(seed)")
    }
  }
}

extension DriverModel: CustomTestStringConvertible {
  /// The name.
  package var testDescription: String { id }
}
