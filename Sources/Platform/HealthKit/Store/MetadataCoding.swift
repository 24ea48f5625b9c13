// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value of an object's metadata, as the store keeps it.
enum MetadataValue: Codable, Hashable {
  case text(String)
  case flag(Bool)
  case integer(Int)
  case number(Double)
  case date(Double)
  case quantity(Double, String)

  private enum CodingKeys: String, CodingKey {
    case text = "s"
    case flag = "b"
    case integer = "i"
    case number = "n"
    case date = "d"
    case quantity = "q"
    case unit = "u"
  }

  /// The value of a client's dictionary; nil of a kind that HealthKit does not keep.
  init?(_ value: Any) {
    switch value {
    case let value as String: self = .text(value)
    case let value as Date: self = .date(value.timeIntervalSinceReferenceDate)
    case let value as HKQuantity:
      self = .quantity(value.doubleValue(for: value.unit), value.unit.unitString)
    case let value as Bool: self = .flag(value)
    case let value as Int: self = .integer(value)
    case let value as any BinaryInteger: self = .integer(Int(clamping: value))
    case let value as Double: self = .number(value)
    case let value as Float: self = .number(Double(value))
    case let value as NSString: self = .text(value as String)
    case let value as NSNumber: self = .number(value.doubleValue)
    default: return nil
    }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if let text = try values.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text)
    } else if let flag = try values.decodeIfPresent(Bool.self, forKey: .flag) {
      self = .flag(flag)
    } else if let integer = try values.decodeIfPresent(Int.self, forKey: .integer) {
      self = .integer(integer)
    } else if let number = try values.decodeIfPresent(Double.self, forKey: .number) {
      self = .number(number)
    } else if let date = try values.decodeIfPresent(Double.self, forKey: .date) {
      self = .date(date)
    } else {
      self = .quantity(
        try values.decode(Double.self, forKey: .quantity),
        try values.decode(String.self, forKey: .unit))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .text(let text): try values.encode(text, forKey: .text)
    case .flag(let flag): try values.encode(flag, forKey: .flag)
    case .integer(let integer): try values.encode(integer, forKey: .integer)
    case .number(let number): try values.encode(number, forKey: .number)
    case .date(let date): try values.encode(date, forKey: .date)
    case .quantity(let value, let unit):
      try values.encode(value, forKey: .quantity)
      try values.encode(unit, forKey: .unit)
    }
  }

  /// The value as clients see it.
  var value: Any {
    switch self {
    case .text(let text): text
    case .flag(let flag): flag
    case .integer(let integer): integer
    case .number(let number): number
    case .date(let date): Date(timeIntervalSinceReferenceDate: date)
    case .quantity(let value, let unit): HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }
  }
}

/// Metadata as a text: the same text for the same metadata.
enum MetadataCoding {
  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  /// The text of any value; empty where it cannot be encoded, which no type of the store has.
  static func text(_ value: some Encodable) -> String {
    (try? encoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The value of a text.
  static func value<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
    try decoder().decode(type, from: Data(text.utf8))
  }

  /// The text of metadata; values of kinds that HealthKit does not keep are left out.
  static func encode(_ metadata: [String: Any]) -> String {
    text(metadata.compactMapValues(MetadataValue.init))
  }

  /// The metadata of a text.
  static func decode(_ text: String) throws -> [String: Any] {
    try value(text, as: [String: MetadataValue].self).mapValues(\.value)
  }
}
