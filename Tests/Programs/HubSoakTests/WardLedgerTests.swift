// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The ward proves nothing if its ledger does not see faults.
@Suite struct `A ward's ledger` {
  private static let begin = Date(timeIntervalSince1970: 1_772_344_800)

  private func fates(
    of person: String? = "one", changedAfter change: TimeInterval? = nil,
    _ found: WardLedger.Found...
  ) -> [WardFate] {
    var ledger = WardLedger()
    ledger.add(
      WardReading(device: 1, model: 9, values: "120/80 60", time: Self.begin, person: person))
    if let change { ledger.change(1, at: Self.begin + change) }
    return ledger.settle(found).map(\.fate)
  }

  private func found(
    _ place: WardLedger.Found.Place, _ values: String = "120/80 60", forms: Int = 1
  ) -> WardLedger.Found {
    .init(place: place, model: 9, values: values, forms: forms)
  }

  @Test func `takes a reading that its person has once for stored`() {
    #expect(fates(found(.server(person: "one"))) == [.stored])
  }

  @Test func `sees a reading that is missing`() {
    #expect(fates() == [.missing])
    #expect(WardFate.missing.isFault)
  }

  @Test func `sees a reading of another person, also where its own has it, too`() {
    #expect(fates(found(.server(person: "two"))) == [.misplaced])
    #expect(fates(found(.server(person: "one")), found(.server(person: "two"))) == [.misplaced])
    #expect(fates(found(.archive(person: "two"))) == [.misplaced])
    #expect(fates(of: nil, found(.server(person: "two"))) == [.misplaced])
    #expect(WardFate.misplaced.isFault)
  }

  @Test func `sees a reading that is stored twice or in two forms`() {
    let stored = found(.server(person: "one"))
    #expect(fates(stored, stored) == [.repeated])
    #expect(fates(found(.server(person: "one"), forms: 2)) == [.repeated])
    #expect(WardFate.repeated.isFault)
  }

  @Test(arguments: [-WardLedger.tolerance, 0, WardLedger.tolerance])
  func `lets a reading wait whose device has changed hands at about its time`(
    change: TimeInterval
  ) {
    #expect(fates(changedAfter: change, found(.held)) == [.held])
    #expect(!WardFate.held.isFault)
  }

  @Test(arguments: [nil, -WardLedger.tolerance - 1, WardLedger.tolerance + 1] as [TimeInterval?])
  func `sees a reading that waits without a reason`(change: TimeInterval?) {
    #expect(fates(changedAfter: change, found(.held)) == [.heldInVain])
    #expect(WardFate.heldInVain.isFault)
  }

  @Test func `takes a reading for stored that is held once more`() {
    #expect(fates(found(.server(person: "one")), found(.held)) == [.stored])
  }

  @Test func `accounts for archives and for readings of nobody`() {
    #expect(fates(found(.archive(person: "one"))) == [.archived])
    #expect(fates(of: nil) == [.ofNobody])
  }

  @Test func `sees a reading that no device has made`() {
    #expect(
      fates(found(.server(person: "one")), found(.server(person: "one"), "99/66 60"))
        == [.stored, .invented])
    #expect(WardFate.invented.isFault)
  }

  @Test func `excuses by a killed hub what the device has sent to it since`() {
    var ledger = WardLedger()
    for (second, values) in ["1", "2", "3"].enumerated() {
      ledger.add(
        WardReading(
          device: 1, model: 9, values: values, time: Self.begin + Double(second), person: "one"))
      if second == 1 { ledger.confirmedToKilled(1, since: Self.begin) }
    }
    #expect(ledger.settle([]).map(\.fate) == [.missing, .lostWithProcess, .missing])
  }
}
