// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestSupport
import Testing

extension Tag {
  /// A scenario of Documentation/faults.md.
  @Tag static var fault: Self
}

/// What breaks.
///
/// The long form runs one scenario after the other: each uses all the cores there are.
@Suite(Extent.order) struct Faults {}

/// How long the scenarios are, and what they draw from.
enum Extent {
  private static let environment = ProcessInfo.processInfo.environment

  /// `make faults` asks for the long form.
  static let isLong = environment["SANTORIO_FAULTS"] == "long"

  static let order: any SuiteTrait =
    isLong ? ParallelizationTrait.serialized : Tag.List.tags(.fault)

  /// The seed of all scenarios; in the short form always the same unless given.
  static let seed =
    environment["SANTORIO_SEED"].flatMap { UInt64($0) }
    ?? (isLong ? .random(in: 0...999_999) : 20_261_121)

  /// One of two numbers, for the long form and the short one.
  static func of(_ long: Int, short: Int) -> Int { isLong ? long : short }
}

/// Tells how far a scenario is.
struct Progress {
  private let name: String
  private let total: Int
  private let start = ContinuousClock.now

  init(_ name: String, of total: Int) { (self.name, self.total) = (name, total) }

  func report(_ done: Int) {
    guard Extent.isLong, done == total || done % max(total / 5, 1) == 0 else { return }
    print("\(name): \(done) of \(total) after \(start.duration(to: .now).components.seconds) s")
    fflush(nil)
  }
}

/// Runs `body` for each index, two at a time, as this machine has at least two cores.
func two(
  _ count: Int, _ name: String, _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
  let progress = Progress(name, of: count)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for index in 0..<count {
      if index >= 2 {
        try await group.next()
        progress.report(index - 1)
      }
      group.addTask { try await body(index) }
    }
    try await group.waitForAll()
    progress.report(count)
  }
}

/// Compares what was acknowledged and delivered with what the server has.
///
/// After damage, records may be missing and events may be lost: `isDamaged` asks for neither. A record
/// whose deletion was submitted need not have been sent; if that was acknowledged, it must not be shown.
func compare(
  _ ledger: Ledger.Entries, _ store: ServerStore, _ circumstances: String,
  isDamaged: Bool = false, location: SourceLocation = #_sourceLocation
) {
  let circumstances = "seed \(Extent.seed); \(circumstances)"
  let lost = ledger.acknowledged.subtracting(store.stored).subtracting(ledger.perhapsDeleted)
  let undelivered =
    store.stored.subtracting(ledger.delivered).subtracting(ledger.perhapsDeleted)
  let shown = ledger.deleted.subtracting(store.hidden)
  let untold = ledger.deleted.subtracting(ledger.deletionsDelivered)
  let falselyTold =
    ledger.delivered.subtracting(store.stored).subtracting(ledger.perhapsDeleted)
  let again = ledger.submitted.values.count { $0 > 1 }
  print(
    """
    \(circumstances): \(ledger.acknowledged.count) acknowledged, \(store.stored.count) stored, \
    lost \(lost.count), delivered falsely \(falselyTold.count), stored twice \(store.repeated), \
    delivered again \(again), deleted \(ledger.deleted.count), still shown \(shown.count)
    """)
  #expect(
    isDamaged || shown == [], "still shown: \(shown); \(circumstances)", sourceLocation: location)
  #expect(isDamaged || untold == [], "deletions not delivered: \(untold)", sourceLocation: location)
  #expect(
    store.hidden.isSubset(of: ledger.perhapsDeleted), "hidden falsely; \(circumstances)",
    sourceLocation: location)
  #expect(isDamaged || lost == [], "lost: \(lost); \(circumstances)", sourceLocation: location)
  #expect(falselyTold == [], "delivered falsely; \(circumstances)", sourceLocation: location)
  #expect(
    isDamaged || undelivered == [], "stored and not delivered: \(undelivered); \(circumstances)",
    sourceLocation: location)
  #expect(store.repeated == 0, "stored twice; \(circumstances)", sourceLocation: location)
  #expect(store.altered == [], "altered; \(circumstances)", sourceLocation: location)
}
