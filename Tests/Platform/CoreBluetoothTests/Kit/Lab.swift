// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

/// A phone and a meter two metres apart, on a manual clock.
struct Lab {
  let air: SimulatedRadioEnvironment
  let phone: SimulatedHost
  let meter: SimulatedHost
  var central: CentralProbe
  var device: DeviceProbe

  /// Both managers have restore identifiers when they shall be restored.
  init(keepsPeripherals: Bool = true, restoring: Bool = false) {
    air = SimulatedRadioEnvironment(seed: 5)
    phone = air.makeHost(named: "Phone")
    meter = air.makeHost(named: "Meter", at: SimulatedPosition(x: 2))
    central = CentralProbe(
      phone, keepsPeripherals: keepsPeripherals, restoring: restoring ? "central" : nil)
    device = DeviceProbe(meter, restoring: restoring ? "device" : nil)
  }

  /// Moves the clock until the central has noted the line.
  @discardableResult
  func wait(
    for line: String, within limit: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Bool {
    let isThere = await air.advance(by: limit) { central.log.has(line) }
    #expect(isThere, "never: \(line)\n\(central.log.all)", sourceLocation: sourceLocation)
    return isThere
  }

  func run(_ duration: Duration) async {
    await air.advance(by: duration)
  }

  /// Launches the phone's app, and makes its manager again.
  ///
  /// - Returns: The manager and the delegate of the process before.
  mutating func relaunchCentral(
    into state: SimulatedApplication.State = .background, keepsPeripherals: Bool = true
  ) async -> CentralProbe {
    let old = central
    phone.application.state = state
    central = CentralProbe(phone, keepsPeripherals: keepsPeripherals, restoring: "central")
    await run(.milliseconds(1))
    return old
  }

  mutating func relaunchDevice() async -> DeviceProbe {
    let old = device
    meter.application.state = .background
    device = DeviceProbe(meter, restoring: "device")
    await run(.milliseconds(1))
    return old
  }

  /// Both managers are on, the device advertises.
  func powerUp() async {
    await air.advance(by: .milliseconds(1))
  }

  /// Scans until the meter is found, and stops.
  func find() async throws -> CBPeripheral {
    await powerUp()
    central.manager.scanForPeripherals(withServices: [CBUUID(string: "FFF0")])
    await wait(for: "discovered Meter")
    central.manager.stopScan()
    return try #require(central.peripherals.first)
  }

  func connect() async throws -> CBPeripheral {
    let peripheral = try await find()
    central.manager.connect(peripheral)
    await wait(for: "connected connected")
    await run(.milliseconds(200))
    return peripheral
  }

  /// Connects and discovers the service with all characteristics.
  func open() async throws -> OpenLink {
    let peripheral = try await connect()
    peripheral.discoverServices(nil)
    await wait(for: "services")
    let service = try #require(peripheral.services?.first)
    peripheral.discoverCharacteristics(nil, for: service)
    await wait(for: "characteristics")
    central.log.clear()
    device.log.clear()
    return OpenLink(peripheral: peripheral, service: service)
  }

  /// Connects, discovers and subscribes to FFF4.
  func subscribe() async throws -> OpenLink {
    let link = try await open()
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await wait(for: "notify FFF4 on")
    central.log.clear()
    device.log.clear()
    return link
  }
}

/// A connected peripheral whose characteristics are known.
struct OpenLink {
  let peripheral: CBPeripheral
  let service: CBService

  func callAsFunction(_ uuid: String) throws -> CBCharacteristic {
    try #require(service.characteristics?.first { $0.uuid == CBUUID(string: uuid) })
  }
}
