// SPDX-License-Identifier: Apache-2.0

/// Writes an export: the header, and frames.
///
/// A frame is the number of its bytes, as 4 bytes, most significant first, and the bytes: what
/// ``ExportFrame/encoded()`` gives, encrypted with AES-256-GCM (nonce, ciphertext, tag). With each
/// frame, the header and the frame's place are authenticated.
struct ExportWriter: ~Copyable {
  private let file: ExportDraft
  private let key: ExportKey
  private var count = 0

  init(to path: String, _ key: ExportKey) throws(SessionError) {
    let file = try ExportDraft(for: path)
    try file.write(key.header)
    self.file = file
    self.key = key
  }

  mutating func write(_ item: ExportItem, _ bytes: [UInt8] = []) throws(SessionError) {
    let sealed = try key.seal(ExportFrame(item, bytes).encoded(), number: count)
    try file.write((0..<4).map { UInt8(truncatingIfNeeded: sealed.count >> (24 - 8 * $0)) })
    try file.write(sealed)
    count += 1
  }

  /// Writes the last frame, and puts the file in its place.
  ///
  /// - Parameter isReplacing: Whether it takes the place of another file.
  /// - Throws: ``SessionError``; then there is no new file.
  consuming func finish(replacing isReplacing: Bool = true) throws(SessionError) {
    try write(.end)
    try file.commit(replacing: isReplacing)
  }
}
