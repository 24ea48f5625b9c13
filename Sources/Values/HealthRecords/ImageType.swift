// SPDX-License-Identifier: Apache-2.0

/// The types of image that a session and the server accept.
package enum ImageType: String, CaseIterable, Sendable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case heic = "image/heic"

  /// The usual file name extension.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .heic: "heic"
    }
  }

  /// Detects the type from the first bytes; nil when it is none of these.
  ///
  /// - Parameter bytes: The image, or its first 1,024 bytes.
  package init?(of bytes: [UInt8]) {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if Self.brands(of: bytes).contains(where: Self.heicBrands.contains) {
      self = .heic
    } else {
      return nil
    }
  }

  // ISO/IEC 23008-12, annex B.4: the brands coded with HEVC; `mif1` alone does not imply a coding.
  private static let heicBrands: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx"]

  /// The brands in the first box of an ISO base media file (ISO/IEC 14496-12, 4.3).
  ///
  ///     00 00 00 18  66 74 79 70  68 65 69 63  00 00 00 00  6d 69 66 31  68 65 69 63
  ///     SIZE         f  t  y  p   MAJOR        VERSION      COMPATIBLE …
  private static func brands(of bytes: [UInt8]) -> [String] {
    guard bytes.count >= 16, bytes[4..<8].elementsEqual("ftyp".utf8) else { return [] }
    let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(size, bytes.count, 1_024)
    let places = [8] + stride(from: 16, to: end, by: 4)
    return places.filter { $0 + 4 <= end }.map {
      String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
    }
  }
}
