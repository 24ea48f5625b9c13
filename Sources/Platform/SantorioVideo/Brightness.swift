// SPDX-License-Identifier: Apache-2.0

/// The brightness that is meant by values of video.
enum Brightness {
  /// Black is 16 and white 235 in values of limited range (ITU-R BT.601); others are clipped.
  private static let stretched: [UInt8] = (0...255).map { value in
    UInt8(clamping: ((value - 16) * 255 + (value < 16 ? -109 : 109)) / 219)
  }

  /// Stretches values of limited range to all of 0 to 255.
  static func stretch(_ values: inout [UInt8]) {
    for index in values.indices { values[index] = stretched[Int(values[index])] }
  }
}
