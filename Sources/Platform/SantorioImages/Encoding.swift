// SPDX-License-Identifier: Apache-2.0

import CPNG
import CTurboJPEG

extension DecodedImage {
  /// A PNG of pixels in colour.
  ///
  /// - Parameters:
  ///   - width: Columns.
  ///   - height: Rows.
  ///   - rgb: Red, green and blue of each pixel, row by row.
  /// - Returns: The file.
  /// - Throws: ``ImageFileError``.
  package static func png(
    width: Int, height: Int, rgb: [UInt8]
  ) throws(ImageFileError) -> [UInt8] {
    try check(width, height)
    precondition(rgb.count == 3 * width * height)
    var image = unsafe png_image()
    unsafe image.version = UInt32(PNG_IMAGE_VERSION)
    unsafe image.width = UInt32(width)
    unsafe image.height = UInt32(height)
    unsafe image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
    defer { unsafe png_image_free(&image) }
    // First how long the file is, then the file.
    var size = 0
    guard unsafe png_image_write_to_memory(&image, nil, &size, 0, rgb, 0, nil) != 0 else {
      throw .damaged(unsafe message(image))
    }
    var file = [UInt8](repeating: 0, count: size)
    guard unsafe png_image_write_to_memory(&image, &file, &size, 0, rgb, 0, nil) != 0 else {
      throw .damaged(unsafe message(image))
    }
    return Array(file.prefix(size))
  }

  /// A JPEG of the brightness of pixels.
  ///
  /// - Parameters:
  ///   - width: Columns.
  ///   - height: Rows.
  ///   - pixels: The brightness, row by row.
  ///   - quality: From 1 to 100.
  /// - Returns: The file.
  /// - Throws: ``ImageFileError``.
  package static func jpeg(
    width: Int, height: Int, pixels: [UInt8], quality: Int = 90
  ) throws(ImageFileError) -> [UInt8] {
    try check(width, height)
    precondition(pixels.count == width * height)
    guard let encoder = unsafe tjInitCompress() else { throw .damaged("no memory") }
    defer { unsafe tjDestroy(encoder) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { unsafe tjFree(buffer) }
    let status = unsafe tjCompress2(
      encoder, pixels, Int32(width), Int32(width), Int32(height), Int32(TJPF_GRAY.rawValue),
      &buffer, &size, Int32(TJSAMP_GRAY.rawValue), Int32(quality), 0)
    guard status == 0, let buffer = unsafe buffer else {
      throw .damaged(unsafe String(cString: tjGetErrorStr2(encoder)))
    }
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }
}
