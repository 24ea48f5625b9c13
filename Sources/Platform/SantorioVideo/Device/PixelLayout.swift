// SPDX-License-Identifier: Apache-2.0

import SantorioImages

/// Where the brightness is in what a device gives for a frame.
struct PixelLayout: Hashable {
  let format: PixelFormat
  let width: Int
  let height: Int
  /// The bytes from a row to the next.
  let bytesPerRow: Int
  /// Whether black is 0 and white 255, and not 16 and 235.
  let isFullRange: Bool

  /// Checks what a driver says; one that says fewer bytes than a row has does not say them.
  ///
  /// - Throws: ``VideoError/wrongSize(width:height:)``.
  init(
    _ format: PixelFormat, width: Int, height: Int, bytesPerRow: Int, isFullRange: Bool
  ) throws(VideoError) {
    guard width > 0, height > 0, width <= DecodedImage.mostPixels / height,
      bytesPerRow <= DecodedImage.mostPixels
    else { throw .wrongSize(width: width, height: height) }
    self.format = format
    (self.width, self.height, self.isFullRange) = (width, height, isFullRange)
    let least = format == .yuyv ? (width + 1) / 2 * 4 : width
    self.bytesPerRow = max(least, bytesPerRow)
  }

  /// The range of a format as V4L2 defines it: named, or by the color space.
  ///
  /// Devices that give brightness alone give what the sensor measures, unless they say otherwise.
  static func isFullRange(_ format: PixelFormat, colorspace: UInt32, quantization: UInt32) -> Bool {
    // V4L2_QUANTIZATION_FULL_RANGE and _LIM_RANGE, V4L2_COLORSPACE_JPEG.
    switch quantization {
    case 1: true
    case 2: false
    default: colorspace == 7 || format == .grey || format == .mjpeg
    }
  }

  /// The brightness, row by row; nil of too few bytes.
  ///
  /// The color behind it need not be there.
  func brightness(of bytes: [UInt8]) -> [UInt8]? {
    let (step, last) = format == .yuyv ? (2, 2 * width - 1) : (1, width)
    guard bytes.count >= (height - 1) * bytesPerRow + last else { return nil }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      let start = row * bytesPerRow
      if step == 1 {
        pixels += bytes[start..<start + width]
      } else {
        for column in 0..<width { pixels.append(bytes[start + step * column]) }
      }
    }
    if !isFullRange { Brightness.stretch(&pixels) }
    return pixels
  }
}
