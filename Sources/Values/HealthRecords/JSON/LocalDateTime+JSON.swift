// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import SantorioJSON

extension LocalDateTime {
  /// Whether the ISO 8601 form has room for all components, possible or not: a device whose clock
  /// was never set may show the month 0.
  var isWritable: Bool {
    (0...9999).contains(year)
      && [month, day, hour, minute, second].allSatisfy { (0...99).contains($0) }
  }

  /// Writes the bytes of ``description``.
  func write(to bytes: inout ByteBuffer) {
    bytes.append(year, width: 4)
    bytes.append(twoDigits: month, after: "-")
    bytes.append(twoDigits: day, after: "-")
    bytes.append(twoDigits: hour, after: "T")
    bytes.append(twoDigits: minute, after: ":")
    bytes.append(twoDigits: second, after: ":")
  }
}
