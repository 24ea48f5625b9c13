// SPDX-License-Identifier: Apache-2.0

/// A way in which devices lay out pixels, of those that are read; the best first.
enum PixelFormat: CaseIterable, Hashable {
  /// Brightness alone.
  case grey
  /// All of the brightness, then the color.
  case nv12
  /// Brightness and color in turns.
  case yuyv
  /// A JPEG for each frame: it takes time to decode, and loses some detail.
  case mjpeg

  /// The name in linux/videodev2.h.
  var name: String {
    switch self {
    case .grey: "GREY"
    case .nv12: "NV12"
    case .yuyv: "YUYV"
    case .mjpeg: "MJPG"
    }
  }

  /// The name as a number, its first character lowest.
  var code: UInt32 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

  init?(code: UInt32) {
    guard let format = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = format
  }

  /// What can be shown of a number.
  static func name(_ code: UInt32) -> String {
    String(
      (0..<4).map { index in
        let value = UInt8(truncatingIfNeeded: code >> (8 * UInt32(index)))
        return (0x20...0x7E).contains(value) ? Character(Unicode.Scalar(value)) : "?"
      })
  }
}
