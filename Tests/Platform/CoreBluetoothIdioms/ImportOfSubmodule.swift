// SPDX-License-Identifier: Apache-2.0

// Differs: N8.
import CoreBluetooth.CBUUID

let heartRate = CBUUID(string: "180D").uuidString
