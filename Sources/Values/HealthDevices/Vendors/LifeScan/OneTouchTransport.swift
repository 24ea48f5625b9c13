// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// Carries frames of OneTouch meters over characteristics that take 20 bytes at a time.
///
/// The first byte of each write and notification says what follows:
///
/// ```
/// // 03 …   first block of 3
/// // 42 …   a later block
/// // 81     acknowledges block 1
/// ```
///
/// Each block is acknowledged before the next one is sent, with its own number. A meter
/// acknowledges a request before it answers it; what comes earlier answers another one, and a
/// client lets it pass.
///
/// One peer that reassembles frames counts later blocks down to 1, descriptions count them up; up
/// to two blocks there is no difference. So later blocks are taken in the order in which they come,
/// whatever their numbers, and the CRC of the frame shows whether one was lost. We count down.
///
/// Source: sivulich/AppiaGlucometers, tidepool-org/uploader, NightscoutFoundation/xDrip.
package struct OneTouchTransport: Sendable {
  /// What is to be done with what came.
  package enum Output: Hashable, Sendable {
    /// Write these bytes to the meter, or notify the meter's client of them.
    case send([UInt8])
    /// A frame is complete.
    case received(OneTouchFrame)
  }

  /// Which end this is.
  package enum Role: Sendable {
    /// Asks, and takes no frame before its own has been acknowledged.
    case client
    /// Answers, also when its last answer was not acknowledged.
    case meter
  }

  private enum Kind: UInt8 {
    case first, later, acknowledgement, lastAcknowledgement
  }

  private static let numberMask: UInt8 = 0x3F
  private static let bytesPerBlock = 19
  /// How many bytes a frame can have on its way in blocks.
  package static let maximumFrameLength = bytesPerBlock * Int(numberMask)

  private let role: Role
  /// What is still to be sent, the next block first.
  private var outgoing: [[UInt8]] = []
  /// How many blocks of the last frame have not been acknowledged.
  package private(set) var unacknowledgedCount = 0
  private var incoming: [UInt8] = []
  private var awaitedBlockCount = 0

  package init(_ role: Role) {
    self.role = role
  }

  /// Cuts a frame into blocks.
  ///
  /// - Returns: The first block, to be sent now.
  /// - Throws: `outOfRange` when the frame does not fit into 63 blocks.
  package mutating func send(_ frame: OneTouchFrame) throws(PayloadError) -> [UInt8] {
    let bytes = frame.payload
    guard bytes.count <= Self.maximumFrameLength else {
      throw PayloadError(
        .outOfRange, field: "Message", message: "63 blocks do not hold it. Send less at once.")
    }
    let parts = stride(from: 0, to: bytes.count, by: Self.bytesPerBlock).map {
      bytes[$0..<min($0 + Self.bytesPerBlock, bytes.count)]
    }
    var blocks = parts.enumerated().map { index, part in
      let kind: Kind = index == 0 ? .first : .later
      return [Self.header(kind, UInt8(truncatingIfNeeded: parts.count - index))] + part
    }
    unacknowledgedCount = blocks.count
    let first = blocks.removeFirst()
    outgoing = blocks
    return first
  }

  /// A block or an acknowledgement came.
  ///
  /// - Returns: What to do, in this order.
  /// - Throws: Why the bytes, or the frame that they complete, cannot be read. The transport is
  ///   then ready for the first block of another frame.
  package mutating func received(_ bytes: [UInt8]) throws(PayloadError) -> [Output] {
    var reader = PayloadReader(bytes)
    let header = try reader.uint8(field: "Block")
    switch Kind(rawValue: header >> 6) {
    case .first:
      guard role == .meter || unacknowledgedCount == 0 else { return [] }
      incoming = []
      awaitedBlockCount = Int(header)
      return try take(reader.remainingBytes(), header: header)
    case .later:
      return try take(reader.remainingBytes(), header: header)
    case .acknowledgement, .lastAcknowledgement, nil:
      try reader.finish()
      unacknowledgedCount = max(unacknowledgedCount - 1, 0)
      return outgoing.isEmpty ? [] : [.send(outgoing.removeFirst())]
    }
  }

  private mutating func take(
    _ bytes: [UInt8], header: UInt8
  ) throws(PayloadError) -> [Output] {
    guard awaitedBlockCount > 0 else {
      throw PayloadError(
        .reservedValue, field: "Block", offset: 0,
        message: "No block of this number is awaited. Ask for the frame again.")
    }
    awaitedBlockCount -= 1
    incoming += bytes
    let acknowledgement = Output.send([Self.header(.acknowledgement, header & Self.numberMask)])
    guard awaitedBlockCount == 0 else { return [acknowledgement] }
    defer { incoming = [] }
    return [acknowledgement, .received(try OneTouchFrame(payload: incoming))]
  }

  private static func header(_ kind: Kind, _ number: UInt8) -> UInt8 {
    kind.rawValue << 6 | number
  }
}
