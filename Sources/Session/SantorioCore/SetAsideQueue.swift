// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
import SantorioJSON

/// A queue that was set aside because its key did not exist any more.
///
/// Its records are still there, encrypted. Should the key appear again, a session on
/// ``folder`` has them.
public struct SetAsideQueue: Hashable, Sendable, CustomStringConvertible {
  /// Where it is; it is never deleted by a session.
  public let folder: URL
  /// How many records wait in it or are held back; nil when that is not known.
  public let records: Int?

  /// The number of records.
  public var description: String {
    "queue set aside for want of its key, with \(records.map { "\($0)" } ?? "an unknown number of") records"
  }
}

extension SetAsideQueue {
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { $0.optional("records", records) }
    return json.bytes
  }

  init?(json: [UInt8], name: String, in folder: URL) {
    guard let reader = try? JSONReader(parsing: json) else { return nil }
    self.init(
      folder: folder.appendingPathComponent(name, isDirectory: true),
      records: try? reader.optional("records")?.integer())
  }
}
