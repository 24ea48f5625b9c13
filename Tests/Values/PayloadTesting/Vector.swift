// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import PayloadInspection
import HealthGATT
import Foundation
package import PayloadInspection
import Testing

/// One line of the vectors: a payload and what it means, with the public place that it comes from.
package struct Vector: Decodable, Sendable, CustomTestStringConvertible {
  package let id: String
  package let char: String
  package let hex: String
  package let expected: [String: JSON]
  /// What is needed to read the payload, for instance a key.
  package let params: [String: String]?

  package var testDescription: String { id }
  package var isRefused: Bool { expected["error"] != nil }

  /// The lines of all files of fixtures.
  package static let all: [Vector] = {
    let folder =
      Bundle.module.resourceURL?.appendingPathComponent("Fixtures") ?? Bundle.module.bundleURL
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).flatMap { file -> [Vector] in
      ((try? Data(contentsOf: file)) ?? Data()).split(separator: UInt8(ascii: "\n")).compactMap {
        try? JSONDecoder().decode(Vector.self, from: $0)
      }
    }
  }()

  package static var valid: [Vector] { all.filter { !$0.isRefused } }
}

/// A value of the vectors.
package enum JSON: Decodable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// Whether a decoded field has exactly this value.
  package func matches(_ field: DecodedPayload.FieldValue) -> Bool {
    switch (self, field) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.number(let left), .integer(let right)): left == Double(right)
    case (.text(let left), .text(let right)): left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.matches($1) }
    case (.object(let left), .object(let right)):
      left.allSatisfy { name, value in
        right.first { $0.name == name }.map { value.matches($0.value) } ?? false
      }
    default: false
    }
  }
}
