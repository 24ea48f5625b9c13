// SPDX-License-Identifier: Apache-2.0

import CLibzip
import Glibc

/// A zip archive that is open for reading.
@safe struct ZipArchive: ~Copyable {
  private let archive: OpaquePointer

  /// Whether a file that begins so is a zip archive.
  static func isZip(_ beginning: [UInt8]) -> Bool {
    beginning == [0x50, 0x4B, 0x03, 0x04] || beginning == [0x50, 0x4B, 0x05, 0x06]
  }

  init(_ path: String) throws(ExportArchiveError) {
    var code: Int32 = 0
    guard let archive = unsafe zip_open(path, ZIP_RDONLY, &code) else {
      var error = unsafe zip_error_t()
      unsafe zip_error_init_with_code(&error, code)
      defer { unsafe zip_error_fini(&error) }
      throw unsafe Self.failure(&error, at: nil)
    }
    unsafe self.archive = archive
  }

  deinit { unsafe zip_discard(archive) }

  func contents() throws(ExportArchiveError) -> Contents {
    var contents = Contents()
    let count = unsafe zip_get_num_entries(archive, 0)
    for index in 0..<UInt64(max(0, count)) {
      var entry = unsafe zip_stat_t()
      guard unsafe zip_stat_index(archive, index, 0, &entry) == 0, let name = unsafe entry.name,
        isFile(index)
      else { continue }
      let text = unsafe String(cString: name)
      contents.otherFiles.note(text)
      guard text.fileExtension == "xml" else { continue }
      contents.candidates += 1
      guard contents.candidates <= Contents.mostCandidates else { continue }
      if unsafe entry.encryption_method != ZIP_EM_NONE {
        contents.isEncrypted = true
      } else if try isDocument(index) {
        let size = unsafe Int(clamping: entry.size)
        contents.documents.append(Contents.Document(name: text, size: size, entry: index))
      }
    }
    return contents.sorted
  }

  /// Whether an entry is neither a folder nor a symbolic link.
  private func isFile(_ index: UInt64) -> Bool {
    var (system, attributes): (UInt8, UInt32) = (0, 0)
    let code = unsafe zip_file_get_external_attributes(archive, index, 0, &system, &attributes)
    guard code == 0, system == UInt8(ZIP_OPSYS_UNIX) else { return true }
    let type = attributes >> 16 & UInt32(S_IFMT)
    return type == UInt32(S_IFREG) || type == 0
  }

  private func isDocument(_ index: UInt64) throws(ExportArchiveError) -> Bool {
    let entry = try unsafe open(index)
    defer { unsafe zip_fclose(entry) }
    let beginning = try unsafe [UInt8](filling: Contents.beginning) {
      memory throws(ExportArchiveError) in
      try unsafe read(entry, into: memory, at: 0)
    }
    return Contents.isDocument(beginning)
  }

  /// Opens an entry, which `zip_fclose` closes.
  func open(_ index: UInt64) throws(ExportArchiveError) -> OpaquePointer {
    guard let entry = unsafe zip_fopen_index(archive, index, 0) else {
      throw unsafe Self.failure(zip_get_error(archive), at: nil)
    }
    return unsafe entry
  }

  /// Reads from an entry until the memory is full or the entry ends; returns how much was read.
  func read(
    _ entry: OpaquePointer, into memory: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(ExportArchiveError) -> Int {
    var count = 0
    while count < memory.count, let start = memory.baseAddress {
      let read = unsafe zip_fread(entry, start + count, UInt64(memory.count - count))
      guard read >= 0 else {
        throw unsafe Self.failure(zip_file_get_error(entry), at: offset + count)
      }
      if read == 0 { break }
      count += Int(read)
    }
    return count
  }

  private static func failure(
    _ error: UnsafeMutablePointer<zip_error_t>, at offset: Int?
  ) -> ExportArchiveError {
    let code = unsafe zip_error_code_zip(error)
    if code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_SEEK {
      let number = unsafe zip_error_code_system(error)
      if number != 0 { return .system(number) }
    }
    let text = unsafe String(cString: zip_error_strerror(error))
    return switch code {
    case ZIP_ER_NOPASSWD, ZIP_ER_ENCRNOTSUPP, ZIP_ER_WRONGPASSWD: .encrypted
    case ZIP_ER_COMPNOTSUPP:
      ExportArchiveError(
        .unsupportedCompression,
        "The zip archive has an unusual compression (\(text)). Unpack it, and choose the folder.")
    case ZIP_ER_MEMORY: .system(ENOMEM)
    default: .damaged(text, at: offset)
    }
  }
}
