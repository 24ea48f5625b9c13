// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite
import TestSupport
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `A server killed while storing and deleting images` {
  /// What clients asked for and were told, by the record's number.
  private struct Ledger {
    var next = 0
    var stored: Set<Int> = []
    var illustrated: Set<Int> = []
    var deleting: Set<Int> = []
    var deleted: Set<Int> = []
  }

  private let folder: TemporaryFolder
  private let user: IngestUser
  private let ledger = Locked(Ledger())
  private let progress = DispatchSemaphore(value: 0)

  init() throws {
    folder = try TemporaryFolder()
    let server = try IngestServer(configuration: .init(storagePath: folder.storage))
    user = try server.createUser(organization: "acme", uid: "alice")
    server.stop()
  }

  // Two neighbours share an image.
  private static func image(_ number: Int) -> TestImage {
    TestImage(UInt64(number / 2), size: 20_000)
  }

  private func path(_ number: Int) -> String {
    TestServer.path(user) + "/records/log-\(number)"
  }

  /// Stores a record with its image, deletes every third, over one connection until it breaks.
  private func load(_ port: UInt16) {
    guard let client = try? SocketClient(port) else { return }
    while true {
      let number = ledger.withLock { ledger in
        defer { ledger.next += 1 }
        return ledger.next
      }
      guard (try? handle(number, client)) != nil else { return }
    }
  }

  private func handle(_ number: Int, _ client: SocketClient) throws {
    let record = reading(
      "log-\(number)", more: #","user_notes":[{"type":"message","value":"note \#(number)."}]"#)
    if try client.request("PUT", path(number), token: user.token, body: record).status == 201 {
      ledger.withLock { _ = $0.stored.insert(number) }
    }
    let image = Self.image(number)
    let media = try client.request(
      "PUT", path(number) + "/media/" + image.digest, token: user.token, type: image.type,
      bytes: image.bytes)
    if media.status == 201 { ledger.withLock { _ = $0.illustrated.insert(number) } }
    progress.signal()
    guard number.isMultiple(of: 3) else { return }
    ledger.withLock { _ = $0.deleting.insert(number) }
    if try client.request("DELETE", path(number), token: user.token).status == 204 {
      ledger.withLock { _ = $0.deleted.insert(number) }
    }
  }

  @Test func `keeps acknowledged images and no deleted content`() throws {
    var random = SeededGenerator(seed: 20_261_122)
    for _ in 0..<6 {
      let child = try ServerChild(folder.storage)
      let port = child.port
      let load = DispatchGroup()
      for _ in 0..<3 { DispatchQueue.global().async(group: load) { self.load(port) } }
      for _ in 0..<Int.random(in: 5...30, using: &random) {
        #expect(progress.wait(timeout: .now() + 240) == .success)
      }
      child.kill()
      load.wait()
    }

    // What the next start finds and tidies up.
    try folder.ageImages()
    let server = try IngestServer(configuration: .init(storagePath: folder.storage))
    let client = try SocketClient(server.port)
    let ledger = ledger.withLock { $0 }
    let gone = try compare(ledger, client)
    server.stop()

    #expect(ledger.stored.count >= 30 && ledger.deleted.count >= 5)
    for number in gone { #expect(try !folder.holds("note \(number).")) }
    let named = try SQLiteDatabase(path: folder.storage).prepare(
      "SELECT DISTINCT digest FROM media"
    )
    .all { $0.text(0) }
    #expect(try folder.images() == Set(named))
    let check = try SQLiteDatabase(path: folder.storage).prepare("PRAGMA integrity_check")
      .all { $0.text(0) }
    #expect(check == ["ok"])
  }

  /// Compares the ledger with the answers of the server; returns the records that are deleted.
  private func compare(_ ledger: Ledger, _ client: SocketClient) throws -> [Int] {
    var gone: [Int] = []
    for number in ledger.stored.sorted() {
      let isThere = try client.request("GET", path(number), token: user.token).status == 200
      // A deletion that was asked for and not answered may have been done or not.
      if !ledger.deleting.contains(number) { #expect(isThere) }
      if ledger.deleted.contains(number) { #expect(!isThere) }
      if !isThere { gone.append(number) }
      guard isThere, ledger.illustrated.contains(number) else { continue }
      let image = Self.image(number)
      let reply = try client.request(
        "GET", path(number) + "/media/" + image.digest, token: user.token)
      #expect(reply.body == image.bytes)
    }
    return gone
  }
}
