// SPDX-License-Identifier: Apache-2.0

/// A text of the Device Information Service (2A24...2A29), such as the serial number.
///
/// By definition the text has no terminator, but many devices fill the value up with NULs or
/// blanks. So it ends at the first NUL; ``trimmedText`` has no white space around it either. A
/// value that is not UTF-8 up to there is refused and not repaired: serial numbers identify
/// devices, and two repaired ones could become the same.
///
/// ```
/// // 312E322E33 00 0000
/// // TEXT UTF-8 NUL ignored
/// ```
///
/// Source: Device Information Service 1.1; GATT Specification Supplement, Serial Number String and
/// the like.
public struct DeviceInformationString: CharacteristicValue {
  /// The text, up to the first NUL.
  public let text: String

  /// Creates the value for a text, cut as a received one.
  public init(_ text: String) {
    self.text = String(Substring(text.unicodeScalars.prefix { $0 != "\0" }))
  }

  /// Reads to the end of the payload.
  ///
  /// - Throws: `invalidText` with the offset of the first byte that is not UTF-8.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    var offset = reader.offset
    var source = reader.remainingBytes().prefix { $0 != 0 }.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var scalars = String.UnicodeScalarView()
    var result = parser.parseScalar(from: &source)
    while case .valid(let scalar) = result {
      scalars.append(Unicode.UTF8.decode(scalar))
      offset += scalar.count
      result = parser.parseScalar(from: &source)
    }
    guard case .emptyInput = result else {
      throw PayloadError(
        .invalidText, field: "String", offset: offset,
        message: "The text is not UTF-8. Take it as absent.")
    }
    text = String(scalars)
  }

  /// Writes the text in UTF-8, without a terminator.
  public func encode(to writer: inout PayloadWriter) {
    writer.append(text.utf8)
  }

  /// The text without the white space around it.
  public var trimmedText: String {
    let head = text.unicodeScalars.drop { $0.properties.isWhitespace }
    guard let last = head.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(Substring(head[...last]))
  }
}
