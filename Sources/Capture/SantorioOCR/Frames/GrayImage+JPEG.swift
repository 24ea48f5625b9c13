// SPDX-License-Identifier: Apache-2.0

public import DigitReader
public import Foundation

#if canImport(ImageIO)
  import CoreGraphics
  import ImageIO
#else
  import SantorioImages
#endif

extension GrayImage {
  /// The image as a JPEG, to be submitted with a record.
  ///
  /// - Returns: The file.
  /// - Throws: ``ImageEncodingError``.
  public func jpeg() throws(ImageEncodingError) -> Data {
    #if canImport(ImageIO)
      let file = NSMutableData()
      guard let provider = CGDataProvider(data: Data(pixels) as CFData),
        let image = CGImage(
          width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 8, bytesPerRow: width,
          space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGBitmapInfo(rawValue: 0),
          provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent),
        let target = CGImageDestinationCreateWithData(file, "public.jpeg" as CFString, 1, nil)
      else { throw ImageEncodingError() }
      CGImageDestinationAddImage(target, image, nil)
      guard CGImageDestinationFinalize(target) else { throw ImageEncodingError() }
      return file as Data
    #else
      do throws(ImageFileError) {
        return Data(try DecodedImage.jpeg(width: width, height: height, pixels: pixels))
      } catch {
        throw ImageEncodingError()
      }
    #endif
  }
}

/// An image that cannot be made a JPEG: there is not enough memory, or a side has more than 65,500 pixels.
public struct ImageEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in English.
  public var description: String {
    "The image cannot be made a JPEG: it is too large, or there is not enough memory."
  }
}
