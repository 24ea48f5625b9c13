// SPDX-License-Identifier: Apache-2.0

import AppleHealthArchive
import AppleHealthExport
package import HealthKit
import SantorioCryptography

extension HealthImport {
  /// Imports the export in a zip file, in a folder or in an XML file.
  ///
  /// - Parameters:
  ///   - path: The file or the folder.
  ///   - system: The store.
  ///   - progress: Is called after each commit; its error ends the import, which can be continued.
  /// - Returns: What was found and what became of it.
  /// - Throws: ``ExportArchiveError`` if the file cannot be read, ``HealthExportError`` if it is no
  ///   export, and the store's errors.
  package static func run(
    _ path: String, into system: HealthSystem, progress: @escaping (ImportProgress) throws -> Void
  ) throws -> ImportReport {
    let archive = try HealthExportArchive(path: path)
    let healthImport = try HealthImport(
      into: system, document: identity(of: archive), totalBytes: archive.documentSize,
      progress: progress)
    var document = try archive.open(at: healthImport.offset)
    while try document.readBlock() {
      try unsafe document.withBlock { (bytes: UnsafeRawBufferPointer) throws in
        try unsafe healthImport.feed(bytes)
      }
    }
    var report = try healthImport.finish(files: archive.otherFiles.counts)
    report.otherDocuments = archive.otherDocuments
    return report
  }

  /// The date of an export stands at its beginning: with the size it tells exports from each other.
  ///
  /// - Throws: What opening throws, and ``HealthExportError`` if there is no export: then no store
  ///   was made for it.
  private static func identity(of archive: HealthExportArchive) throws -> String {
    var document = try archive.open()
    var reader = HealthExportReader(handler: Beginning())
    var digest: String?
    while !reader.isBegun, try document.readBlock() {
      try unsafe document.withBlock { (bytes: UnsafeRawBufferPointer) throws in
        if digest == nil { digest = unsafe SHA256Digest.hex(Array(bytes.prefix(64 << 10))) }
        var place = 0
        while !reader.isBegun, place < bytes.count {
          let end = min(place + 4096, bytes.count)
          try unsafe reader.feed(UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
          place = end
        }
      }
    }
    if !reader.isBegun { try reader.finish() }
    return "\(archive.documentSize) bytes, \(digest ?? "")"
  }

  /// Takes nothing of what is at the beginning of a document.
  private struct Beginning: HealthExportHandler {
    mutating func received(_ record: ExportedRecord, strings: InternedStrings) {}
  }
}

extension HealthExportArchive.OtherFiles {
  /// How many there are, by kind.
  fileprivate var counts: [String: Int] {
    [
      "files of electrocardiograms": electrocardiograms.count,
      "files of workout routes": routes.count,
      "files of clinical records": clinicalRecords.count,
    ]
  }
}
