// SPDX-License-Identifier: Apache-2.0

/// The rows at which the server failed (5xx) when each was sent alone.
///
/// Either they caused it, or the server was down: once others are accepted, each is sent alone
/// again, so that only its own request can fail.
struct FailingRecords {
  /// With more, the server is probably down; they are forgotten.
  static let most = 32

  private var sizes: [Int64: Int] = [:]

  var count: Int { sizes.count }
  /// The total size of their bytes.
  var bytes: Int { sizes.values.reduce(0, +) }

  func contains(_ row: OutboxRow) -> Bool { sizes[row.sequence] != nil }

  mutating func add(_ row: OutboxRow) {
    if sizes.count == Self.most { sizes = [:] }
    sizes[row.sequence] = row.size
  }

  mutating func remove(_ rows: [OutboxRow]) {
    for row in rows { sizes[row.sequence] = nil }
  }

  /// The next batch: in order, with a failing row alone; or others first.
  func batch(of claimed: [OutboxRow], count: Int, bytes: Int, isPassing: Bool) -> [OutboxRow] {
    guard !sizes.isEmpty else { return claimed }
    let others =
      isPassing ? claimed.filter { !contains($0) } : Array(claimed.prefix { !contains($0) })
    guard let first = others.first else { return Array(claimed.prefix(1)) }
    var room = bytes - first.size
    let rest = others.dropFirst().prefix(count - 1).prefix { row in
      room -= row.size
      return room >= 0
    }
    return [first] + rest
  }
}

extension OutboxRow {
  /// The size in a body, with the end of its line.
  fileprivate var size: Int { body.count + 1 }
}
