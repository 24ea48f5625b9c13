// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Gateways and servers run for years: an event must cost the same after a million as at first, and
/// leave nothing in memory.
///
/// A process that has had all events is compared with a fresh one. Both then get some more by turns, so
/// that other work on the machine slows both. `Scripts/check endurance` runs the long form, in release
/// programs; `make endurance` a longer one.
@Suite(.serialized, .timeLimit(.minutes(600))) struct `Long-lived streams` {
  /// Other tests run at the same time as the short form, and share the processor's caches with it.
  private static let most = EnduredStream.programs == nil ? 1.6 : 1.2
  private static let turns = 5

  @Test(arguments: EnduredStream.all)
  func `An event costs as much after many as at first`(_ stream: EnduredStream) async throws {
    let tenth = stream.events / 10
    let aged = try await StreamProcess(stream)
    let first = try await aged.run(tenth)
    for _ in 1..<10 { try await aged.run(tenth) }
    let fresh = try await StreamProcess(stream)
    try await fresh.run(tenth)

    // The cheapest turn counts: what else the machine does can only make one dearer.
    var (agedCost, freshCost) = (Double.infinity, Double.infinity)
    var memory = first.bytes
    for _ in 0..<Self.turns {
      let turn = try await aged.run(stream.turn)
      agedCost = min(agedCost, turn.seconds)
      memory = turn.bytes
      freshCost = min(freshCost, try await fresh.run(stream.turn).seconds)
    }

    let (ratio, growth) = (agedCost / freshCost, memory - first.bytes)
    print("\(stream): after \(aged.events) events \(ratio) of the cost, memory +\(growth) bytes")
    #expect(ratio <= Self.most)
    #expect(growth <= stream.mostGrowth)
  }
}
