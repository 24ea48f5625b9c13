// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// An export that was opened for reading.
final class ExportSource: Sendable {
  let name: String
  private let descriptor: Int32

  /// - Throws: ``SessionError``, of code `storageFailed` for what is not a file.
  init(_ url: URL) throws(SessionError) {
    name = url.lastPathComponent
    // A pipe without a writer would be waited for.
    let descriptor = unsafe open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SessionError(errno: errno, "open", url.path) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SessionError(
        .storageFailed, "\(name) is a folder, a pipe or a device; an export is a file")
    }
    // Last: from here on, the deinitializer closes it, also where an error is thrown.
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The bytes at a place; fewer at the end of the file.
  func read(_ count: Int, at place: Int) throws(SessionError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe pread(descriptor, start + done, count - done, off_t(place + done))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw SessionError(errno: errno, "read", name) }
      guard got > 0 else { break }
      done += got
    }
    return Array(bytes.prefix(done))
  }

  /// The key of the export; takes some tenths of a second.
  func key(of passphrase: String) throws(SessionError) -> ExportKey {
    try ExportKey(header: read(ExportKey.headerSize, at: 0), passphrase: passphrase)
  }
}

/// Reads an export, one frame at a time.
struct ExportReader: Sendable {
  /// The largest image, with what describes it.
  private static let longestFrame = ImageFiles.maximumSize + 1 << 20

  private let source: ExportSource
  private let key: ExportKey
  /// Whether frames that cannot be read are left out.
  private let skipsDamage: Bool
  private var place = ExportKey.headerSize
  private var count = 0
  /// How many frames could not be read.
  private(set) var damagedCount = 0
  /// Whether the file ends before the last frame.
  private(set) var endsEarly = false

  init(_ source: ExportSource, _ key: ExportKey, skippingDamage skipsDamage: Bool = false) {
    self.source = source
    self.key = key
    self.skipsDamage = skipsDamage
  }

  /// The next frame; nil after the last one.
  ///
  /// - Throws: ``SessionError``, of code `exportDamaged`, or `wrongPassphrase` for the first frame.
  mutating func next() throws(SessionError) -> ExportFrame? {
    while true {
      guard let sealed = try nextBytes() else { return try earlyEnd() }
      let number = count
      count += 1
      if let opened = key.open(sealed, number: number), let frame = ExportFrame(encoded: opened) {
        return frame.item == .end ? nil : frame
      }
      // Without the first one it is not known whose records these are.
      guard skipsDamage, number > 0 else { throw Self.damaged(number) }
      damagedCount += 1
    }
  }

  /// The encrypted bytes of the next frame; nil when the file ends, or there is no telling where they
  /// end.
  private mutating func nextBytes() throws(SessionError) -> [UInt8]? {
    let length = try source.read(4, at: place)
    guard length.count == 4 else { return nil }
    let size = length.reduce(0) { $0 << 8 | Int($1) }
    guard size <= Self.longestFrame else {
      if skipsDamage, count > 0 { return nil }
      throw Self.damaged(count)
    }
    let sealed = try source.read(size, at: place + 4)
    guard sealed.count == size else { return nil }
    place += 4 + size
    return sealed
  }

  private mutating func earlyEnd() throws(SessionError) -> ExportFrame? {
    guard skipsDamage, count > 0 else { throw SessionError.exportEnds }
    endsEarly = true
    return nil
  }

  private static func damaged(_ number: Int) -> SessionError {
    number == 0
      ? SessionError(
        .wrongPassphrase,
        "the passphrase is not that of this export, or the beginning of the file is damaged")
      : SessionError(
        .exportDamaged,
        "part \(number + 1) of the export is damaged; copy it again, "
          + "or import what can be read with allowingIncomplete")
  }
}
