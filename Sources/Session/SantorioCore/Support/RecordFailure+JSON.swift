// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

extension RecordFailure {
  /// Reads the `error` member of the ingest API, or an answer's body that consists of it.
  init(status: Int?, error: JSONReader?) {
    func text(_ name: String) -> String? { try? error?.optional(name)?.string() }
    self.init(
      status: status, code: text("code") ?? "unknown", message: text("message") ?? "",
      path: text("path"))
  }

  /// The format in which the outbox stores it.
  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.optional("status", status)
      json.optional("code", code)
      json.optional("message", message)
      json.optional("path", path)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Reads the format in which the outbox stores it.
  init(json bytes: [UInt8]) {
    let json = try? JSONReader(parsing: bytes)
    self.init(status: try? json?.optional("status")?.integer(), error: json)
  }
}
