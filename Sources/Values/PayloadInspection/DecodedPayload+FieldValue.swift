// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension DecodedPayload.FieldValue {
  init(_ number: MedicalNumber) {
    switch number {
    case .decimal(let decimal): self = .number(decimal.double)
    case .notANumber: self = .text("NaN")
    case .notAtThisResolution: self = .text("NRes")
    case .positiveInfinity: self = .text("+INF")
    case .negativeInfinity: self = .text("-INF")
    case .reserved: self = .text("Reserved")
    }
  }

  init(_ number: MedicalNumber?) {
    self = number.map { Self($0) } ?? .null
  }

  init(_ number: MedicalFloat16?) {
    self.init(number?.number)
  }

  init(_ integer: (some BinaryInteger)?) {
    self = integer.map { .integer(Int($0)) } ?? .null
  }

  init(_ dateTime: DateTime?) {
    guard let dateTime else {
      self = .null
      return
    }
    let date = [dateTime.year ?? 0, dateTime.month ?? 0, dateTime.day ?? 0]
    let time = [dateTime.hours, dateTime.minutes, dateTime.seconds]
    self = .list((date + time).map { .integer($0) })
  }

  init(_ local: LocalDateTime) {
    self.init(try? DateTime(local))
  }

  init(names: [String]?) {
    self = names.map { .list($0.map { .text($0) }) } ?? .null
  }

  init(hexadecimal bytes: some Sequence<UInt8>) {
    self = .text(Array(bytes).hexadecimal)
  }

  init(bytes: [UInt8]) {
    self = .list(bytes.map { .integer(Int($0)) })
  }
}

extension Timestamp {
  /// One field, and a second one with the bytes when they are no possible time.
  static func fields(
    _ timestamp: Timestamp?, name: String = "timestamp"
  ) -> [DecodedPayload.Field] {
    let dateTime = timestamp?.dateTime
    let field = DecodedPayload.Field(name, .init(dateTime))
    guard let timestamp, dateTime == nil else { return [field] }
    return [field, .init(name + "_octets", .init(bytes: timestamp.bytes))]
  }
}
