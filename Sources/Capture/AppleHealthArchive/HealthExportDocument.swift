// SPDX-License-Identifier: Apache-2.0

import CLibzip

/// The document of an export, which is read in blocks; its memory is that of one block.
@safe package struct HealthExportDocument: ~Copyable {
  /// How many bytes a block has, the last one excepted.
  package static let blockSize = 1 << 20

  /// The size of the whole document, as far as it is known.
  package let size: Int
  /// How many bytes of the document were read or passed over.
  package private(set) var offset = 0

  private let file: OpenFile?
  private let archive: ZipArchive?
  private let entry: OpaquePointer?
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  private init(
    _ file: consuming OpenFile?, _ archive: consuming ZipArchive?, _ entry: OpaquePointer?,
    _ size: Int, at offset: Int
  ) {
    self.file = file
    self.archive = archive
    unsafe self.entry = unsafe entry
    self.size = size
    self.offset = offset
    unsafe memory = .allocate(byteCount: Self.blockSize, alignment: 4096)
  }

  static func open(
    _ file: consuming OpenFile, at offset: Int
  ) throws(ExportArchiveError) -> HealthExportDocument {
    let size = file.size
    guard (0...size).contains(offset) else { throw .tooShort(size, offset) }
    try file.seek(to: offset)
    return unsafe HealthExportDocument(file, nil, nil, size, at: offset)
  }

  static func open(
    _ archive: consuming ZipArchive, _ index: UInt64, _ size: Int, at offset: Int
  ) throws(ExportArchiveError) -> HealthExportDocument {
    let entry = try unsafe archive.open(index)
    var document = unsafe HealthExportDocument(nil, archive, entry, size, at: 0)
    try document.passOver(offset)
    return document
  }

  deinit {
    if let entry = unsafe entry { unsafe zip_fclose(entry) }
    unsafe memory.deallocate()
  }

  /// Reads the next block, which ``withBlock(_:)`` gives access to; false at the document's end.
  ///
  /// - Throws: ``ExportArchiveError``; the blocks before it were read correctly.
  package mutating func readBlock() throws(ExportArchiveError) -> Bool {
    try read(Self.blockSize)
    return count > 0
  }

  /// Calls a function with the last block.
  package func withBlock<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  private mutating func read(_ length: Int) throws(ExportArchiveError) {
    count = 0
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<length])
    if let entry = unsafe entry {
      count = try unsafe archive?.read(entry, into: target, at: offset) ?? 0
    } else {
      count = try unsafe file?.read(into: target) ?? 0
    }
    offset += count
  }

  private mutating func passOver(_ length: Int) throws(ExportArchiveError) {
    while offset < length {
      try read(min(Self.blockSize, length - offset))
      if count == 0 { throw .tooShort(offset, length) }
    }
    count = 0
  }
}
