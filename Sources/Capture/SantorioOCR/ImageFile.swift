// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  package import DigitReader
  import Foundation
  package import SantorioImages

  extension GrayImage {
    /// The brightness of a PNG or a JPEG.
    ///
    /// - Throws: ``ImageFileError``; the error of the file system.
    package init(contentsOf path: String) throws {
      let decoded = try DecodedImage([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
      try self.init(width: decoded.width, height: decoded.height, pixels: decoded.pixels)
    }
  }
#endif
