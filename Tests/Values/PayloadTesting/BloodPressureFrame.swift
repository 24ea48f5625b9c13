// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A frame of 2A35 or 2A36 written out for any combination of flags.
package struct BloodPressureFrame {
  package let bytes: [UInt8]

  package init(flags: Int) throws {
    var hexadecimal = "7A00 4E00 5D00"
    if flags & 0b00010 != 0 { hexadecimal += "EA07 05 04 07 1E 0F" }
    if flags & 0b00100 != 0 { hexadecimal += "47F0" }
    if flags & 0b01000 != 0 { hexadecimal += "02" }
    if flags & 0b10000 != 0 { hexadecimal += "0D00" }
    bytes = [UInt8(flags)] + (try TestSupport.bytes(hexadecimal))
  }
}
