// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

extension ExtraValue {
  /// The value of an object of Foundation's; nil for one that JSON does not have.
  init?(object: Any) {
    switch object {
    case let value as Bool where Self.isFlag(object): self = .flag(value)
    case let value as String: self = .text(value)
    case let value as Date: self = .text(ISO8601DateFormatter().string(from: value))
    case let value as URL: self = .text(value.absoluteString)
    case let value as NSNumber: self = .number(value.doubleValue)
    case let value as Double: self = .number(value)
    case let value as Int: self = .number(Double(value))
    case is NSNull: self = .null
    case let values as [Any]:
      let list = values.compactMap(Self.init(object:))
      guard list.count == values.count else { return nil }
      self = .list(list)
    case let values as [String: Any]:
      let members = values.compactMapValues(Self.init(object:))
      guard members.count == values.count else { return nil }
      self = .object(members)
    default: return nil
    }
  }

  /// Whether an object is a Boolean: a number that is 0 or 1 converts to one, too.
  private static func isFlag(_ object: Any) -> Bool {
    guard !(object is Bool && type(of: object) == Bool.self) else { return true }
    guard let number = object as? NSNumber else { return false }
    return number === NSNumber(value: true) || number === NSNumber(value: false)
  }

  /// The value as an object of Foundation's.
  var object: Any {
    switch self {
    case .text(let value): value
    case .number(let value): NSNumber(value: value)
    case .flag(let value): NSNumber(value: value)
    case .null: NSNull()
    case .list(let values): values.map(\.object)
    case .object(let values): values.mapValues(\.object)
    }
  }
}
