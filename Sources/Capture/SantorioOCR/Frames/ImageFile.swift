// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  package import DigitReader
  package import Foundation
  import SantorioImages

  /// A PNG or a JPEG.
  package struct ImageFile: Sendable {
    /// The brightness of its pixels, upright.
    package let image: GrayImage
    /// The file as it is.
    package let bytes: [UInt8]
    /// When the photo was taken, as it says itself; else when the file was changed last.
    package let date: Date
    /// Whether the photo says it itself.
    package let isDated: Bool
    /// Where it was taken, as far as it says it.
    package let timeZone: TimeZone

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - timeZone: That of a photo that says a time without one.
    /// - Throws: ``ImageFileError``, or ``UnreadableFile``.
    package init(_ path: String, timeZone: TimeZone = .current) throws {
      bytes = try UnreadableFile.bytes(of: path)
      let decoded = try DecodedImage(bytes)
      image = try GrayImage(width: decoded.width, height: decoded.height, pixels: decoded.pixels)
      let time = PhotoTime(jpeg: bytes)
      let zone = time?.utcOffsetSeconds.flatMap(TimeZone.init(secondsFromGMT:)) ?? timeZone
      let taken = time.flatMap { Self.date($0, zone) }
      (date, isDated) = (taken ?? Self.changed(path) ?? Date(), taken != nil)
      self.timeZone = zone
    }

    private static func date(_ time: PhotoTime, _ timeZone: TimeZone) -> Date? {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = timeZone
      let day = DateComponents(year: time.year, month: time.month, day: time.day)
      guard day.isValidDate(in: calendar) else { return nil }
      return calendar.date(
        from: DateComponents(
          year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
          second: time.second))
    }

    private static func changed(_ path: String) -> Date? {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return attributes?[.modificationDate] as? Date
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
