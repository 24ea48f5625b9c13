// SPDX-License-Identifier: Apache-2.0

// MARK: - Peripheral Role: Advertising
import CoreBluetooth

final class BLEPeripheralManager: NSObject, CBPeripheralManagerDelegate {
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  private var peripheralManager: CBPeripheralManager!
  private let serviceUUID = CBUUID(string: "12345678-1234-1234-1234-123456789ABC")
  private let charUUID = CBUUID(string: "12345678-1234-1234-1234-123456789ABD")

  override init() {
    super.init()
    peripheralManager = CBPeripheralManager(delegate: self, queue: nil)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    setupService()
  }

  private func setupService() {
    let characteristic = CBMutableCharacteristic(
      type: charUUID,
      properties: [.read, .notify],
      value: nil,
      permissions: [.readable]
    )
    let service = CBMutableService(type: serviceUUID, primary: true)
    service.characteristics = [characteristic]
    peripheralManager.add(service)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager,
    didAdd service: CBService,
    error: Error?
  ) {
    guard error == nil else { return }
    peripheralManager.startAdvertising([
      CBAdvertisementDataServiceUUIDsKey: [serviceUUID],
      CBAdvertisementDataLocalNameKey: "MyDevice",
    ])
  }

  // Not in the guide.
  var isAdvertising: Bool { peripheralManager.isAdvertising }
}
