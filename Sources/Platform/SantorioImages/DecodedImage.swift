// SPDX-License-Identifier: Apache-2.0

/// The brightness of an image file's pixels, upright.
package struct DecodedImage: Hashable, Sendable {
  /// Columns and rows after the image was turned as the file says.
  package let width: Int
  package let height: Int
  /// 0 is black and 255 white, row by row from the top.
  package let pixels: [UInt8]

  /// The most pixels: 64 millions, more than cameras of phones take.
  package static let mostPixels = 1 << 26

  /// Decodes a PNG or a JPEG; transparent parts are white, and the orientation of Exif is followed.
  ///
  /// - Throws: ``ImageFileError``.
  package init(_ bytes: [UInt8]) throws(ImageFileError) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = try .png(bytes)
    } else if bytes.starts(with: [0xFF, 0xD8]) {
      self = try .jpeg(bytes).turned(ExifOrientation(jpeg: bytes))
    } else {
      throw .otherFormat
    }
  }

  init(_ width: Int, _ height: Int, _ pixels: [UInt8]) {
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// Whether an image of a size is to be decoded.
  static func check(_ width: Int, _ height: Int) throws(ImageFileError) {
    guard width > 0, height > 0, width <= mostPixels / height else {
      throw .wrongSize(width: width, height: height)
    }
  }
}

/// Why an image file cannot be read.
package enum ImageFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is neither PNG nor JPEG.
  case otherFormat
  /// It says that it has no pixels, or more than ``DecodedImage/mostPixels``.
  case wrongSize(width: Int, height: Int)
  /// It is cut or damaged; with what the library says.
  case damaged(String)

  /// What is wrong and what to do, in English.
  package var description: String {
    switch self {
    case .otherFormat: "It is neither a PNG nor a JPEG: convert it to one of them."
    case .wrongSize(let width, let height):
      "It is \(width) × \(height) pixels large; at most \(DecodedImage.mostPixels) can be read. "
        + "Make it smaller."
    case .damaged(let reason): "It is cut or damaged: \(reason)"
    }
  }
}
