// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension [UInt8] {
  /// The bytes of a frame, written as hexadecimal digits; all else stands there for the reader.
  init(frame: String) {
    self = [UInt8](hexadecimal: frame.filter(\.isHexDigit)) ?? []
  }
}
