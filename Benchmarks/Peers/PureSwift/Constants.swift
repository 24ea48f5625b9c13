// SPDX-License-Identifier: Apache-2.0

// The assigned numbers the library generates when it is built, as far as blood pressure names them.
extension BluetoothUUID {
  package enum Characteristic {
    package static var dateTime: BluetoothUUID { .bit16(0x2A08) }
    package static var bloodPressureMeasurement: BluetoothUUID { .bit16(0x2A35) }
  }
}

extension UnitIdentifier {
  package static var year: UnitIdentifier { 0x27B4 }
  package static var month: UnitIdentifier { 0x27B3 }
  package static var day: UnitIdentifier { 0x2762 }
  package static var hour: UnitIdentifier { 0x2761 }
  package static var minute: UnitIdentifier { 0x2760 }
  package static var second: UnitIdentifier { 0x2703 }
}
