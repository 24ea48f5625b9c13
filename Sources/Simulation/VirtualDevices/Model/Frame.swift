// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension [UInt8] {
  /// The bytes of a frame in hexadecimal digits; all other characters are ignored.
  init(frame: String) {
    self = [UInt8](hexadecimal: frame.filter(\.isHexDigit)) ?? []
  }
}
