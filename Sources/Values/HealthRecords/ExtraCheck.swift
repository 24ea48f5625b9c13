// SPDX-License-Identifier: Apache-2.0

extension ExtraValue {
  /// How many lists and objects may stand in one another: `[[1]]` are two.
  public static let maximumDepth = 16
  /// How many values a record's extras may hold, lists and objects and what is in them counted.
  public static let maximumCount = 10_000
  /// How much room all names and texts of a record's extras may take, in bytes of UTF-8.
  public static let maximumBytes = 262_144
}

/// Holds the extras of one record against their limits.
struct ExtraCheck {
  private var count = 0
  private var bytes = 0
  /// The place of the current value.
  ///
  /// An app's own names may hold personal data: positions in the order of the names stand for them.
  private var place: [Int] = []

  /// Checks the members of an object.
  mutating func members(_ members: [String: ExtraValue]) throws(RecordError) {
    for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      place.append(index)
      try add(member.key)
      try value(member.value)
      place.removeLast()
    }
  }

  private mutating func value(_ value: ExtraValue) throws(RecordError) {
    count += 1
    guard count <= ExtraValue.maximumCount else {
      throw error(.tooLarge, "a record has at most \(ExtraValue.maximumCount) values here")
    }
    switch value {
    case .number(let number): if !number.isFinite { throw .notFinite(at: path) }
    case .text(let text): try add(text)
    case .flag, .null: break
    case .list(let values):
      try checkDepth()
      for (index, value) in values.enumerated() {
        place.append(index)
        try self.value(value)
        place.removeLast()
      }
    case .object(let members):
      try checkDepth()
      try self.members(members)
    }
  }

  private func checkDepth() throws(RecordError) {
    guard place.count <= ExtraValue.maximumDepth else {
      throw error(
        .tooDeep, "at most \(ExtraValue.maximumDepth) lists and objects stand in one another")
    }
  }

  private mutating func add(_ text: String) throws(RecordError) {
    bytes += text.utf8.count
    guard bytes <= ExtraValue.maximumBytes else {
      throw error(
        .tooLarge, "names and texts take at most \(ExtraValue.maximumBytes) bytes in a record")
    }
  }

  private var path: String { "extras" + place.map { "[\($0)]" }.joined() }

  private func error(_ code: RecordError.Code, _ message: String) -> RecordError {
    RecordError(code, at: path, message)
  }
}
