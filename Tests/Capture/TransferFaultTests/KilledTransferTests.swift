// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A memory transfer that is killed` {
  /// How many of the places are tried, unless all are.
  private static let sample = cases(few: 8, many: 12)

  private func check(endingAt end: [String]) async throws {
    let scene = try await TransferScene()
    let first = try await scene.read(endingAt: end).values(of: "READ")
    let committed = try await scene.stored()

    let second = try await scene.read()

    let stored = try await scene.stored()
    let place = "\(end.joined(separator: " ")), after \(committed.count) records"
    // What was reported was on disk, and nothing is lost or twice.
    #expect(Set(first).isSubset(of: committed), "\(place)")
    #expect(stored.count == TransferScene.readings, "\(place)")
    #expect(Set(stored).count == stored.count, "\(place)")
    #expect(try await scene.storedRejected() == TransferScene.rejected, "\(place)")
    // Nothing of what was committed is transferred again.
    let again = second.values(of: "READ")
    #expect(again.count == TransferScene.readings - committed.count, "\(place)")
    #expect(Set(again).isDisjoint(with: committed), "\(place)")
  }

  @Test func `resumes behind its last commit, wherever the radio stood`() async throws {
    let whole = try await TransferScene().read()
    let steps = try #require(whole.values(of: "STEPS").first.flatMap { Int($0) })
    #expect(whole.values(of: "READ").count == TransferScene.readings)
    let count = isLongForm ? steps : Self.sample
    for number in 0..<count {
      try await check(endingAt: ["radio", "\(number * steps / count)"])
    }
  }

  @Test func `resumes behind its last commit, wherever the disk stood`() async throws {
    let count = isLongForm ? 600 : Self.sample
    for number in 0..<count {
      try await check(endingAt: ["disk", "\(1 + number * 600 / count)", "\(number)"])
    }
  }
}
