// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite struct `Folder of images` {
  private let folder: TemporaryFolder
  private let files: MediaFolder

  init() throws {
    folder = try TemporaryFolder()
    files = try MediaFolder(path: folder.media)
  }

  private func digest(_ image: TestImage) throws -> MediaDigest {
    try #require(MediaDigest(hex: image.digest))
  }

  private func plant(_ name: String, _ bytes: [UInt8] = [1]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder.media + "/" + name))
  }

  @Test func `stores bytes under their digest, readable by the owner only`() throws {
    let image = TestImage(1, size: 700_000)
    try files.write(image.bytes, as: digest(image))

    #expect(try files.read(digest(image)) == image.bytes)
    #expect(try folder.images() == [image.digest])
    for (path, mode) in [(folder.media, 0o700), (folder.media + "/" + image.digest, 0o600)] {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((found as? NSNumber)?.intValue == mode)
    }
  }

  @Test func `finds no unknown or removed image`() throws {
    let image = TestImage(1)
    #expect(try files.read(digest(image)) == nil)
    try files.write(image.bytes, as: digest(image))

    try files.remove(digest(image))
    try files.remove(digest(image))

    #expect(try files.read(digest(image)) == nil)
    #expect(try folder.images() == [])
  }

  @Test func `returns no damaged image, and repairs it when it is sent again`() throws {
    let image = TestImage(1)
    try files.write(image.bytes, as: digest(image))
    try plant(image.digest, Array(image.bytes.dropLast()))

    #expect(try files.read(digest(image)) == nil)
    try files.write(image.bytes, as: digest(image))

    #expect(try files.read(digest(image)) == image.bytes)
  }

  @Test func `removes only the files of interrupted writes`() throws {
    let image = TestImage(1)
    try files.write(image.bytes, as: digest(image))
    try plant(TestImage(2).digest + "-0123456789abcdef.part")
    try plant("notes.part")
    try plant("README")
    let other = try digest(TestImage(3))
    var partial: PartialImage? = try files.makePartial(other)
    try partial?.append([1])
    let own = try #require(try folder.images().first { $0.hasPrefix(other.hex) })

    #expect(try files.images(olderThan: Date(timeIntervalSinceNow: -60)) == [])
    #expect(try folder.images().count == 5)

    #expect(try files.images(olderThan: Date(timeIntervalSinceNow: 60)) == [digest(image)])
    try files.removePartials()
    #expect(try folder.images() == [image.digest, "notes.part", "README", own])
    partial = nil
    #expect(try folder.images() == [image.digest, "notes.part", "README"])
  }

  @Test func `follows no link`() throws {
    let image = TestImage(1)
    let elsewhere = folder.path + "/elsewhere"
    try Data([7]).write(to: URL(fileURLWithPath: elsewhere))
    let partial = try files.makePartial(digest(image))
    try FileManager.default.removeItem(atPath: partial.path)
    for path in [folder.media + "/" + image.digest, partial.path] {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    }

    #expect(throws: IngestError.self) { try files.read(digest(image)) }
    #expect(throws: IngestError.self) { try partial.append(image.bytes) }
    #expect(throws: IngestError.self) { try files.keep(partial) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: elsewhere)) == Data([7]))
  }

  @Test func `reports a missing parent folder`() throws {
    let error = #expect(throws: IngestError.self) { try MediaFolder(path: "/nowhere/media") }
    #expect(error?.code == .unavailable)
  }

  // MARK: - With the server

  @Test func `removes only images without a record at startup`() throws {
    let test = try TestServer()
    let kept = TestImage(1)
    _ = try test.post([reading("a")])
    _ = try test.put(kept, to: "a")
    test.server.stop()
    let orphan = TestImage(2)
    for name in [orphan.digest, orphan.digest + "-0123456789abcdef.part"] {
      try Data(orphan.bytes).write(to: URL(fileURLWithPath: test.folder.media + "/" + name))
    }

    func restart() throws {
      try IngestServer(configuration: .init(storagePath: test.folder.storage)).stop()
    }

    // What is young may just have been brought from somewhere.
    try restart()
    #expect(try test.folder.images() == [kept.digest, orphan.digest])
    try test.folder.ageImages()
    try restart()
    #expect(try test.folder.images() == [kept.digest])
  }

  // Its storage was lost, or another one was put in its place: it may be brought back.
  @Test(arguments: [true, false])
  func `keeps its images when another storage is used`(areNoted: Bool) throws {
    let test = try TestServer()
    let image = TestImage(1)
    _ = try test.post([reading("a")])
    _ = try test.put(image, to: "a")
    test.server.stop()
    try test.folder.ageImages()
    let storage = test.folder.storage
    try FileManager.default.moveItem(atPath: storage, toPath: storage + ".lost")
    if !areNoted { try FileManager.default.removeItem(atPath: test.folder.media + "/.storage") }

    for _ in 1...2 {
      let other = try TestServer(folder: test.folder)
      other.server.stop()
      #expect(other.log.all.contains { $0.contains("belongs to another storage") })
    }

    #expect(try test.folder.images() == [image.digest])
  }

  @Test func `keeps acknowledged images when the disk is full`() throws {
    let folder = try TemporaryFolder()
    let files = FailingMedia(try MediaFolder(path: folder.media))
    let test = try TestServer(folder: folder, files: files)
    _ = try test.post([reading("a")])
    let image = TestImage(1)

    files.fail(with: IngestError(.storageFull, "the disk is full"))
    let refused = try test.put(image, to: "a")
    #expect(refused.status == 503)
    #expect(refused.headers["retry-after"] == "5")
    let path = "\(test.records)/a/media/\(image.digest)"
    #expect(try test.request("GET", test.records + "/a/media").text == #"{"media":[]}"#)

    files.fail(with: nil)
    #expect(try test.put(image, to: "a").status == 201)
    #expect(try test.request("GET", path).body == image.bytes)
  }

  @Test func `deletes a record even if its image cannot be removed until later`() throws {
    let folder = try TemporaryFolder()
    let files = FailingMedia(try MediaFolder(path: folder.media))
    let test = try TestServer(folder: folder, files: files)
    _ = try test.post([reading("a")])
    let image = TestImage(1)
    _ = try test.put(image, to: "a")

    files.fail(with: IngestError(.unavailable, "an image cannot be removed"))
    #expect(try test.request("DELETE", test.records + "/a").status == 204)
    #expect(test.log.all.contains { $0.hasPrefix("an image is kept until the next start") })
    #expect(try folder.images() == [image.digest])
    test.server.stop()

    let next = try IngestServer(configuration: .init(storagePath: folder.storage))
    next.stop()
    #expect(try folder.images() == [])
  }

  @Test func `removes the file if its row cannot be written`() throws {
    let folder = try TemporaryFolder()
    let store = FailingStore(try SQLiteRecordStore(path: folder.storage))
    let test = try TestServer(folder: folder, store: store)
    _ = try test.post([reading("a")])

    store.fail(with: IngestError(.storageFull, "the disk is full"))
    #expect(try test.put(TestImage(1), to: "a").status == 503)

    #expect(try folder.images() == [])
  }

  @Test func `logs an image that is missing`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a")])
    let image = TestImage(1)
    _ = try test.put(image, to: "a")
    try FileManager.default.removeItem(atPath: test.folder.media + "/" + image.digest)

    let reply = try test.request("GET", "\(test.records)/a/media/\(image.digest)")

    #expect(reply.status == 404)
    #expect(try reply.code() == "unknown_media")
    #expect(test.log.all.contains { $0.hasPrefix("an image is missing") })
    #expect(try test.put(image, to: "a").status == 200)
    #expect(
      try test.request("GET", "\(test.records)/a/media/\(image.digest)").body == image.bytes)
  }
}

@Suite struct `Type of an image` {
  @Test(
    arguments: [
      ([0xff, 0xd8, 0xff, 0xdb], .jpeg), ([0xff, 0xd8, 0xff], .jpeg), ([0xff, 0xd8], nil),
      ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], .png),
      ([0x89, 0x50, 0x4e, 0x47, 0x0a, 0x0a, 0x1a, 0x0a], nil), ([], nil),
      (heic(0x10, "heic", []), .heic), (heic(0x18, "mif1", ["mif1", "heic"]), .heic),
      (heic(0x18, "msf1", ["msf1", "hevc"]), .heic), (heic(0x18, "mif1", ["mif1", "avif"]), nil),
      // A brand behind the end of the box is none.
      (heic(0x10, "mif1", ["mif1", "heic"]), nil), (heic(0, "mif1", ["heic"]), nil),
      (heic(0xffff_ffff, "mif1", ["heic"]), .heic), (Array(heic(0x10, "heic", []).prefix(15)), nil),
    ] as [([UInt8], ImageType?)])
  func `is detected from the first bytes`(bytes: [UInt8], type: ImageType?) {
    #expect(ImageType(of: bytes) == type)
  }

  private static func heic(_ size: UInt32, _ major: String, _ brands: [String]) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + "ftyp".utf8 + major.utf8 + [
      0, 0, 0, 0,
    ]
      + brands.joined().utf8
  }
}

/// A folder of images that fails as long as it is told to.
final class FailingMedia: MediaStore {
  private let files: any MediaStore
  private let failure = Locked<IngestError?>(nil)

  init(_ files: any MediaStore) { self.files = files }

  func fail(with error: IngestError?) { failure.withLock { $0 = error } }

  private func check() throws(IngestError) {
    if let error = failure.withLock({ $0 }) { throw error }
  }

  func makePartial(_ digest: MediaDigest) throws(IngestError) -> PartialImage {
    try check()
    return try files.makePartial(digest)
  }
  func keep(_ partial: PartialImage) throws(IngestError) {
    try check()
    try files.keep(partial)
  }
  func open(_ digest: MediaDigest) throws(IngestError) -> OpenImage? {
    try files.open(digest)
  }
  func remove(_ digest: MediaDigest) throws(IngestError) {
    try check()
    try files.remove(digest)
  }
  func removePartials() throws(IngestError) { try files.removePartials() }
  func images(olderThan date: Date) throws(IngestError) -> [MediaDigest] {
    try files.images(olderThan: date)
  }
  func belongs(to storage: String) throws(IngestError) -> Bool {
    try files.belongs(to: storage)
  }
}

extension MediaStore {
  /// Keeps an image whose bytes are at hand.
  func write(_ bytes: [UInt8], as digest: MediaDigest) throws(IngestError) {
    let partial = try makePartial(digest)
    try partial.append(bytes)
    try keep(partial)
  }

  /// The bytes of an image.
  func read(_ digest: MediaDigest) throws -> [UInt8]? {
    guard let image = try open(digest), let descriptor = image.take() else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let bytes = Array(try file.readToEnd() ?? Data())
    #expect(bytes.count == image.size)
    return bytes
  }
}
