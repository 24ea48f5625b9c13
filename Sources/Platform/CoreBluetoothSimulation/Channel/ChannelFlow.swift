// SPDX-License-Identifier: Apache-2.0

/// One direction of a channel, with credits (Core Specification, Vol 3, Part A, 10.1).
///
/// Bytes are divided into data units, and these into frames. A frame costs a credit; the receiver
/// returns the credits of a data unit when it has been read.
struct ChannelFlow {
  /// The unit of transmission.
  struct Frame {
    let bytes: [UInt8]
    /// Whether it completes the data unit.
    let isLast: Bool
    /// Packets of the link layer, of at most 251 bytes.
    let packets: Int64
  }

  /// The length of the data unit, in its first frame.
  static let lengthField = 2
  /// The header of each frame.
  private static let header = 4

  private let settings: SimulatedChannelSettings
  private let capacity: Int
  private var unsent = ByteQueue()
  private var credits: Int
  /// The bytes of the current data unit that have not been sent.
  private var restOfUnit = 0
  private var isWaitedFor = false

  private var assembling: [UInt8] = []
  private var framesOfUnit = 0
  private var unread = ByteQueue()
  private var units: [(bytes: Int, frames: Int)] = []

  /// A flow between two hosts with these settings.
  init(to receiver: SimulatedChannelSettings, from sender: SimulatedChannelSettings) {
    settings = receiver.valid
    capacity = sender.valid.sendBuffer
    credits = settings.credits
  }

  // MARK: - The sender

  var room: Int { capacity - unsent.count }

  var isDrained: Bool { unsent.count == 0 }

  var canSend: Bool { credits > 0 && unsent.count > 0 }

  mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = min(room, bytes.count)
    unsent.append(bytes.prefix(count))
    if room == 0 { isWaitedFor = true }
    return count
  }

  mutating func nextFrame() -> Frame? {
    guard canSend else { return nil }
    credits -= 1
    var overhead = Self.header
    var limit = settings.mps
    if restOfUnit == 0 {
      restOfUnit = min(unsent.count, settings.mtu)
      overhead += Self.lengthField
      limit -= Self.lengthField
    }
    let bytes = unsent.take(min(limit, restOfUnit))
    restOfUnit -= bytes.count
    let packets = (bytes.count + overhead + 250) / 251
    return Frame(bytes: bytes, isLast: restOfUnit == 0, packets: Int64(packets))
  }

  /// Whether half of the buffer is free again after a writer found it full; true once.
  mutating func becameWritable() -> Bool {
    guard isWaitedFor, room >= (capacity + 1) / 2 else { return false }
    isWaitedFor = false
    return true
  }

  mutating func addCredits(_ count: Int) {
    credits += count
  }

  mutating func dropUnsent() {
    unsent.removeAll()
    restOfUnit = 0
  }

  // MARK: - The receiver

  var bytesAvailable: Int { unread.count }

  /// Receives a frame; true when bytes become available after there were none.
  mutating func receive(_ frame: Frame) -> Bool {
    assembling += frame.bytes
    framesOfUnit += 1
    guard frame.isLast else { return false }
    let wasEmpty = unread.count == 0
    unread.append(assembling)
    units.append((assembling.count, framesOfUnit))
    assembling = []
    framesOfUnit = 0
    return wasEmpty
  }

  /// Reads bytes; the credits are for the data units that have been read completely.
  mutating func read(_ maximum: Int) -> (bytes: [UInt8], credits: Int) {
    let bytes = unread.take(maximum)
    var left = bytes.count
    var freed = 0
    while let first = units.first, left > 0 {
      if left < first.bytes {
        units[0].bytes -= left
        break
      }
      left -= first.bytes
      freed += first.frames
      units.removeFirst()
    }
    return (bytes, freed)
  }
}
