// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why an Apple Health export cannot be opened or read.
package struct ExportArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// There is no such file or folder.
    case notFound
    /// The system does not let this process read it, or reading failed.
    case notReadable
    /// It holds no document of an Apple Health export.
    case noDocument
    /// The zip archive is cut off or changed.
    case damaged
    /// The document in the zip archive needs a password.
    case encrypted
    /// The zip archive is compressed in a way that is not known here.
    case unsupportedCompression
    /// The document ends before the place at which to continue.
    case tooShort
  }

  package let code: Code
  /// What is wrong and what to do; it names no file.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}

extension ExportArchiveError {
  static let encrypted = Self(
    .encrypted,
    "The zip archive needs a password. Unpack it, and choose the folder or its export.xml.")

  static func system(_ number: Int32) -> Self {
    let text = unsafe String(cString: strerror(number))
    return switch number {
    case ENOENT, ENOTDIR: Self(.notFound, "There is no such file or folder.")
    case EACCES, EPERM:
      Self(.notReadable, "The export may not be read (\(text)). Check its permissions.")
    default: Self(.notReadable, "The export cannot be read: \(text).")
    }
  }

  static func noDocument(in place: String, candidates: Int) -> Self {
    let found =
      candidates == 0 ? "no XML file" : "no XML file that begins as one (\(candidates) looked at)"
    return Self(
      .noDocument,
      """
      The \(place) holds no document of an Apple Health export: \(found). Choose the export.zip \
      that the Health app has made, the folder unpacked from it, or its export.xml.
      """)
  }

  static let special = Self(
    .notReadable, "The export is neither a file nor a folder. Choose export.zip or export.xml.")

  static func damaged(_ detail: String, at offset: Int? = nil) -> Self {
    let place = offset.map { " after \($0) bytes of the document" } ?? ""
    return Self(
      .damaged, "The zip archive is cut off or damaged\(place) (\(detail)). Copy it once more.")
  }

  static func tooShort(_ size: Int, _ offset: Int) -> Self {
    Self(
      .tooShort,
      """
      The document ends at byte \(size), before byte \(offset), at which reading was to continue. \
      It is not the same export: start over.
      """)
  }
}
