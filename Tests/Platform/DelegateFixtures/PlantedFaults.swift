// SPDX-License-Identifier: Apache-2.0

// Delegates with faults that Scripts/check-delegates must find, each named by a line "fault", and
// correct ones of which it must say nothing. Part of no target.
import CoreBluetooth

// MARK: - Methods only below the class that conforms

class BareBase: NSObject, CBPeripheralDelegate {}

// fault: subclass-only BelowBare.peripheral(_:didReadRSSI:error:)
class BelowBare: BareBase {
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {}
}

// fault: subclass-only FarBelowBare.peripheralDidUpdateName(_:)
final class FarBelowBare: BelowBare {
  override func peripheral(
    _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
  ) {}
}

extension FarBelowBare {
  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
}

class HalfBase: NSObject, CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
}

// fault: subclass-only BelowHalf.centralManager(_:didConnect:)
final class BelowHalf: HalfBase {
  override func centralManagerDidUpdateState(_ central: CBCentralManager) {}
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
}

// MARK: - Methods that nearly fit

final class Misses: NSObject, CBPeripheralDelegate {
  // fault: near-miss Misses.peripheral(_:didDiscoverServices:)
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: NSError?) {}
  // fault: near-miss Misses.peripheral(_:didOpened:error:)
  func peripheral(
    _ peripheral: CBPeripheral, didOpened channel: CBL2CAPChannel?, error: (any Error)?
  ) {}
  // fault: near-miss Misses.peripheral(_:didModifyServices:)
  func peripheral(_ peripheral: CBPeripheral?, didModifyServices services: [CBService]) {}
  // fault: near-miss Misses.peripheral(_:didUpdateValueFor:error:)
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: any Error
  ) {}
  // fault: near-miss Misses.peripheralDidUpdateNames(_:)
  func peripheralDidUpdateNames(_ peripheral: CBPeripheral) {}
  // fault: near-miss Misses.peripheralIsReady(toSendWriteWithResponse:)
  func peripheralIsReady(toSendWriteWithResponse peripheral: CBPeripheral) {}
}

// fault: near-miss AdvertisingMiss.peripheralManagerDidStartAdvertising(_:)
final class AdvertisingMiss: NSObject, CBPeripheralManagerDelegate {
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager) {}
}

// The parameters of Swift 3 and before.
final class OldMiss: NSObject, CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
  // fault: near-miss OldMiss.centralManager(_:didDiscover:advertisementData:rssi:)
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: AnyObject], rssi RSSI: NSNumber
  ) {}
}

// MARK: - Methods above the class that conforms

// fault: superclass PlainBase.centralManager(_:didFailToConnect:error:)
class PlainBase: NSObject {
  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {}
}

private final class BelowPlain: PlainBase, CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
}

// MARK: - Correct code

/// Other spellings of the same types, and methods of its own that share a name.
final class Fitting: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  typealias Failure = (any Error)?

  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
  func centralManager(_ central: CBCentralManager, willRestoreState dict: Dictionary<String, Any>) {
  }
  func centralManager(_ c: CBCentralManager, didFailToConnect p: CBPeripheral, error: Failure) {}
  func peripheral(
    _ peripheral: CBPeripheral, didOpen channel: Optional<CBL2CAPChannel>, error: Failure
  ) {}

  func centralManager(named name: String) -> CBCentralManager? { nil }
  func peripheral(_ identifier: UUID) -> CBPeripheral? { nil }
  func peripheral(_ peripheral: CBPeripheral, hasService uuid: CBUUID) -> Bool { false }
}

class CompleteBase: NSObject, CBPeripheralDelegate {
  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
}

class BelowComplete: CompleteBase {
  override func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
}

final class FarBelowComplete: BelowComplete {
  override func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
}

class OwnerOfAnother: NSObject {
  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
}

final class OverridesAll: OwnerOfAnother, CBPeripheralDelegate {
  override func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
}

protocol MeterDelegate: CBPeripheralDelegate {
  func meterDidFinish()
}

@MainActor
final class Meter: NSObject, @MainActor MeterDelegate {
  func meterDidFinish() {}
  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
}
