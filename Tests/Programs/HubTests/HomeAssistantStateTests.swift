// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import Hub

@Suite struct `State for Home Assistant` {
  private func payloads(_ record: HealthRecord) -> [String] {
    SensorState.states(of: record).map { String(decoding: $0.payload, as: UTF8.self) }
  }

  @Test func `has a value for each metric, with its time`() {
    let record = HealthRecord(of: [
      Metric(.systolic, 121), Metric(.diastolic, 79.5), Metric(.systolic, 130),
    ])
    #expect(
      payloads(record) == [
        #"{"value":121,"unit":"mmHg","time":"2026-03-01T07:30:00+01:00","time_is_known":true,"#
          + #""preliminary":false,"questionable":false,"record":"r1"}"#,
        #"{"value":79.5,"unit":"mmHg","time":"2026-03-01T07:30:00+01:00","time_is_known":true,"#
          + #""preliminary":false,"questionable":false,"record":"r1"}"#,
      ])
  }

  @Test func `shows what the display showed`() throws {
    var metric = Metric(.bloodGlucose, 99)
    metric.shown = ShownValue("5.50", unit: "mmol/L")
    let state = try #require(SensorState.states(of: HealthRecord(of: [metric])).first)
    #expect(state.digits == "5.50")
    #expect(state.unit == "mmol/L")
  }

  @Test func `says that a value is preliminary, questionable, or a bound`() {
    var record = HealthRecord(of: [
      Metric(.oxygenSaturation, 91), Metric(.bloodGlucose, absent: .aboveRange),
      Metric(.bodyWeight, 200, bound: .above),
    ])
    record.tags = [
      RecordTag(name: "early_estimate", value: "true"),
      RecordTag(name: "poor_signal", value: "true"),
    ]
    let states = SensorState.states(of: record)
    #expect(states.map(\.isPreliminary) == [true, true, true])
    #expect(states.map(\.isQuestionable) == [true, false, false])
    #expect(
      payloads(record)[1].hasPrefix(#"{"value":null,"unit":"mg/dL""#)
        && payloads(record)[1].contains(#""absence":"above_range""#))
    #expect(payloads(record)[2].contains(#""bound":"above""#))
  }

  @Test func `has the latest reading of a glucose monitor`() {
    var record = HealthRecord(of: [], kind: .cgm, received: morning.addingTimeInterval(900))
    record.series = [
      MetricSeries([
        GlucoseReading(time: morning.addingTimeInterval(600), value: 110),
        GlucoseReading(time: morning, value: 100),
      ])
    ]
    let states = SensorState.states(of: record)
    #expect(states.map(\.digits) == ["110"])
    #expect(states.map(\.time) == [morning.addingTimeInterval(600)])
  }

  @Test func `is never later than the receipt`() {
    let record = HealthRecord(
      at: morning.addingTimeInterval(1e9), of: [Metric(.pulse, 60)], received: morning)
    #expect(SensorState.states(of: record).map(\.time) == [morning])
  }

  @Test func `is there for nothing that is no reading and for no unknown user`() {
    #expect(payloads(HealthRecord(of: [Metric(.pulse, 60)], kind: .rejected)).isEmpty)
    let device = SourceDevice(id: "cuff", batteryPercent: 8)
    #expect(
      payloads(
        HealthRecord(
          deviceStatus: .lowBattery, of: device, since: morning, at: morning, message: "Charge it.")
      ).isEmpty)
    var record = HealthRecord(of: [Metric(.pulse, 60)])
    record.tags = [RecordTag(name: "user_unknown", value: "true")]
    record.source.device?.batteryPercent = 50
    #expect(payloads(record).isEmpty)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00+00:00", nil),
      (1_772_346_600_250, "2026-03-01T07:30:00.250+01:00", 3600),
      (1_772_346_600_000, "2026-03-01T02:30:00-04:00", -14_400),
      (1_772_346_600_007, "2026-03-01T12:00:00.007+05:30", 19_800),
    ] as [(Int, String, Int?)])
  func `can be read back`(_ milliseconds: Int, _ time: String, _ offset: Int?) throws {
    var state = SensorState.battery(
      7, at: Date(timeIntervalSince1970: Double(milliseconds) / 1000), offset)
    state.record = "r\"1"
    state.owner = "0a1b"
    let text = String(decoding: state.payload, as: UTF8.self)
    #expect(text.contains("\"time\":\"\(time)\""))
    #expect(
      SensorState.published(state.payload)
        == .state(milliseconds: milliseconds, record: "r\"1", owner: "0a1b"))
  }

  @Test func `without its value is recognised still, and published by this hub`() throws {
    var state = try #require(
      SensorState.states(of: HealthRecord(of: [Metric(.systolic, 121)])).first)
    (state.owner, state.hub) = ("0a1b", "former")
    let outdated = try #require(SensorState.outdated(state.payload, hub: "this"))
    #expect(
      String(decoding: outdated, as: UTF8.self)
        == #"{"value":null,"time":"2026-03-01T07:30:00+01:00","outdated":true,"owner":"0a1b","#
        + #""hub":"this"}"#)
    #expect(
      SensorState.published(outdated)
        == .state(milliseconds: 1_772_346_600_000, record: nil, owner: "0a1b"))
    #expect(SensorState.outdated(outdated, hub: "this") == outdated)
    #expect(SensorState.outdated(Array("5".utf8), hub: "this") == nil)
  }

  @Test(arguments: ["", "{}", "5", #"{"time":"x"}"#, #"{"time":"2026-03-01T07:30:00Z"}"#])
  func `is not read from what is none`(_ text: String) {
    #expect(SensorState.published(Array(text.utf8)) == nil)
  }
}

@Suite struct `Retained topics` {
  private func state(_ milliseconds: Int) -> RetainedTopics.Content {
    .state(milliseconds: milliseconds, record: nil, owner: nil)
  }

  /// Takes all that is to be sent, as acknowledged.
  private func drain(_ topics: inout RetainedTopics) -> [String] {
    var sent: [String] = []
    while let next = topics.next() {
      sent.append("\(next.topic)=\(String(decoding: next.payload, as: UTF8.self))")
      topics.settle(next.topic, change: next.change)
    }
    return sent
  }

  @Test func `send the latest message of each topic once`() {
    var topics = RetainedTopics()
    _ = topics.set("a", state(1), [0x31])
    _ = topics.set("b", .discovery, [0x32])
    #expect(topics.set("a", state(2), [0x33]) == true)
    #expect(drain(&topics) == ["b=2", "a=3"])
    #expect(topics.set("b", .discovery, [0x32]) == true)
    #expect(drain(&topics).isEmpty)
  }

  @Test func `keep a later state`() {
    var topics = RetainedTopics()
    _ = topics.set("a", state(2), [0x32])
    #expect(topics.set("a", state(1), [0x31]) == false)
    #expect(topics.set("a", state(2), [0x33]) == true)
    #expect(drain(&topics) == ["a=3"])
  }

  @Test func `send a message that changed while it was sent`() throws {
    var topics = RetainedTopics()
    _ = topics.set("a", state(1), [0x31])
    let next = topics.next()
    let first = try #require(next)
    _ = topics.set("a", state(2), [0x32])
    topics.settle(first.topic, change: first.change)
    #expect(drain(&topics) == ["a=2"])
  }

  @Test func `send again what is wanted, in the order of changes`() {
    var topics = RetainedTopics()
    for name in ["c", "a", "b"] { _ = topics.set(name, .discovery, Array(name.utf8)) }
    _ = topics.set("s", state(1), [0x31])
    _ = drain(&topics)
    topics.sendAgain { $0 == .discovery }
    #expect(drain(&topics) == ["c=c", "a=a", "b=b"])
    topics.sendAgain { _ in true }
    #expect(drain(&topics) == ["c=c", "a=a", "b=b", "s=1"])
  }

  @Test func `adopt a later state and restore it`() {
    var topics = RetainedTopics()
    topics.adopt("new", state(5), [0x35])
    #expect(drain(&topics).isEmpty)
    #expect(topics.set("new", state(4), [0x34]) == false)
    _ = topics.set("old", state(1), [0x31])
    _ = drain(&topics)
    topics.adopt("old", state(3), [0x33])
    #expect(drain(&topics) == ["old=3"])
    topics.adopt("old", state(2), [0x32])
    #expect(drain(&topics).isEmpty)
  }

  @Test func `are sent empty once when they are taken back, and are there no more`() {
    var topics = RetainedTopics()
    _ = topics.set("a", state(5), [0x35])
    topics.withdraw("a")
    #expect(topics.content("a") == nil)
    #expect(drain(&topics) == ["a="])
    topics.sendAgain { _ in true }
    #expect(drain(&topics).isEmpty)
    // What is earlier may be shown then: it is another's.
    topics.withdraw("a")
    #expect(topics.set("a", state(1), [0x31]) == true)
    #expect(drain(&topics) == ["a=1"])
  }

  @Test func `are all taken back, however many there are`() {
    var topics = RetainedTopics()
    let names = (0..<6_000).map { "ward/p\($0)/cuff/pulse/state" }
    for name in names { _ = topics.set(name, state(1), [0x31]) }
    _ = drain(&topics)
    #expect(topics.states.count == 6_000)
    for name in names { topics.withdraw(name) }
    // Others come before anything could be sent.
    for name in names { _ = topics.set(name.replacing("/p", with: "/q"), state(2), [0x32]) }
    #expect(topics.withdrawnCount == 6_000)
    let sent = drain(&topics)
    #expect(Set(sent).isSuperset(of: names.map { "\($0)=" }))
    #expect(topics.count == 6_000)
    #expect(topics.withdrawnCount == 0)
  }

  @Test func `are sent in the order of changes, however often they change before`() {
    var topics = RetainedTopics()
    for number in 0..<1_000 {
      _ = topics.set("a", state(number), Array("\(number)".utf8))
      _ = topics.set("b", state(number), Array("\(number)".utf8))
    }
    topics.withdraw("a")
    #expect(drain(&topics) == ["b=999", "a="])
  }

  @Test func `do not let a state of the future hide one of now`() {
    let now = 1_772_346_600_000
    let lead = 300_000
    var topics = RetainedTopics(now: { morning })
    topics.adopt("near", state(now + lead), [0x31])
    topics.adopt("far", state(now + lead + 1), [0x31])
    #expect(topics.set("near", state(now), [0x32]) == false)
    #expect(topics.isLate(state(now), for: "near") && !topics.isLate(state(now), for: "far"))
    #expect(topics.set("far", state(now), [0x32]) == true)
    #expect(drain(&topics) == ["far=2"])

    // Nor does it come back when the broker hands it out after that.
    topics.adopt("far", state(now + lead + 1), [0x31])
    #expect(drain(&topics).isEmpty)
    #expect(topics.content("far") == state(now))
  }

  @Test func `know the states of a device`() {
    var topics = RetainedTopics()
    let (one, other) = ("h/anna/cuff/pulse/state", "h/anna/cuff/systolic/state")
    for name in [one, other, "h/anna/scale/weight/state"] { _ = topics.set(name, state(1), []) }
    _ = topics.set("h/anna/cuff/availability", .availability, [])
    #expect(topics.states(in: "h/anna/cuff") == [one, other])
    topics.withdraw(one)
    #expect(topics.states(in: "h/anna/cuff") == [other])
    topics.withdraw(other)
    #expect(topics.states(in: "h/anna/cuff").isEmpty)
    #expect(topics.states == ["h/anna/scale/weight/state"])
  }
}
