// SPDX-License-Identifier: Apache-2.0

/// An image of brightness alone: eight bits a pixel, 0 is black and 255 white, row by row from the top.
public struct GrayImage: Hashable, Sendable {
  /// The number of columns; at least 1.
  public let width: Int
  /// The number of rows; at least 1.
  public let height: Int
  /// The pixels, `width * height` of them.
  public private(set) var pixels: [UInt8]

  /// The most pixels of an image: 64 millions, more than cameras of phones take.
  public static let mostPixels = 1 << 26

  /// An image of one brightness.
  ///
  /// - Throws: ``ImageError`` if it would have no pixel, or more than ``mostPixels``.
  public init(width: Int, height: Int, filledWith value: UInt8 = 0) throws(ImageError) {
    try Self.check(width, height)
    (self.width, self.height) = (width, height)
    pixels = [UInt8](repeating: value, count: width * height)
  }

  /// An image of pixels.
  ///
  /// - Throws: ``ImageError`` if there are not `width * height` pixels, none, or more than
  ///   ``mostPixels``.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(ImageError) {
    try Self.check(width, height)
    guard pixels.count == width * height else {
      throw .wrongCount(width: width, height: height, pixels: pixels.count)
    }
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// An image of pixels whose number is known to be right.
  init(unchecked width: Int, _ height: Int, _ pixels: [UInt8]) {
    precondition(width > 0 && height > 0 && pixels.count == width * height)
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  private static func check(_ width: Int, _ height: Int) throws(ImageError) {
    guard width > 0, height > 0, width <= mostPixels, height <= mostPixels / width else {
      throw .wrongSize(width: width, height: height)
    }
  }

  /// The brightness at a place in the image.
  public subscript(x: Int, y: Int) -> UInt8 {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }
}

/// Why an image cannot be made.
public enum ImageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It would have no pixels, or too many.
  case wrongSize(width: Int, height: Int)
  /// The number of pixels is not that of the size.
  case wrongCount(width: Int, height: Int, pixels: Int)

  /// What is wrong, in English.
  public var description: String {
    switch self {
    case .wrongSize(let width, let height):
      "An image of \(width) × \(height) pixels cannot be made: it has at least one pixel and at most "
        + "\(GrayImage.mostPixels)."
    case .wrongCount(let width, let height, let pixels):
      "An image of \(width) × \(height) pixels has \(width * height) of them, not \(pixels)."
    }
  }
}
