// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCryptography
import SantorioSQLite

/// A row of the table of samples; what it refers to are numbers of other tables.
package struct SampleRow {
  package var id: Int64 = 0
  package var type: Int64
  /// Seconds since 1 January 2001, UTC.
  package var start: Double
  package var end: Double
  /// A quantity in `unit`, the value of a category, the activity of a workout.
  package var value: Double
  package var unit: Int64?
  package var revision: Int64
  package var device: Int64?
  package var metadata: Int64?
  /// How many samples before this one say exactly the same; nil for the first.
  package var copy: Int64?
  package var uuid: [UInt8]?
  package var detail: String?
  /// Heartbeats, in place of a text: see ``SampleDetail``.
  package var beats: [UInt8]?

  package init(
    type: Int64, start: Double, end: Double, value: Double, unit: Int64? = nil, revision: Int64,
    device: Int64? = nil, metadata: Int64? = nil, copy: Int64? = nil, uuid: [UInt8]? = nil,
    detail: String? = nil
  ) {
    self.type = type
    self.start = start
    self.end = end
    self.value = value
    self.unit = unit
    self.revision = revision
    self.device = device
    self.metadata = metadata
    self.copy = copy
    self.uuid = uuid
    self.detail = detail
  }

  static let columns =
    "id, type, start, end, value, unit, revision, device, metadata, copy, uuid, detail"

  init(_ row: SQLiteRow) {
    id = row.integer(0)
    type = row.integer(1)
    start = row.real(2)
    end = row.real(3)
    value = row.real(4)
    unit = row.isNull(5) ? nil : row.integer(5)
    revision = row.integer(6)
    device = row.isNull(7) ? nil : row.integer(7)
    metadata = row.isNull(8) ? nil : row.integer(8)
    copy = row.isNull(9) ? nil : row.integer(9)
    uuid = row.isNull(10) ? nil : row.blob(10)
    if case .text(let text) = row.value(11) { detail = text }
  }
}

/// The identifiers of samples.
///
/// An export of the Health app has none. A sample that comes from one has an identifier of version 8
/// (RFC 9562, section 5.8) that is a digest of what it says: the same in each store, and after the
/// same file was imported once more.
package enum SampleIdentity {
  /// The identifier that follows from what a sample says.
  package static func uuid(
    type: String, start: Double, end: Double, value: Double, unit: String, source: String,
    copy: Int64
  ) -> UUID {
    let text = "\(type)|\(start)|\(end)|\(value)|\(unit)|\(source)|\(copy)"
    var bytes = Array(SHA256Digest.bytes(Array(text.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    return uuid(of: bytes)
  }

  /// The identifier of 16 bytes; of fewer, zeros stand for the missing ones.
  package static func uuid(of bytes: [UInt8]) -> UUID {
    let b = bytes + [UInt8](repeating: 0, count: max(0, 16 - bytes.count))
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }

  /// The 16 bytes of an identifier.
  package static func bytes(of uuid: UUID) -> [UInt8] {
    let u = uuid.uuid
    return [
      u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
    ]
  }
}
