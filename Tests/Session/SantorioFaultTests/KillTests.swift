// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioCore
import TestSupport
import Testing

/// Producer, uploader and server as processes that can be killed and started again, and a line
/// between the last two that fails as well.
private final class FaultScene {
  enum Part: String, CaseIterable { case producer, uploader, server }

  let folder: TemporaryFolder
  let ledger = Ledger()
  let server: ServerProcess
  let line: FaultProxy
  private var children: [Part: ChildProcess] = [:]
  private var generation = 0

  init(seed: UInt64) async throws {
    folder = try TemporaryFolder()
    server = try await ServerProcess()
    let faults = RandomFaults(seed: seed, share: 15, pause: 0)
    line = try #require(FaultProxy(to: server.port) { faults.draw($0, $1) })
    try await SantorioSession(.init(directory: folder.url, endpoint: server.url)).start(
      server.alice)
  }

  func start(_ part: Part) async throws {
    generation += 1
    let (ledger, url) = (ledger, ServerProcess.url(port: line.port).absoluteString)
    switch part {
    case .server: try await server.start()
    case .producer:
      children[part] = try ChildProcess(
        "OutboxCrashChild", ["produce", folder.url.path, url, "g\(generation)"]
      ) { ledger.take($0) }
    case .uploader:
      children[part] = try ChildProcess(
        "OutboxCrashChild", ["upload", folder.url.path, url, "-"]
      ) { ledger.take($0) }
    }
  }

  func kill(_ part: Part) {
    if part == .server { server.kill() }
    children.removeValue(forKey: part)?.kill()
  }
}

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `Killed processes` {
    @Test func `lose nothing that was acknowledged and store nothing twice`() async throws {
      var random = SeededGenerator(seed: Extent.seed)
      let scene = try await FaultScene(seed: Extent.seed)
      for part in [FaultScene.Part.producer, .uploader] { try await scene.start(part) }

      let kills = Extent.of(200, short: 20)
      let progress = Progress("kill", of: kills)
      var killed: [FaultScene.Part: Int] = [:]
      for count in 1...kills {
        // The moment of the kill is what is drawn here; nothing is waited for.
        try await Task.sleep(for: .milliseconds(Int.random(in: 10...300, using: &random)))
        let part = FaultScene.Part.allCases.randomElement(using: &random) ?? .uploader
        scene.kill(part)
        killed[part, default: 0] += 1
        try await scene.start(part)
        progress.report(count)
      }
      scene.kill(.producer)
      scene.line.heal()
      let file = OutboxFile(scene.folder.url)
      for await _ in scene.ledger.changes.stream {
        if try file.isSettled(delivered: scene.ledger.all.told) { break }
      }
      scene.kill(.uploader)
      scene.kill(.server)

      let counts = FaultScene.Part.allCases.map { "\($0.rawValue) \(killed[$0] ?? 0)" }
      let entries = scene.ledger.all
      compare(
        entries, try scene.server.store(),
        "killed \(counts.joined(separator: ", ")), \(scene.line.requestCount) requests")
      #expect(entries.others == [])
      #expect(entries.failed == [])
      #expect(entries.damaged == [])
      #expect(entries.acknowledged.count > 100)
      #expect(entries.deleted.count > 10)
    }
  }
}
