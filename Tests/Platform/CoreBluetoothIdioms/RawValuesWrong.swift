// SPDX-License-Identifier: Apache-2.0

// Differs: Words. Refused on both sides.
import CoreBluetooth

let state: CBManagerState = CBManagerState(rawValue: 5)
let number: Int = CBManagerState.poweredOn
let old: CBManagerState = .on
