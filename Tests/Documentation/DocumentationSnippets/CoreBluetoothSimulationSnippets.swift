// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CoreBluetooth
  import CoreBluetoothSimulation
  import Foundation
  import Testing

  private final class HealthApp {
    private let central = CBCentralManager()
    private(set) var reading: Double?
  }

  private final class BluetoothManager {
    private let central = CBCentralManager()
    private(set) var heartRate: Int?
  }

  private final class HeartRateStrap {
    private let peripheral: CBPeripheralManager

    init(options: [String: Any]) {
      peripheral = CBPeripheralManager(delegate: nil, queue: nil, options: options)
    }
  }

  private func simulate(meterDelegate: any CBPeripheralManagerDelegate) async {
    let air = SimulatedRadioEnvironment(seed: 7)
    let phone = air.makeHost(named: "Phone")
    let meter = air.makeHost(named: "Meter", at: SimulatedPosition(x: 3))
    let device = CBPeripheralManager(
      delegate: meterDelegate, queue: nil, options: meter.managerOptions)
    phone.installAsDefault()
    let app = HealthApp()  // creates its CBCentralManager without options
    let isDone = await air.advance(by: .seconds(30)) { app.reading != nil }
    _ = (device, isDone)
  }

  private func loseALink() async {
    let air = SimulatedRadioEnvironment(seed: 7)
    let phone = air.makeHost(named: "Phone")
    let strap = air.makeHost(named: "Strap", at: SimulatedPosition(x: 3))
    let device = HeartRateStrap(options: strap.managerOptions)  // has a CBPeripheralManager
    phone.installAsDefault()
    let app = BluetoothManager()  // has a CBCentralManager
    let found = await air.advance(by: .seconds(10)) { app.heartRate != nil }
    #expect(found)
    strap.position.x = 500
    await air.advance(by: .seconds(10))  // the link is lost by now
    _ = device
  }

  private func relaunch(
    phone: SimulatedHost, strap: SimulatedHost, air: SimulatedRadioEnvironment,
    makeManager: ([String: Any]) -> CBCentralManager
  ) async {
    var meter: CBCentralManager? = makeManager(phone.managerOptions)  // with a restore identifier
    phone.application.terminate()
    strap.position.x = 3  // comes near, and a pending connection is made
    await air.advance(by: .seconds(5))
    #expect(phone.application.awaitingRelaunch == ["meters"])
    phone.application.state = .background  // a new process
    meter = makeManager(phone.managerOptions)  // willRestoreState, the state, didConnect
    _ = meter
  }
#endif
