// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Connectivity of this machine` {
  /// Whether this machine lets a test make a network of its own.
  static let canUnshare: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare", "-Urn", "ip", "link", "set", "lo", "up"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.start()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(.enabled(if: canUnshare, "needs unshare(1) with user namespaces, and ip(8)"))
  func `end a wait without end when the machine gets an address`() async throws {
    let folder = try TemporaryFolder()
    let lines = AsyncStream<String>.makeStream()
    let child = try ChildProcess(
      "OutboxCrashChild", ["wait", folder.url.path, "http://127.0.0.1:9", "-"],
      prefix: ["unshare", "-Urn"]
    ) { lines.continuation.yield($0) }
    defer { child.kill() }
    var tries = 0
    for await line in lines.stream where line == "TRIED" {
      tries += 1
      // `start` and `run` have tried; from here on nothing but the trigger makes another try.
      if tries == 2 { child.write("") }
      if tries == 3 { break }
    }

    #expect(tries == 3)
  }
}
