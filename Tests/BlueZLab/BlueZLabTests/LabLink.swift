// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// A connection whose services and characteristics are all known, in the words of a test.
struct LabLink {
  let central: LabCentral
  let peripheral: CBPeripheral

  /// The service of the device `bench`; Tests/BlueZLab/peers/devices.py says what it has.
  static let bench = CBUUID(string: "F0DE0000-0000-1000-8000-00805F9B34FC")

  /// The characteristic of a number.
  static func uuid(_ number: Int) -> CBUUID {
    let digits = String(number, radix: 16)
    return CBUUID(
      string: "F0DE00\(digits.count < 2 ? "0" : "")\(digits)-0000-1000-8000-00805F9B34FC")
  }

  /// Finds a device by its name, connects to it and looks around.
  static func open(_ name: String = "Lab bench", with central: LabCentral) async throws -> LabLink {
    guard let peripheral = try await central.find(name).peripheral else {
      throw LabCentral.Missing(description: "no peripheral")
    }
    return try await open(peripheral, with: central)
  }

  /// Connects and looks around.
  static func open(
    _ peripheral: CBPeripheral, with central: LabCentral, _ limit: Duration = .seconds(20)
  ) async throws -> LabLink {
    try await central.connect(peripheral, limit)
    let link = LabLink(central: central, peripheral: peripheral)
    try await link.lookAround()
    return link
  }

  /// Looks for all services and characteristics.
  func lookAround() async throws {
    try await central.wait(for: .services, of: peripheral) { _ in
      peripheral.discoverServices(nil)
    }
    let services = await central.look { _ in peripheral.services ?? [] }
    for service in services {
      try await central.wait(for: .characteristics, of: peripheral) { _ in
        peripheral.discoverCharacteristics(nil, for: service)
      }
    }
  }

  /// The characteristic of a number of the bench.
  func characteristic(_ number: Int) throws -> CBCharacteristic {
    let all = (peripheral.services ?? []).flatMap { $0.characteristics ?? [] }
    guard let found = all.first(where: { $0.uuid == Self.uuid(number) }) else {
      throw LabCentral.Missing(description: "no characteristic \(number)")
    }
    return found
  }

  // MARK: - Requests

  /// Reads, and gives the value or throws the error.
  func read(_ number: Int, _ limit: Duration = .seconds(20)) async throws -> Data {
    let characteristic = try characteristic(number)
    return try await outcome(.value, of: characteristic.uuid, limit) {
      $0.readValue(for: characteristic)
    }.value ?? Data()
  }

  /// Writes with a response, or throws the error.
  func write(_ value: Data, _ number: Int) async throws {
    let characteristic = try characteristic(number)
    try await outcome(.written, of: characteristic.uuid) {
      $0.writeValue(value, for: characteristic, type: .withResponse)
    }
  }

  /// Subscribes or ends that, or throws the error.
  func notify(_ isOn: Bool = true, _ number: Int) async throws {
    let characteristic = try characteristic(number)
    try await outcome(.notifying, of: characteristic.uuid) {
      $0.setNotifyValue(isOn, for: characteristic)
    }
  }

  /// The first values that a characteristic gives after something is done.
  func values(
    _ count: Int, of number: Int, _ limit: Duration = .seconds(20),
    after action: @escaping (CBPeripheral) -> Void = { _ in }
  ) async throws -> [Data] {
    let (uuid, peripheral) = (Self.uuid(number), peripheral)
    return try await central.wait(
      for: "\(count) values", limit, after: { _ in action(peripheral) }
    ) { events in
      let values = Self.values(of: uuid, from: peripheral, in: events)
      return values.count >= count ? values : nil
    }
  }

  /// The values in a list of events.
  static func values(
    of uuid: CBUUID, from peripheral: CBPeripheral, in events: some Sequence<LabCentral.Event>
  ) -> [Data] {
    events.filter { $0.kind == .value && $0.attribute == uuid && $0.peripheral === peripheral }
      .compactMap(\.value)
  }

  @discardableResult
  private func outcome(
    _ kind: LabCentral.Event.Kind, of attribute: CBUUID, _ limit: Duration = .seconds(20),
    after action: @escaping (CBPeripheral) -> Void
  ) async throws -> LabCentral.Event {
    let peripheral = peripheral
    let event = try await central.wait(
      for: "\(kind) of \(attribute)", limit, after: { _ in action(peripheral) }
    ) { events in
      events.first {
        $0.peripheral === peripheral
          && ($0.kind == kind && $0.attribute == attribute || $0.kind == .disconnected)
      }
    }
    if let error = event.error { throw error }
    return event
  }
}

/// The code with which the device refuses something; nil when it does not.
func refusal(_ body: () async throws -> Void) async throws -> CBATTError.Code? {
  do {
    try await body()
    return nil
  } catch let error as CBATTError {
    return error.code
  }
}

extension LabPeer {
  /// The device `bench` with a new address; the one of a test before is gone.
  static func bench(_ options: String...) async throws -> LabPeer {
    try await LabPeer("bench", ["bench", "--name", "Lab bench"] + options)
  }

  /// Another client of bluetoothd, which has found a device (Tests/BlueZLab/peers/client.py).
  static func otherProgram(_ device: String = "Lab bench") async throws -> LabPeer {
    try await LabGuest.lab("start_peer", "other", "client", device)
    let program = LabPeer(running: "other")
    try await program.ask("find")
    return program
  }
}
