// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads an export, one frame at a time.
struct ExportReader {
  /// The largest image, with what describes it.
  private static let longestFrame = ImageFiles.maximumSize + 1 << 20

  private let file: FileHandle
  private let key: ExportKey
  private var count = 0

  /// - Throws: ``SessionError``.
  init(_ url: URL, _ key: ExportKey) throws(SessionError) {
    file = try Self.open(url)
    self.key = key
    guard try read(ExportKey.headerSize) == key.header else { throw SessionError.exportEnds }
  }

  /// The key of a file; takes some tenths of a second.
  static func key(of url: URL, passphrase: String) throws(SessionError) -> ExportKey {
    let header = try read(ExportKey.headerSize, of: open(url))
    return try ExportKey(header: header, passphrase: passphrase)
  }

  /// The next frame; nil after the last one.
  ///
  /// - Throws: ``SessionError``, of code `exportDamaged`, or `wrongPassphrase` for the first frame.
  mutating func next() throws(SessionError) -> ExportFrame? {
    let length = try read(4)
    guard length.count == 4 else { throw SessionError.exportEnds }
    let size = length.reduce(0) { $0 << 8 | Int($1) }
    guard size <= Self.longestFrame else { throw damaged }
    let sealed = try read(size)
    guard sealed.count == size else { throw SessionError.exportEnds }
    guard let opened = key.open(sealed, number: count), let frame = ExportFrame(encoded: opened)
    else { throw damaged }
    count += 1
    return frame.item == .end ? nil : frame
  }

  /// About the next frame.
  var damaged: SessionError {
    count == 0
      ? SessionError(
        .wrongPassphrase,
        "the passphrase is not that of this export, or the beginning of the file is damaged")
      : SessionError(
        .exportDamaged,
        "the export is damaged after \(count) parts; copy it again, "
          + "or import what precedes the damage with allowingIncomplete")
  }

  private func read(_ size: Int) throws(SessionError) -> [UInt8] {
    try Self.read(size, of: file)
  }

  private static func open(_ url: URL) throws(SessionError) -> FileHandle {
    do {
      return try FileHandle(forReadingFrom: url)
    } catch {
      throw cannotRead(url.lastPathComponent, error)
    }
  }

  private static func read(_ size: Int, of file: FileHandle) throws(SessionError) -> [UInt8] {
    do {
      return Array(try file.read(upToCount: size) ?? Data())
    } catch {
      throw cannotRead("the export", error)
    }
  }

  private static func cannotRead(_ name: String, _ error: any Error) -> SessionError {
    SessionError(
      .storageFailed, "cannot read \(name): \(error.localizedDescription)",
      systemCode: (error as NSError).code)
  }
}
