// SPDX-License-Identifier: Apache-2.0

import SantorioImages

/// The first line of YUV4MPEG2 (mjpegtools, yuv4mpeg(5)): `YUV4MPEG2 W640 H480 F30:1 Ip C420jpeg`.
struct Y4MHeader: Hashable {
  private(set) var width = 0
  private(set) var height = 0
  /// Nil where the file does not say it.
  private(set) var rate: FrameRate?
  private(set) var isFullRange = false
  /// The number of color values behind the brightness of each frame.
  private(set) var colorCount = 0

  static let magic = Array("YUV4MPEG2".utf8)
  /// The most bytes of a line.
  static let mostBytes = 4_096

  /// Reads the line without its end.
  init(line: [UInt8]) throws(VideoError) {
    let fields = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    guard line.starts(with: Self.magic), fields.first == "YUV4MPEG2" else {
      throw .wrongHeader("its first line does not begin with YUV4MPEG2")
    }
    // A file that does not name its chroma has that of the first version of the format.
    var chroma = "420"
    for field in fields.dropFirst() {
      let value = field.dropFirst()
      switch field.first {
      case "W": width = try Self.side("width", value)
      case "H": height = try Self.side("height", value)
      case "F": rate = try Self.rate(value)
      case "I": if ["t", "b", "m"].contains(value) { throw .interlaced }
      case "C": chroma = String(value)
      case "X": if field == "XCOLORRANGE=FULL" { isFullRange = true }
      default: break
      }
    }
    guard width > 0, height > 0 else { throw .wrongHeader("it does not say the size") }
    guard width <= DecodedImage.mostPixels / height else {
      throw .wrongSize(width: width, height: height)
    }
    colorCount = try Self.colorCount(chroma, width, height)
  }

  private static func side(_ name: String, _ text: Substring) throws(VideoError) -> Int {
    guard let value = Digits.number(text), value > 0 else {
      throw .wrongHeader("the \(name) is \(printable(text))")
    }
    return value
  }

  /// 0:0 means that the rate is not known.
  private static func rate(_ text: Substring) throws(VideoError) -> FrameRate? {
    if text == "0:0" { return nil }
    guard let rate = FrameRate(text) else {
      throw .wrongHeader("the rate of frames is \(printable(text))")
    }
    return rate
  }

  private static func colorCount(
    _ chroma: String, _ width: Int, _ height: Int
  ) throws(VideoError) -> Int {
    switch chroma {
    // The variants of 4:2:0 differ in where the color is measured.
    case "420", "420jpeg", "420mpeg2", "420paldv":
      2 * ((width + 1) / 2) * ((height + 1) / 2)
    case "411": 2 * ((width + 3) / 4) * height
    case "422": 2 * ((width + 1) / 2) * height
    case "444": 2 * width * height
    case "444alpha": 3 * width * height
    case "mono": 0
    default: throw .otherPixels(printable("C" + chroma))
    }
  }

  /// What can be shown of a text from outside.
  static func printable(_ text: some StringProtocol) -> String {
    "\""
      + String(
        text.unicodeScalars.prefix(24).map { $0.isASCII && $0.value > 0x20 ? Character($0) : "?" })
      + "\""
  }
}
