// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  package import DigitReader
  import Foundation
  import SantorioImages

  extension GrayImage {
    /// The brightness of a PNG or a JPEG.
    ///
    /// - Throws: ``ImageFileError``, or ``UnreadableFile``.
    package init(contentsOf path: String) throws {
      let decoded = try DecodedImage(UnreadableFile.bytes(of: path))
      try self.init(width: decoded.width, height: decoded.height, pixels: decoded.pixels)
    }
  }

  /// A file that cannot be read.
  package struct UnreadableFile: Error, Hashable, CustomStringConvertible {
    /// The system's number of the error.
    package let code: Int32

    /// What is wrong, in the system's words.
    package var description: String {
      "It cannot be read: \(unsafe String(cString: strerror(code)))."
    }

    static func bytes(of path: String) throws(UnreadableFile) -> [UInt8] {
      guard unsafe access(path, R_OK) == 0 else { throw UnreadableFile(code: errno) }
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        isFolder.boolValue
      {
        throw UnreadableFile(code: EISDIR)
      }
      do {
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      } catch {
        throw UnreadableFile(code: EIO)
      }
    }
  }
#endif
