// SPDX-License-Identifier: Apache-2.0

// Differs: Words. Refused on both sides.
import CoreBluetooth

struct Value: CBPeripheralDelegate {}

final class NotObject: CBPeripheralDelegate {}

actor Isolated: CBPeripheralDelegate {}
