// SPDX-License-Identifier: Apache-2.0

// Differs: Words. Refused on both sides.
import CoreBluetooth

let unnamed: CBError.Code = CBError.Code(rawValue: 6)
let number: Int = CBError.connectionTimeout
let misspelt = CBError(.connectionTimedOut)
let noCode = CBError()
