// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import IngestServer

/// What the page shows of each patient, in a real browser where there is one.
@Suite(.enabled(if: Browser.isInstalled, "needs chromium-driver"), .serialized)
struct `Patients on the live page` {
  private static let text = """
    [...document.querySelectorAll('#cards .patient:not([hidden])')].map(card => [
      card.querySelector('h3').textContent,
      ...[...card.querySelectorAll('.notice strong')].map(one => 'notice ' + one.textContent),
      ...[...card.querySelectorAll('tbody tr')].map(row => [
        row.querySelector('.name').textContent, row.querySelector('.value').textContent,
        row.querySelector('svg')?.getAttribute('aria-label') || row.querySelector('.trend').textContent,
        ...[...row.querySelectorAll('.mark')].map(mark => mark.textContent)].join('; ')),
      ...[...card.children].filter(one => one.matches('p')).map(one => one.textContent),
    ])
    """
  private static let isLoaded = "past === 'loaded' && waiting.size === 0"

  private let test: TestServer
  private let now = Date()

  init() throws { test = try TestServer() }

  private func record(
    _ logID: String, daysAgo: Double, _ metrics: [Metric], tags: [RecordTag] = []
  ) -> HealthRecord {
    let time = now.addingTimeInterval(-daysAgo * 86_400)
    return HealthRecord(
      logID: logID, time: RecordTime(start: time, origin: .device, received: time),
      source: RecordSource(
        type: .bluetooth, device: SourceDevice(id: "1", manufacturer: "Beurer", model: "BM54")),
      metrics: metrics, tags: tags)
  }

  private func pressure(_ systolic: Double, _ diastolic: Double) -> [Metric] {
    [Metric(.systolic, systolic), Metric(.diastolic, diastolic)]
  }

  private func status(_ finding: DeviceStatusFinding, daysAgo: Double) -> HealthRecord {
    HealthRecord(
      deviceStatus: finding,
      of: SourceDevice(id: "1", manufacturer: "Beurer", model: "BM54", batteryPercent: 8),
      since: now.addingTimeInterval(-daysAgo * 86_400),
      at: now.addingTimeInterval(-daysAgo * 86_400), message: "Put new batteries in.")
  }

  private func store(_ records: [HealthRecord], of user: IngestUser? = nil) throws {
    let user = user ?? test.alice
    let lines = try records.map { String(decoding: try $0.informJSON(), as: UTF8.self) + "\n" }
    let reply = try test.client.request(
      "POST", TestServer.path(user) + "/records:batch", token: user.token,
      type: "application/x-ndjson", body: lines.joined())
    #expect(reply.status == 200)
  }

  private func open() throws -> Browser {
    let browser = try Browser()
    try browser.open("http://127.0.0.1:\(test.server.port)/#token=\(TestServer.adminToken)")
    return browser
  }

  private func cards(
    _ browser: Browser, when condition: String = isLoaded
  ) throws -> [[String]] {
    try #require(try browser.value(of: Self.text, when: condition) as? [[String]])
  }

  @Test func `are shown with the latest value of each quantity and its course`() throws {
    try store([
      record("1", daysAgo: 3, pressure(141, 88) + [Metric(.pulse, 61)]),
      record(
        "3", daysAgo: 1, pressure(128, 84), tags: [.init(name: "irregular_pulse", value: "true")]),
      record("2", daysAgo: 2, pressure(150, 90)),
      record("4", daysAgo: 40, [Metric(.bodyWeight, 80.5)]),
    ])
    #expect(
      try cards(open()) == [
        [
          "alice",
          "Blood pressure; 128/84 mmHg; "
            + "3 readings in 4 weeks, 128 to 150 / 84 to 90 mmHg, 1 with a finding; Irregular pulse",
          "Pulse rate; 61 bpm; one reading in 4 weeks", "Body weight; 80.5 kg; none in 4 weeks",
        ]
      ])
  }

  @Test func `have no values of what is no reading, not theirs or entered in error`() throws {
    var rejected = record("rejected", daysAgo: 0.1, [Metric(.pulse, 41)])
    rejected.kind = .rejected
    var wrong = record("wrong", daysAgo: 0.2, [Metric(.pulse, 42)])
    wrong.enteredInError = now
    try store([
      record("good", daysAgo: 1, [Metric(.pulse, 60)]), rejected, wrong,
      record(
        "unknown", daysAgo: 0.3, [Metric(.pulse, 43)],
        tags: [.init(name: "user_unknown", value: "true")]),
    ])
    #expect(
      try cards(open()) == [
        [
          "alice", "Pulse rate; 60 bpm; one reading in 4 weeks",
          "1 reading is of a person whom the device does not know, and not shown here.",
        ]
      ])
  }

  @Test func `have notices of their devices until these end`() throws {
    try store([status(.lowBattery, daysAgo: 3), status(.silent, daysAgo: 2)])
    let browser = try open()
    #expect(
      try cards(browser) == [
        [
          "alice", "notice Beurer BM54: not heard", "notice Beurer BM54: battery low, 8\u{a0}%",
          "No reading in what is loaded.",
        ]
      ])

    try store([status(.heardAgain, daysAgo: 1)])

    let card = try cards(browser, when: "document.querySelectorAll('.notice').length === 1")
    #expect(card.first?.contains("notice Beurer BM54: battery low, 8\u{a0}%") == true)
  }

  @Test func `change as readings arrive, are deleted and are erased`() throws {
    try store([record("1", daysAgo: 1, pressure(141, 88))])
    let browser = try open()
    _ = try cards(browser)

    try store([record("2", daysAgo: 0, pressure(120, 80))])
    let shows = { (text: String) in
      "document.querySelector('#cards .value')?.textContent === '\(text) mmHg'"
    }
    #expect(try cards(browser, when: shows("120/80"))[0][1].contains("2 readings"))

    #expect(try test.request("DELETE", test.records + "/2").status == 204)
    #expect(try cards(browser, when: shows("141/88"))[0][1].contains("one reading"))

    let erased = try test.client.request(
      "DELETE", TestServer.path(test.alice), token: TestServer.adminToken)
    #expect(erased.status == 204)
    #expect(try cards(browser, when: "!document.querySelector('#cards .patient')").isEmpty)
  }

  @Test func `are shown with readings before the latest fifty arrivals`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    try store(
      (0..<20).map { record("\($0)", daysAgo: 20 - Double($0), [Metric(.pulse, 60 + Double($0))]) })
    try store(
      (0..<60).map { record("\($0)", daysAgo: 1, [Metric(.bodyWeight, 80 + Double($0))]) }, of: bob)
    _ = try test.server.createUser(organization: "acme", uid: "carol")
    let browser = try open()
    let list = try cards(
      browser, when: Self.isLoaded + " && !document.getElementById('without').hidden")
    #expect(list.map(\.first) == ["alice", "bob"])
    #expect(list.first?.last == "Pulse rate; 79 bpm; 20 readings in 4 weeks, 60 to 79 bpm")
    let without = try browser.value(
      of: "document.getElementById('empty-patients').textContent", when: "true")
    #expect(without as? String == "carol")
  }

  @Test func `A card keeps the latest thousand readings and names their period`() throws {
    for start in stride(from: 0, to: 1_300, by: 100) {
      try store(
        (start..<start + 100).map {
          record("\($0)", daysAgo: 20 - Double($0) / 144, [Metric(.pulse, 60)])
        })
    }
    try store([record("weight", daysAgo: 27, [Metric(.bodyWeight, 80.5)])])
    let browser = try open()
    let label = "document.querySelector('#cards svg')?.getAttribute('aria-label')"
    let text = try browser.value(of: label, when: "\(Self.isLoaded) && \(label)?.includes('since')")
    let count = try #require((text as? String)?.split(separator: " ").first.flatMap { Int($0) })
    // The weight is one of the thousand.
    #expect((999...1_200).contains(count))
    // The latest value of each quantity stays, however old it is.
    #expect(try cards(browser)[0].contains { $0.hasPrefix("Body weight; 80.5 kg") })
  }

  @Test func `are found and put in order`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    try store([record("1", daysAgo: 2, [Metric(.pulse, 60)])])
    try store(
      [record("1", daysAgo: 1, [Metric(.pulse, 70)]), status(.bondLost, daysAgo: 1)], of: bob)
    let browser = try open()
    let both = Self.isLoaded + " && document.querySelectorAll('#cards .patient').length === 2"
    #expect(try cards(browser, when: both).map(\.first) == ["alice", "bob"])

    let choose = { (id: String, value: String, event: String) in
      "(document.getElementById('\(id)').value = '\(value)', "
        + "document.getElementById('\(id)').dispatchEvent(new Event('\(event)')), true)"
    }
    #expect(
      try cards(browser, when: choose("order", "notices", "change")).map(\.first)
        == ["bob", "alice"])
    #expect(
      try cards(browser, when: choose("order", "oldest", "change")).map(\.first)
        == ["alice", "bob"])
    #expect(try cards(browser, when: choose("find", "BO", "input")).map(\.first) == ["bob"])
  }
}
