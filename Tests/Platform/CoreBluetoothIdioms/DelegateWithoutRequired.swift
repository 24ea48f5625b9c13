// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

final class Central: NSObject, CBCentralManagerDelegate {}

final class Server: NSObject, CBPeripheralManagerDelegate {}
