// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `A decision about the user` {
  private let decision = UserDecision(
    by: "nurse", at: Date(timeIntervalSince1970: 1_800_000_000.7))

  private func record(_ tags: [RecordTag]) -> HealthRecord {
    HealthRecord(
      logID: "a",
      time: RecordTime(
        start: Date(timeIntervalSince1970: 1_800_000_000), origin: .device,
        received: Date(timeIntervalSince1970: 1_800_000_000)),
      source: RecordSource(type: .bluetooth), metrics: [Metric(.pulse, 60)], tags: tags)
  }

  @Test func `takes the place of the mark that the user is unknown, and stays on the wire`() throws
  {
    let unknown = record([
      RecordTag(name: "user_unknown", value: "true"), RecordTag(name: "early", value: "true"),
    ])
    let decided = unknown.decided(decision)
    #expect(!decided.isOfUnknownUser && decided.userDecision == decision)
    #expect(decided.tags.map(\.name) == ["early", "user_decided_by", "user_decided_at"])
    #expect(decided.tags.last?.value == "2027-01-15T08:00:00Z")
    #expect(try HealthRecord(informJSON: decided.informJSON()).userDecision == decision)
  }

  @Test func `is replaced by a later one`() {
    let later = UserDecision(by: "doctor", at: decision.date + 60)
    let decided = record([]).decided(decision).decided(later)
    #expect(decided.userDecision == later && decided.tags.count == 2)
  }

  @Test func `is none where a part of it is missing or damaged`() {
    #expect(record([RecordTag(name: "user_decided_by", value: "nurse")]).userDecision == nil)
    let tags = [
      RecordTag(name: "user_decided_by", value: "nurse"),
      RecordTag(name: "user_decided_at", value: "yesterday"),
    ]
    #expect(record(tags).userDecision == nil)
  }

  // Nothing of it is filed under a patient, or sent to that patient's address.
  @Test(arguments: [FHIRProfile.standard, .phd])
  func `is needed for a form that names the patient`(profile: FHIRProfile) throws {
    let unknown = record([RecordTag(name: "user_unknown", value: "true")])
    let encoder = FHIREncoder(subject: "Patient/1", profile: profile)
    #expect(throws: RecordError.self) { try encoder.observations(of: unknown) }
    #expect(throws: RecordError.self) { try unknown.legacyForm() }
    #expect(try !encoder.observations(of: unknown.decided(decision)).isEmpty)
    #expect(throws: Never.self) { try unknown.decided(decision).legacyForm() }
  }
}
