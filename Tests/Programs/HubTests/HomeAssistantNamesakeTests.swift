// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioMQTT
import TestSupport
import Testing

@testable import Hub

private let record = HealthRecord(of: [Metric(.systolic, 120), Metric(.pulse, 60)])

@Suite(.timeLimit(.minutes(15))) struct `Two hubs of one name at a broker` {
  let storage: TemporaryFolder
  let broker: MosquittoBroker

  init() throws {
    storage = try TemporaryFolder()
    broker = try MosquittoBroker(in: storage)
  }

  /// A hub that shows a patient's cuff.
  private func hub(
    _ installation: String, of patient: String, clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> HomeAssistantPublisher {
    var settings = HomeAssistantSettings(broker)
    settings.installation = installation
    let publisher = HomeAssistantPublisher(
      settings, patients: [patient: ShownPatient("ward/\(patient)", devices: ["cuff"])],
      clock: clock)
    publisher.publish(record, patient: patient, device: "cuff")
    try await sent(publisher)
    return publisher
  }

  /// How many topics there are of a patient: of discovery, states and the availability.
  private func count(of patient: String, in view: HomeAssistantView) -> Int {
    view.topics.keys.count { $0.contains("ward/\(patient)/") || $0.contains("ward--\(patient)--") }
  }

  @Test func `know of each other, and leave alone what the other one shows`() async throws {
    let view = try await HomeAssistantView(broker)
    let first = try await hub("one", of: "anna")
    #expect(!first.hasNamesake)
    let second = try await hub("two", of: "bert")
    for hub in [first, second] { while !hub.hasNamesake { try await view.catchUp() } }
    for hub in [first, second] { try await sent(hub) }

    try await view.catchUp()
    #expect(count(of: "anna", in: view) == 5)
    #expect(count(of: "bert", in: view) == 5)

    // What one takes back is its own.
    second.setAssignments([:])
    try await sent(second)
    try await view.catchUp()
    #expect(count(of: "anna", in: view) == 5)
    #expect(count(of: "bert", in: view) == 0)
  }

  @Test func `take back what the other one has left once it has gone`() async throws {
    let view = try await HomeAssistantView(broker)
    await (try await hub("one", of: "anna")).close()
    let clock = ManualClock()
    let second = try await hub("two", of: "bert", clock: clock)
    for _ in 0..<2 {
      #expect(await clock.sleepBegins { $0 == .seconds(60) } != nil)
      try await view.catchUp()
      #expect(count(of: "anna", in: view) == 5)
      clock.advance(by: .seconds(60))
    }
    try await view.wait(until: { topics in !topics.keys.contains { $0.contains("anna") } })
    #expect(!second.hasNamesake)
    try await sent(second)
    try await view.catchUp()
    #expect(count(of: "bert", in: view) == 5)
  }

  @Test func `do not count as two when one was silent for long`() {
    var namesakes = Namesakes("one")
    let isOther = namesakes.hear(Array("one".utf8))
    #expect(!isOther)
    let isNew = namesakes.hear(Array("two".utf8))
    let isNewAgain = namesakes.hear(Array("two".utf8))
    #expect(isNew && !isNewAgain)
    for _ in 0..<2 { _ = namesakes.endPeriod() }
    #expect(namesakes.areThere)
    _ = namesakes.endPeriod()
    #expect(!namesakes.areThere)
  }

  @Test func `have clients of their own`() {
    var settings = HomeAssistantSettings(hub: "ward", host: "x")
    settings.installation = "0f3a-11"
    #expect(settings.client.clientID == "santorio-ward-0f3a-11")
    #expect(settings.client.subscriptions.last == "santorio/ward/installation")
  }
}
