// SPDX-License-Identifier: Apache-2.0

/// Takes an export into a queue: first the whole file is checked, then its parts are stored.
///
/// Each transaction takes a little of it: others store readings meanwhile.
struct QueueImport {
  private static let mostFrames = 200
  private static let mostBytes = 1 << 20

  let source: ExportSource
  let key: ExportKey
  let allowsIncomplete: Bool
  let outbox: Outbox

  /// - Returns: What was taken.
  /// - Throws: ``SessionError``.
  func run() async throws(SessionError) -> QueueExport {
    let number = try await check()
    var taken = QueueExport()
    var reader = self.reader
    // The owner.
    _ = try reader.next()
    var frames: [ExportFrame] = []
    var bytes = 0
    while let frame = try reader.next() {
      frames.append(frame)
      bytes += frame.bytes.count
      guard frames.count == Self.mostFrames || bytes >= Self.mostBytes else { continue }
      taken.add(try await outbox.take(frames, inSession: number, isLast: false))
      (frames, bytes) = ([], 0)
    }
    taken.add(try await outbox.take(frames, inSession: number, isLast: true))
    taken.unreadable += reader.damagedCount
    taken.isComplete = !reader.endsEarly && taken.unreadable == 0
    return taken
  }

  private var reader: ExportReader {
    ExportReader(source, key, skippingDamage: allowsIncomplete)
  }

  /// Reads the whole file.
  ///
  /// - Returns: The number of the session that may have it.
  private func check() async throws(SessionError) -> Int64 {
    var reader = self.reader
    let owner = try reader.next()?.item
    var bytes = 0
    while let frame = try reader.next() { bytes += frame.bytes.count }
    return try await outbox.admit(owner, bytes: bytes)
  }
}

extension QueueExport {
  fileprivate mutating func add(_ other: QueueExport) {
    waiting += other.waiting
    held += other.held
    refused += other.refused
    images += other.images
    leftOut += other.leftOut
    unreadable += other.unreadable
  }
}
