// SPDX-License-Identifier: Apache-2.0

import AppleHealthArchive
import AppleHealthExport
import Foundation
import Glibc
import TestSupport
import Testing

/// A document of some records, about 200 bytes each.
private func document(records: Int) -> [UInt8] {
  var text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    ]>
    <HealthData locale="zh_CN">
     <ExportDate value="2024-01-01 12:00:00 +0800"/>

    """
  for number in 0..<records {
    text += """
       <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
      startDate="2024-01-01 10:00:00 +0800" endDate="2024-01-01 10:05:00 +0800" value="\(number)"/>

      """
  }
  return Array((text + "</HealthData>\n").utf8)
}

private let clinicalDocument = Array("<?xml version=\"1.0\"?>\n<ClinicalDocument/>\n".utf8)
private let name = "apple_health_export/导出.xml"

/// Sums up the values of the records.
private struct Sum: HealthExportHandler {
  var values = 0.0
  mutating func received(_ record: ExportedRecord, strings: InternedStrings) {
    if case .number(let number) = record.value { values += number }
  }
}

private struct Files {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = folder.path(name)
    try FileManager.default.createDirectory(
      atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]),
      withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  func zip(_ entries: ZipFile.Entry...) throws -> HealthExportArchive {
    try HealthExportArchive(path: write(ZipFile.bytes(entries), "export.zip"))
  }
}

/// Reads all of a document, from an offset on.
private func read(_ archive: HealthExportArchive, at offset: Int = 0) throws -> [UInt8] {
  var document = try archive.open(at: offset)
  #expect(document.offset == offset)
  var bytes: [UInt8] = []
  while try document.readBlock() {
    let block = unsafe document.withBlock { unsafe Array($0) }
    #expect(block.count <= HealthExportDocument.blockSize)
    bytes += block
    #expect(document.offset == offset + bytes.count)
  }
  return bytes
}

private func failure(_ path: String) -> ExportArchiveError? {
  #expect(throws: ExportArchiveError.self) {
    let archive = try HealthExportArchive(path: path)
    _ = try read(archive)
  }
}

@Suite struct `Forms of an export` {
  private let files: Files
  private let bytes = document(records: 13_000)

  init() throws { files = try Files() }

  @Test func `may be a document of any name`() throws {
    let archive = try HealthExportArchive(path: files.write(bytes, "sam.data"))
    #expect(archive.form == .document && archive.documentName == "sam.data")
    #expect(archive.documentSize == bytes.count && bytes.count > 2 << 20)
    #expect(try read(archive) == bytes)
  }

  @Test func `may be a folder`() throws {
    _ = try files.write(clinicalDocument, "export/apple_health_export/export_cda.xml")
    _ = try files.write(bytes, "export/" + name)
    _ = try files.write([], "export/apple_health_export/electrocardiograms/ecg_2024-01-01.csv")
    _ = try files.write([], "export/apple_health_export/workout-routes/route_2.gpx")
    _ = try files.write([], "export/apple_health_export/workout-routes/route_1.GPX")
    _ = try files.write([], "export/apple_health_export/clinical-records/a.json")
    let archive = try HealthExportArchive(path: files.folder.path("export"))
    #expect(archive.form == .folder && archive.documentName == name)
    let others = archive.otherFiles
    #expect(others.routes.map { $0.suffix(11) } == ["route_1.GPX", "route_2.gpx"])
    #expect(others.electrocardiograms.count == 1 && others.clinicalRecords.count == 1)
    #expect(try read(archive) == bytes)
    let inside = try HealthExportArchive(path: files.folder.path("export/apple_health_export"))
    #expect(inside.documentName == "导出.xml")
  }

  @Test(arguments: [false, true], [false, true])
  func `may be a zip archive`(hasDescriptor: Bool, is64: Bool) throws {
    let archive = try files.zip(
      .init(name: "apple_health_export/", content: []),
      .init(name: "apple_health_export/export_cda.xml", content: clinicalDocument),
      .init(name: name, content: bytes, hasDescriptor: hasDescriptor, is64: is64),
      .init(name: "apple_health_export/electrocardiograms/ecg_1.csv", content: [1]),
      .init(name: "apple_health_export/workout-routes/route_1.gpx", content: [1]))
    #expect(archive.form == .zip && archive.documentName == name)
    #expect(archive.documentSize == bytes.count)
    #expect(archive.otherFiles.electrocardiograms.count == 1)
    #expect(archive.otherFiles.routes == ["apple_health_export/workout-routes/route_1.gpx"])
    #expect(try read(archive) == bytes)
  }

  @Test func `names the other documents of an archive with several`() throws {
    let later = bytes + Array("<!-- later -->".utf8)
    let archive = try files.zip(
      .init(name: "2024/export.xml", content: bytes),
      .init(name: "2025/export.xml", content: later),
      .init(name: "2025/export_cda.xml", content: clinicalDocument))
    #expect(archive.documentName == "2025/export.xml")
    #expect(archive.otherDocuments == ["2024/export.xml"])
    #expect(try read(archive) == later)
  }

  @Test func `has a document in UTF-16, which its reader refuses`() throws {
    let text = String(decoding: bytes.prefix(1000), as: UTF8.self)
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(try files.zip(.init(name: name, content: wide)).documentName == name)
  }

  @Test func `may be a zip archive without compression`() throws {
    let archive = try files.zip(.init(name: name, content: bytes, isCompressed: false))
    #expect(try read(archive) == bytes)
  }

  @Test func `may be behind a symbolic link that the caller names`() throws {
    let path = try files.write(bytes, "real.xml")
    try FileManager.default.createSymbolicLink(
      atPath: files.folder.path("link.xml"), withDestinationPath: path)
    #expect(try HealthExportArchive(path: files.folder.path("link.xml")).form == .document)
  }

  @Test func `has the largest document when there are several`() throws {
    let archive = try files.zip(
      .init(name: "a/export.xml", content: document(records: 1)),
      .init(name: "b/Export.XML", content: document(records: 9)),
      .init(name: "c/export.xml", content: document(records: 2)))
    #expect(archive.documentName == "b/Export.XML")
  }

  @Test func `expands to much more than it takes`() throws {
    let blank = [UInt8](repeating: 0x20, count: 64 << 20)
    let archive = try files.zip(.init(name: name, content: document(records: 1) + blank))
    var archived = try archive.open()
    var count = 0
    while try archived.readBlock() { count += unsafe archived.withBlock { $0.count } }
    #expect(count == archive.documentSize)
  }
}

@Suite struct `Reading an export on` {
  private let files: Files
  private let bytes = document(records: 20_000)

  init() throws { files = try Files() }

  @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 3_000_000])
  func `passes over what was read`(offset: Int) throws {
    let rest = Array(bytes[offset...])
    #expect(try read(files.zip(.init(name: name, content: bytes)), at: offset) == rest)
    let path = try files.write(bytes, "export.xml")
    #expect(try read(HealthExportArchive(path: path), at: offset) == rest)
  }

  @Test func `is possible at the end`() throws {
    let archive = try files.zip(.init(name: name, content: bytes))
    #expect(try read(archive, at: bytes.count) == [])
  }

  @Test func `is refused beyond the end`() throws {
    let zip = try files.zip(.init(name: name, content: bytes))
    let file = try HealthExportArchive(path: files.write(bytes, "export.xml"))
    for archive in [zip, file] {
      let error = #expect(throws: ExportArchiveError.self) {
        _ = try archive.open(at: bytes.count + 1)
      }
      #expect(error?.code == .tooShort)
    }
    #expect(throws: ExportArchiveError.self) { _ = try file.open(at: -1) }
  }

  @Test func `reads every record once with the reader of documents`() throws {
    let archive = try files.zip(.init(name: name, content: bytes))
    var (sum, position) = (0.0, ExportPosition.start)
    var isComplete = false
    // Each round stops after one block, as if the program had been killed.
    while !isComplete {
      var document = try archive.open(at: position.offset)
      var reader = HealthExportReader(handler: Sum(), at: position)
      guard try document.readBlock() else { break }
      try unsafe document.withBlock { block throws(HealthExportError) in
        try unsafe reader.feed(block)
      }
      sum += reader.handler.values
      position = reader.position
      isComplete = reader.isComplete
    }
    #expect(sum == 199_990_000)
    #expect(position.elements == 20_000)
  }
}

@Suite struct `Exports that cannot be read` {
  private let files: Files
  private let bytes = document(records: 13_000)

  init() throws { files = try Files() }

  @Test func `are missing or not allowed`() throws {
    #expect(failure(files.folder.path("nothing.zip"))?.code == .notFound)
    let path = try files.write(bytes, "export.xml")
    #expect(failure(path + "/export.xml")?.code == .notFound)
    let code = unsafe chmod(path, 0)
    #expect(code == 0)
    // The superuser may read all files.
    if geteuid() != 0 { #expect(failure(path)?.code == .notReadable) }
  }

  @Test func `are neither files nor folders`() throws {
    let path = files.folder.path("pipe")
    let code = unsafe mkfifo(path, 0o600)
    #expect(code == 0)
    #expect(failure(path)?.code == .notReadable)
  }

  @Test func `hold no document`() throws {
    let zip = try files.write(
      ZipFile.bytes([.init(name: "export_cda.xml", content: clinicalDocument)]), "a.zip")
    _ = try files.write(clinicalDocument, "folder/export_cda.xml")
    let empty = try files.write(ZipFile.bytes([]), "b.zip")
    for path in [zip, files.folder.path("folder"), empty] {
      #expect(failure(path)?.code == .noDocument)
    }
    #expect(failure(zip)?.description.contains("zip archive holds no document") == true)
  }

  @Test func `need a password`() throws {
    let path = try files.write(
      ZipFile.bytes([.init(name: name, content: bytes, isEncrypted: true)]), "a.zip")
    let error = failure(path)
    #expect(error?.code == .encrypted)
    #expect(error?.description.contains("password") == true)
  }

  @Test func `have a compression that is not known`() throws {
    let path = try files.write(
      ZipFile.bytes([.init(name: name, content: bytes, method: 97)]), "a.zip")
    #expect(failure(path)?.code == .unsupportedCompression)
  }

  @Test func `are cut off anywhere`() throws {
    let whole = ZipFile.bytes([.init(name: name, content: document(records: 20))])
    for length in stride(from: 4, to: whole.count, by: 7) {
      let path = try files.write(Array(whole[..<length]), "a.zip")
      #expect(failure(path)?.code == .damaged, "cut at \(length)")
    }
  }

  @Test func `are changed within`() throws {
    var whole = ZipFile.bytes([.init(name: name, content: bytes)])
    for place in whole.count / 2..<whole.count / 2 + 200 { whole[place] = 0x55 }
    let path = try files.write(whole, "a.zip")
    let archive = try HealthExportArchive(path: path)
    let error = #expect(throws: ExportArchiveError.self) { _ = try read(archive) }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains("bytes of the document") == true)
  }

  @Test func `state another sum`() throws {
    var whole = ZipFile.bytes([.init(name: name, content: bytes, isCompressed: false)])
    // The last digit of a value, which nothing but the sum protects.
    let place = try #require(whole.firstIndex(of: UInt8(ascii: "2")))
    whole[place + 2_000_000] ^= 1
    let path = try files.write(whole, "a.zip")
    #expect(failure(path)?.code == .damaged)
  }

  @Test func `never name the file`() throws {
    let path = try files.write(clinicalDocument, "Sam Secret/export_cda.xml")
    let folder = String(path.dropLast("/export_cda.xml".count))
    #expect(failure(folder)?.description.contains("Secret") == false)
  }

  @Test func `random bytes in an archive never stop the program`() throws {
    let whole = ZipFile.bytes([.init(name: name, content: document(records: 20))])
    for seed in 0..<300 {
      var (random, bytes) = (SeededGenerator(seed: UInt64(seed)), whole)
      for _ in 0..<8 {
        let place = Int.random(in: 4..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      let path = try files.write(bytes, "a.zip")
      let archive = try? HealthExportArchive(path: path)
      if let archive { _ = try? read(archive) }
    }
  }
}

@Suite struct `Links and paths in an export` {
  private let files: Files
  private let bytes = document(records: 10)

  init() throws { files = try Files() }

  @Test func `links in a folder are not followed`() throws {
    let outside = try files.write(bytes, "outside/export.xml")
    let folder = files.folder.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder + "/export.xml", withDestinationPath: outside)
    try manager.createSymbolicLink(
      atPath: folder + "/apple_health_export", withDestinationPath: files.folder.path("outside"))
    let code = unsafe mkfifo(folder + "/pipe.xml", 0o600)
    #expect(code == 0)
    #expect(failure(folder)?.code == .noDocument)
  }

  @Test func `links in a zip archive are not followed`() throws {
    let link = ZipFile.Entry(
      name: "export.xml", content: Array("<HealthData".utf8), mode: UInt16(S_IFLNK) | 0o777)
    let path = try files.write(ZipFile.bytes([link]), "a.zip")
    #expect(failure(path)?.code == .noDocument)
  }

  @Test func `paths that lead out of a zip archive lead nowhere`() throws {
    let archive = try files.zip(
      .init(name: "../../export.xml", content: bytes, mode: UInt16(S_IFREG) | 0o644))
    #expect(archive.documentName == "../../export.xml")
    #expect(try read(archive) == bytes)
    #expect(!FileManager.default.fileExists(atPath: files.folder.path("../../export.xml")))
  }
}
