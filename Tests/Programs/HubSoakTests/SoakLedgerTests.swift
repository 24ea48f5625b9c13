// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The soak proves nothing if its ledger does not see faults.
@Suite struct `A soak's ledger` {
  private let ledger = SoakLedger()
  private static let begin = Date(timeIntervalSince1970: 1_772_344_800)

  /// A cuff's frame of 120/80 with pulse 60.
  private static let frame: [UInt8] = [
    0x16, 120, 0, 80, 0, 93, 0, 0xEA, 7, 3, 1, 7, 0, 0, 60, 0, 0, 0,
  ]

  private func make(
    _ values: String = "120/80 60", of patient: String? = "one", device: Int = 1, after: Double = 0
  ) {
    ledger.add(
      SoakReading(
        device: device, model: 9, patient: patient, values: values,
        time: Self.begin.addingTimeInterval(after)))
  }

  private func found(
    _ values: String = "120/80 60", of patient: String? = "one", model: Int = 9, forms: Int = 1
  ) -> SoakLedger.Found {
    .init(patient: patient, model: model, values: values, forms: forms, logID: "any")
  }

  private func fates(_ found: SoakLedger.Found...) -> [SoakFate] {
    ledger.settle(found).map(\.0)
  }

  // MARK: - What is right

  @Test func `takes a reading that is stored once for stored`() {
    make()
    #expect(fates(found()) == [.stored])
    #expect(!SoakFate.stored.isFault)
  }

  @Test func `accounts for two devices with the same reading by two records`() {
    make(device: 1)
    make(device: 2)
    #expect(fates(found(), found()) == [.stored, .stored])
    #expect(fates(found()) == [.stored, .missing])
  }

  @Test func `takes a stranger's reading that waits for held`() {
    make(of: nil)
    #expect(fates(found(of: nil)) == [.held])
  }

  @Test func `takes a failed measurement that is stored as such for declined`() {
    make(SoakReading.failed)
    #expect(fates(found(SoakReading.failed)) == [.rejected])
  }

  // MARK: - Faults

  @Test func `sees a reading that is missing`() {
    make()
    make("121/80 60")
    #expect(fates(found()) == [.stored, .missing])
    #expect(SoakFate.missing.isFault)
  }

  @Test func `sees a reading that is stored twice`() {
    make()
    #expect(fates(found(), found()) == [.stored, .repeated])
    #expect(SoakFate.repeated.isFault)
  }

  @Test func `sees a reading that the server has in two forms`() {
    make()
    #expect(fates(found(forms: 2)) == [.repeated])
  }

  @Test func `sees a reading of another patient`() {
    make()
    #expect(fates(found(of: "other")) == [.misplaced])
    #expect(SoakFate.misplaced.isFault)
  }

  @Test func `sees a reading that another patient has, too`() {
    make()
    #expect(fates(found(), found(of: "other")) == [.stored, .invented])
  }

  @Test func `sees that two patients' readings are swapped`() {
    make("120/80 60", of: "one")
    make("121/80 60", of: "other", device: 2)
    #expect(
      fates(found("121/80 60", of: "one"), found("120/80 60", of: "other"))
        == [.misplaced, .misplaced])
  }

  @Test func `does not take another patient's own reading for the one that is missing`() {
    make(of: "one")
    make(of: "other", device: 2)
    #expect(Set(fates(found(of: "other"))) == [.missing, .stored])
  }

  @Test func `sees a reading that no device has made`() {
    make()
    #expect(fates(found(), found("99/66 60")) == [.stored, .invented])
    #expect(fates(found(), found(model: 10)) == [.stored, .invented])
    #expect(SoakFate.invented.isFault)
  }

  @Test func `sees a stranger's reading that a patient has`() {
    make(of: nil)
    #expect(fates(found(of: "one")) == [.misplaced])
  }

  @Test func `sees a patient's reading that is held`() {
    make()
    #expect(fates(found(of: nil)) == [.misplaced])
  }

  @Test func `sees a failed measurement that is stored as a reading`() {
    make(SoakReading.failed)
    #expect(Set(fates(found("2047/2047 0"))) == [.missing, .invented])
  }

  // MARK: - Reasons

  @Test func `excuses by an overwritten frame that frame alone`() {
    make(device: 1)
    make(device: 2)
    make("121/80 60", device: 1)
    ledger.overwrote(1, Self.frame)
    #expect(fates() == [.overwritten, .missing, .missing])
    #expect(!SoakFate.overwritten.isFault)
  }

  @Test func `excuses by an overwritten frame one of two readings that are alike`() {
    make()
    make()
    ledger.overwrote(1, Self.frame)
    #expect(fates() == [.overwritten, .missing])
  }

  @Test func `excuses by a killed process what its device has sent to it since`() {
    make(after: 0)
    make("121/80 60", after: 10)
    make("122/80 60", device: 2, after: 10)
    ledger.confirmedToKilled(1, since: Self.begin.addingTimeInterval(5))
    make("123/80 60", after: 20)
    #expect(fates() == [.missing, .lostWithProcess, .missing, .missing])
    #expect(!SoakFate.lostWithProcess.isFault)
  }

  @Test func `needs no reason for what has arrived all the same`() {
    make()
    ledger.overwrote(1, Self.frame)
    ledger.confirmedToKilled(1, since: .distantPast)
    #expect(fates(found()) == [.stored])
  }

  @Test func `names each fault in its report`() {
    make()
    let text = SoakReport(seed: 7, [:], ledger.settle([found(of: "other")])).text
    #expect(text.contains("seed 7"))
    #expect(text.contains("1  with ANOTHER PATIENT"))
    #expect(text.contains("with ANOTHER PATIENT: SoakReading"))
  }
}
