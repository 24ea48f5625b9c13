// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a OneTouch meter answers: a status and, when it is well, what was asked for.
///
/// Which request it answers is not in it. Source: glucometers-tech/glucometer-protocols; the codes
/// of failures are described by one peer only.
package struct OneTouchReply: CharacteristicValue {
  /// The status.
  package struct Status: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The request was carried out.
    package static let success = Status(rawValue: 0x06)
    /// The meter does not know its client.
    package static let unauthorized = Status(rawValue: 0x07)
    /// The meter does not know the request.
    package static let unsupported = Status(rawValue: 0x08)
    /// There is no such thing, for instance no record of that id.
    package static let invalidValue = Status(rawValue: 0x09)
  }

  /// The status.
  package let status: Status
  /// What follows the status.
  package let body: [UInt8]

  /// Creates a reply.
  package init(_ status: Status = .success, body: [UInt8] = []) {
    self.status = status
    self.body = body
  }

  /// Reads the status, and takes what follows.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    status = Status(rawValue: try reader.uint8(field: "Status"))
    body = reader.remainingBytes()
  }

  /// Writes status and body.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(status.rawValue)
    writer.append(body)
  }
}

extension OneTouchReply {
  /// The clock in seconds since 2000, or the id of the newest record: four bytes.
  ///
  /// - Throws: `reservedValue` for a failure, `truncated` and `trailingBytes` for another length.
  package func number() throws(PayloadError) -> UInt32 {
    var reader = try succeededBody()
    let number = try reader.uint32(field: "Number")
    try reader.finish()
    return number
  }

  /// How many records are in the memory: two bytes.
  package func recordCount() throws(PayloadError) -> UInt16 {
    var reader = try succeededBody()
    let count = try reader.uint16(field: "Record Count")
    try reader.finish()
    return count
  }

  /// A record; nil when the memory has none of that id.
  ///
  /// - Throws: `reservedValue` for any other failure.
  package func record() throws(PayloadError) -> OneTouchRecord? {
    if status == .invalidValue { return nil }
    _ = try succeededBody()
    guard !body.isEmpty else { return nil }
    return try OneTouchRecord(payload: body)
  }

  /// A text: UTF-16, the least significant byte first, with a zero at its end.
  package func text() throws(PayloadError) -> String {
    var reader = try succeededBody()
    var units: [UInt16] = []
    while reader.remainingCount > 0 {
      let unit = try reader.uint16(field: "Text")
      if unit == 0 { break }
      units.append(unit)
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The reply that carries a text.
  package init(text: String) {
    var writer = PayloadWriter()
    for unit in text.utf16 { writer.uint16(unit) }
    writer.uint16(0)
    self.init(body: writer.bytes)
  }

  private func succeededBody() throws(PayloadError) -> PayloadReader {
    guard status == .success else {
      throw PayloadError(
        .reservedValue, field: "Status", offset: 0,
        message: "The meter refused the request. Continue without it.")
    }
    return PayloadReader(body)
  }
}
