// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of a protocol that runs over a stream of bytes, without regard to notifications.
package protocol StreamedFrame: CharacteristicValue {
  /// How far the frame reaches that starts with the first of some bytes; there is at least one.
  static func extent(of start: ArraySlice<UInt8>) -> FrameExtent
}

/// How far a frame reaches.
package enum FrameExtent: Hashable, Sendable {
  /// More bytes are needed to decide.
  case unknown
  /// It has this many bytes, at least one.
  case bytes(Int)
  /// No frame starts here.
  case noFrame
}

/// Finds the frames in a stream of bytes, however it was cut into notifications.
///
/// Bytes that belong to no sound frame are skipped one by one until a frame starts again, so a lost
/// notification costs the frame it was part of and no other.
package struct FrameAssembler<Frame: StreamedFrame>: Sendable {
  private var pending: [UInt8] = []
  /// The bytes that were part of no sound frame, since they were last asked for; at most 256.
  private var skipped: [UInt8] = []
  /// The number of bytes that were part of no sound frame.
  package private(set) var skippedCount = 0

  package init() {}

  /// Some bytes came.
  ///
  /// - Returns: The frames that they complete, in their order.
  package mutating func received(_ bytes: some Collection<UInt8>) -> [Frame] {
    pending += bytes
    var frames: [Frame] = []
    var rest = pending[...]
    search: while !rest.isEmpty {
      switch Frame.extent(of: rest) {
      case .unknown: break search
      case .bytes(let count) where count > rest.count: break search
      case .bytes(let count):
        if let frame = try? Frame(payload: rest.prefix(count)) {
          frames.append(frame)
          rest = rest.dropFirst(count)
          continue
        }
      case .noFrame: break
      }
      if let byte = rest.popFirst(), skipped.count < 256 { skipped.append(byte) }
      skippedCount += 1
    }
    pending = Array(rest)
    return frames
  }

  /// The bytes that were part of no sound frame since this was last called; at most 256 of them.
  package mutating func takeSkipped() -> [UInt8] {
    defer { skipped = [] }
    return skipped
  }

  /// Nothing more will come: the bytes that were part of no sound frame, and those of a frame that
  /// was not completed.
  package mutating func finish() -> [UInt8] {
    defer { pending = [] }
    return takeSkipped() + pending
  }
}
