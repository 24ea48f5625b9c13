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
    return try healthImport.finish(files: archive.otherFiles.counts)
  }

  /// The date of an export stands at its beginning: with the size it tells exports from each other.
  private static func identity(of archive: HealthExportArchive) throws -> String {
    var document = try archive.open()
    var digest = ""
    if try document.readBlock() {
      digest = unsafe document.withBlock { unsafe SHA256Digest.hex(Array($0)) }
    }
    return "\(archive.documentSize) bytes, \(digest)"
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
