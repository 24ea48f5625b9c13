// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

extension RecordMedia {
  /// The format in which the outbox stores it with an event.
  var json: [UInt8] {
    var json = JSONWriter()
    writeInform(to: &json)
    return json.bytes
  }

  /// Reads the format in which the outbox stores it.
  init?(json: [UInt8]) {
    guard let reader = try? JSONReader(parsing: json), let media = try? RecordMedia(reader) else {
      return nil
    }
    self = media
  }
}
