// SPDX-License-Identifier: Apache-2.0

import CPNG

extension DecodedImage {
  static func png(_ bytes: [UInt8]) throws(ImageFileError) -> DecodedImage {
    let result = unsafe bytes.withUnsafeBytes { source in
      do throws(ImageFileError) {
        return Result<DecodedImage, ImageFileError>.success(try unsafe png(source))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func png(
    _ source: UnsafeRawBufferPointer
  ) throws(ImageFileError) -> DecodedImage {
    var image = unsafe png_image()
    unsafe image.version = UInt32(PNG_IMAGE_VERSION)
    defer { unsafe png_image_free(&image) }
    guard unsafe png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0
    else { throw .damaged(unsafe message(image)) }
    let (width, height) = unsafe (Int(image.width), Int(image.height))
    try check(width, height)
    // Brightness alone, of deep pixels too as of others.
    unsafe image.format = 0
    unsafe image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
    var pixels = [UInt8](repeating: 0, count: width * height)
    var white = png_color(red: 255, green: 255, blue: 255)
    guard unsafe png_image_finish_read(&image, &white, &pixels, Int32(width), nil) != 0 else {
      throw .damaged(unsafe message(image))
    }
    return DecodedImage(width, height, pixels)
  }

  static func message(_ image: png_image) -> String {
    unsafe withUnsafeBytes(of: image.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
