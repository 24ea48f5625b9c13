// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG

extension DecodedImage {
  /// Whether all of a picture is there in spite of a warning.
  ///
  /// The library keeps the first warning only, so the file must have its end.
  private static func isHarmless(_ warning: String, _ bytes: [UInt8]) -> Bool {
    let end = bytes.suffix(64)
    return warning.contains("extraneous bytes before marker")
      && zip(end, end.dropFirst()).contains { $0 == (0xFF, 0xD9) }
  }

  static func jpeg(_ bytes: [UInt8]) throws(ImageFileError) -> DecodedImage {
    guard let decoder = unsafe tjInitDecompress() else { throw .damaged("no memory") }
    defer { unsafe tjDestroy(decoder) }
    func check(_ status: Int32) throws(ImageFileError) {
      guard status != 0 else { return }
      let message = unsafe String(cString: tjGetErrorStr2(decoder))
      guard isHarmless(message, bytes) else { throw .damaged(message) }
    }
    var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    try check(
      unsafe tjDecompressHeader3(
        decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &colors))
    try self.check(Int(width), Int(height))
    var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height))
    // A file of many scans would take hours. One that ends early is an error, and no gray half; cameras
    // that put bytes before a marker give whole pictures.
    try check(
      unsafe tjDecompress2(
        decoder, bytes, UInt(bytes.count), &pixels, width, width, height,
        Int32(TJPF_GRAY.rawValue), TJFLAG_LIMITSCANS))
    return DecodedImage(Int(width), Int(height), pixels)
  }
}
