// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG

extension DecodedImage {
  static func jpeg(_ bytes: [UInt8]) throws(ImageFileError) -> DecodedImage {
    guard let decoder = unsafe tjInitDecompress() else { throw .damaged("no memory") }
    defer { unsafe tjDestroy(decoder) }
    func reason() -> ImageFileError { .damaged(unsafe String(cString: tjGetErrorStr2(decoder))) }
    var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      unsafe tjDecompressHeader3(
        decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &colors) == 0
    else { throw reason() }
    try check(Int(width), Int(height))
    var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height))
    // A file of many scans would take hours; one that ends early is an error, and no gray half.
    let flags = TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING
    guard
      unsafe tjDecompress2(
        decoder, bytes, UInt(bytes.count), &pixels, width, width, height,
        Int32(TJPF_GRAY.rawValue), flags) == 0
    else { throw reason() }
    return DecodedImage(Int(width), Int(height), pixels)
  }
}
