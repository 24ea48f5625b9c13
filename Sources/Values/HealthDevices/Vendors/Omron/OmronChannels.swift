// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Puts the pieces of a frame together that an Omron device sends over its channels.
///
/// Older models cut a frame into pieces of 16 bytes, one for each of four characteristics; newer
/// ones send it whole over the first. A piece on the first channel begins a frame.
package struct OmronChannels: Hashable, Sendable {
  /// The bytes of a piece, where there are several channels.
  package static let pieceCount = 16

  private let channelCount: Int
  private var pieces: [Int: [UInt8]] = [:]

  /// Waits for pieces.
  ///
  /// - Parameter channelCount: 1 or 4.
  package init(channelCount: Int) {
    self.channelCount = channelCount
  }

  /// A piece came.
  ///
  /// - Returns: The bytes of the frame that it completes, without what fills its last piece.
  package mutating func received(_ bytes: [UInt8], channel: Int) -> [UInt8]? {
    if channel == 0 { pieces = [:] }
    pieces[channel] = bytes
    guard let length = pieces[0]?.first.map({ Int($0) }) else { return nil }
    let needed =
      channelCount == 1 ? 1 : (length + Self.pieceCount - 1) / Self.pieceCount
    guard needed <= channelCount else { return nil }
    var frame: [UInt8] = []
    for channel in 0..<needed {
      guard let piece = pieces[channel] else { return nil }
      frame += piece
    }
    guard frame.count >= length else { return nil }
    pieces = [:]
    return Array(frame.prefix(length))
  }

  /// The pieces of a frame, the first for the first channel.
  package static func pieces(of frame: [UInt8], channelCount: Int) -> [[UInt8]] {
    guard channelCount > 1 else { return [frame] }
    return stride(from: 0, to: frame.count, by: pieceCount).map {
      Array(frame[$0..<min($0 + pieceCount, frame.count)])
    }
  }
}
