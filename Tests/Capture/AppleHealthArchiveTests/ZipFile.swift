// SPDX-License-Identifier: Apache-2.0

import SantorioCompression

/// Writes zip archives byte by byte, those that are not as they should be, too (APPNOTE 6.3).
struct ZipFile {
  struct Entry {
    var name: String
    var content: [UInt8]
    var isCompressed = true
    /// Whether the sizes stand after the content and in the directory only.
    var hasDescriptor = false
    /// Whether the directory has the sizes in a ZIP64 field.
    var is64 = false
    var isEncrypted = false
    /// The file's mode, if a Unix system made the archive.
    var mode: UInt16?
    /// The number of the compression method, if it is not that of the content.
    var method: UInt16?
  }

  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count: UInt16 = 0

  static func bytes(_ entries: [Entry]) -> [UInt8] {
    var file = Self()
    for entry in entries { file.append(entry) }
    let start = UInt32(file.bytes.count)
    file.bytes += file.directory
    file.bytes += [0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0] + Self.little(file.count)
    file.bytes += Self.little(file.count) + Self.little(UInt32(file.directory.count))
    return file.bytes + Self.little(start) + [0, 0]
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe Array($0) }
  }

  private mutating func append(_ entry: Entry) {
    let packed = Gzip.compress(entry.content) ?? []
    // A gzip header has 10 bytes; the sum and the size are its last 8.
    let data = entry.isCompressed ? Array(packed.dropFirst(10).dropLast(8)) : entry.content
    let sum = Array(packed.suffix(8).prefix(4))
    let (size, packedSize) = (UInt32(entry.content.count), UInt32(data.count))
    let name = Array(entry.name.utf8)
    let flags: UInt16 = 1 << 11 | (entry.hasDescriptor ? 1 << 3 : 0) | (entry.isEncrypted ? 1 : 0)
    let method = entry.method ?? (entry.isCompressed ? 8 : 0)
    let start = UInt32(bytes.count)
    let common = Self.little(flags) + Self.little(method) + Self.little(UInt32(0x5421_0000))
    let sums = sum + Self.little(packedSize) + Self.little(size)
    bytes += [0x50, 0x4B, 0x03, 0x04, 45, 0] + common
    bytes += entry.hasDescriptor ? [UInt8](repeating: 0, count: 12) : sums
    bytes += Self.little(UInt16(name.count)) + [0, 0] + name + data
    if entry.hasDescriptor { bytes += [0x50, 0x4B, 0x07, 0x08] + sums }

    let extra =
      entry.is64
      ? [1, 0, 16, 0] + Self.little(UInt64(size)) + Self.little(UInt64(packedSize)) : []
    directory += [0x50, 0x4B, 0x01, 0x02, 45, entry.mode == nil ? 0 : 3, 45, 0] + common
    directory += entry.is64 ? sum + [UInt8](repeating: 0xFF, count: 8) : sums
    directory += Self.little(UInt16(name.count)) + Self.little(UInt16(extra.count))
    directory += [0, 0, 0, 0, 0, 0] + Self.little(UInt32(entry.mode ?? 0) << 16)
    directory += Self.little(start) + name + extra
    count += 1
  }
}
