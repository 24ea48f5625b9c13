// SPDX-License-Identifier: Apache-2.0

/// How many frames a video has in how many seconds.
package struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  package let frames: Int
  package let seconds: Int

  /// What is taken where nothing says the rate.
  package static let unstated = FrameRate(checkedFrames: 25, seconds: 1)

  /// Fast enough for reading displays, and slow enough for cameras to give pixels and no JPEGs.
  package static let reading = FrameRate(checkedFrames: 5, seconds: 1)

  /// Nil unless both are from 1 to 4,294,967,295.
  package init?(frames: Int, seconds: Int = 1) {
    let range = 1...Int(UInt32.max)
    guard range.contains(frames), range.contains(seconds) else { return nil }
    self.init(checkedFrames: frames, seconds: seconds)
  }

  /// Reads `25`, `30000/1001` or `30000:1001`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(
      separator: text.contains(":") ? ":" : "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, let frames = Digits.number(first) else {
      return nil
    }
    guard parts.count == 2 else {
      self.init(frames: frames)
      return
    }
    guard let seconds = Digits.number(parts[1]) else { return nil }
    self.init(frames: frames, seconds: seconds)
  }

  private init(checkedFrames: Int, seconds: Int) {
    (frames, self.seconds) = (checkedFrames, seconds)
  }

  /// The number of frames, and of seconds if more than one.
  package var description: String { seconds == 1 ? "\(frames)" : "\(frames)/\(seconds)" }

  /// When a frame is shown; the first has the number 0.
  func time(ofFrame number: Int) -> Duration {
    let (whole, rest) = (Int128(number) * Int128(seconds)).quotientAndRemainder(
      dividingBy: Int128(frames))
    let fraction = rest * 1_000_000_000_000_000_000 / Int128(frames)
    return Duration(
      secondsComponent: Int64(clamping: whole), attosecondsComponent: Int64(clamping: fraction))
  }

  /// Whether this rate is lower than another.
  func isSlower(than other: FrameRate) -> Bool {
    frames.multipliedFullWidth(by: other.seconds) < other.frames.multipliedFullWidth(by: seconds)
  }
}

/// Numbers without signs.
enum Digits {
  /// Nil unless all characters are digits, and for numbers that are too large.
  static func number(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}
