// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An Apple Health export on disk: the archive, the folder unpacked from it, or the document alone.
///
/// Nothing is unpacked to disk. The document is found by its content, since its name depends on the
/// phone's language; when there are several, the largest is taken, and the others are named.
package struct HealthExportArchive: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case zip, folder, document
  }

  package let form: Form
  /// The name of the document in the archive or the folder, with the folders above it.
  package let documentName: String
  /// The size of the document in bytes, for a progress bar; an archive may state a wrong one.
  package let documentSize: Int
  /// The names of documents of other exports in the archive or the folder, in order.
  package let otherDocuments: [String]
  /// Other files of the export, which are not read.
  package let otherFiles: OtherFiles
  let path: String
  /// The place of the document in a zip archive.
  let entry: UInt64

  /// The names of files that belong to an export but are not read, in order.
  package struct OtherFiles: Hashable, Sendable {
    /// `ecg_*.csv`.
    package var electrocardiograms: [String] = []
    /// `route_*.gpx`.
    package var routes: [String] = []
    /// Files of clinical records, `*.json`.
    package var clinicalRecords: [String] = []

    mutating func note(_ name: String) {
      switch name.fileExtension {
      case "csv": electrocardiograms.append(name)
      case "gpx": routes.append(name)
      case "json": clinicalRecords.append(name)
      default: break
      }
    }

    mutating func sort() {
      electrocardiograms.sort()
      routes.sort()
      clinicalRecords.sort()
    }
  }

  /// Looks for the document.
  ///
  /// - Parameter path: A zip archive, a folder or a document; a symbolic link is followed.
  /// - Throws: ``ExportArchiveError``.
  package init(path: String) throws(ExportArchiveError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .system(errno) }
    let contents: Contents
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      form = .folder
      contents = try FolderContents.read(path)
    case S_IFREG:
      let file = try OpenFile(path)
      if try ZipArchive.isZip(file.beginning(4)) {
        form = .zip
        contents = try ZipArchive(path).contents()
      } else {
        form = .document
        let name = path.split(separator: "/").last.map(String.init) ?? path
        contents = Contents(documents: [Contents.Document(name: name, size: Int(status.st_size))])
      }
    default: throw .special
    }
    guard let document = contents.largest else {
      if contents.isEncrypted { throw .encrypted }
      let place = form == .zip ? "zip archive" : "folder"
      throw .noDocument(in: place, candidates: contents.candidates)
    }
    (documentName, documentSize, entry) = (document.name, document.size, document.entry)
    otherDocuments = contents.documents.map(\.name).filter { $0 != document.name }.sorted()
    otherFiles = contents.otherFiles
    self.path = path
  }

  /// Opens the document at an offset; in a zip archive what is before it is expanded and dropped.
  package func open(at offset: Int = 0) throws(ExportArchiveError) -> HealthExportDocument {
    switch form {
    case .zip: try .open(ZipArchive(path), entry, documentSize, at: offset)
    case .folder: try .open(OpenFile(path + "/" + documentName, isInside: true), at: offset)
    case .document: try .open(OpenFile(path), at: offset)
    }
  }
}

/// What was found in an archive or a folder.
struct Contents {
  struct Document {
    var name: String
    var size: Int
    var entry: UInt64 = 0
  }

  /// How much of a file is looked at for the beginning of a document.
  static let beginning = 64 << 10
  /// How many XML files are looked at.
  static let mostCandidates = 1000

  var documents: [Document] = []
  var otherFiles = HealthExportArchive.OtherFiles()
  /// How many XML files there are.
  var candidates = 0
  /// Whether one of them needs a password.
  var isEncrypted = false

  var largest: Document? {
    documents.max { ($0.size, $1.name) < ($1.size, $0.name) }
  }

  /// Whether the beginning of a file is that of an export's document.
  ///
  /// One that was converted to UTF-16 is one, too: its reader says what is wrong with it.
  static func isDocument(_ beginning: [UInt8]) -> Bool {
    let letters = beginning.filter { $0 != 0 }
    return letters.contains("<HealthData") || letters.contains("<!DOCTYPE HealthData")
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard count >= text.count else { return false }
    return (0...count - text.count).contains { self[$0...].starts(with: text) }
  }
}

extension String {
  /// What follows the last dot of a file's name, in lower case.
  var fileExtension: String {
    guard let dot = lastIndex(of: "."), !self[dot...].contains("/") else { return "" }
    return self[index(after: dot)...].lowercased()
  }
}
