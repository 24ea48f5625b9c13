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
  /// After the first number of turns, further ones decide while noise may be the reason for a high cost.
  private static let turns = 5...40

  @Test(arguments: EnduredStream.all)
  func `An event costs as much after many as at first`(_ stream: EnduredStream) async throws {
    let tenth = stream.events / 10
    let aged = try await StreamProcess(stream)
    // A process has its caches and threads after the first of its work.
    for _ in 0..<2 { try await aged.run(tenth) }
    let young = try await aged.run(tenth)
    for _ in 3..<10 { try await aged.run(tenth) }
    let fresh = try await StreamProcess(stream)
    try await fresh.run(tenth)

    var (costs, growth) = (TurnCosts(), Int.max)
    while costs.count < Self.turns.upperBound,
      costs.count < Self.turns.lowerBound || costs.ratio > Self.most
    {
      let turn = try await aged.run(stream.turn)
      costs.add(turn.seconds, try await fresh.run(stream.turn).seconds)
      // What is kept for each event is there after each turn; what waits on a busy machine is not.
      growth = min(growth, turn.bytes - young.bytes)
    }

    print(
      "\(stream): after \(aged.events) events \(costs.ratio) of the cost, memory +\(growth) bytes")
    #expect(costs.ratio <= Self.most)
    #expect(growth <= stream.mostGrowth)
  }
}

/// The costs of an aged and a fresh process in the same turns.
private struct TurnCosts {
  private var aged: [Double] = []
  private var fresh: [Double] = []

  var count: Int { aged.count }

  mutating func add(_ aged: Double, _ fresh: Double) {
    self.aged.append(aged)
    self.fresh.append(fresh)
  }

  /// The lower of the ratios of the medians and of the cheapest turns.
  ///
  /// Growth raises both of them. Other work on the machine seldom does.
  var ratio: Double {
    let (aged, fresh) = (aged.sorted(), fresh.sorted())
    let middle = aged.count / 2
    return min(aged[0] / fresh[0], aged[middle] / fresh[middle])
  }
}
