// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioJSON
import SantorioMQTT
import TestSupport
import Testing

@testable import Hub

@Suite(.timeLimit(.minutes(15))) struct `Publisher for Home Assistant` {
  let folder: TemporaryFolder
  let broker: MosquittoBroker

  init() throws {
    folder = try TemporaryFolder()
    broker = try MosquittoBroker(in: folder)
  }

  private func state(_ metric: String, _ device: String = "cuff") -> String {
    "santorio/ward/anna/\(device)/\(metric)/state"
  }

  /// The value and the time that a topic shows.
  private func shown(_ view: HomeAssistantView, _ topic: String) throws -> String {
    let json = try view.json(topic)
    let value =
      switch json["value"] {
      case .number(let number): JSONWriter.text(number)
      case .null: "null"
      default: "?"
      }
    guard case .string(let time)? = json["time"] else { return value }
    return "\(value) at \(time.dropFirst(11).prefix(5))"
  }

  @Test func `shows a record to one who subscribes later`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    var record = HealthRecord(of: [
      Metric(.systolic, 121), Metric(.diastolic, 79), Metric(.pulse, 64),
    ])
    record.source.device?.batteryPercent = 80

    #expect(publisher.publish(record, patient: "anna", device: "cuff") == .shown(values: 4))
    try await sent(publisher)

    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    let node = "homeassistant/sensor/santorio--ward--anna--cuff"
    #expect(
      Set(view.topics.keys.filter { $0 != "end/mark" })
        == [
          "\(node)/systolic/config", "\(node)/diastolic/config", "\(node)/pulse/config",
          "\(node)/device--battery/config", state("systolic"), state("diastolic"),
          state("pulse"), state("device--battery"), "santorio/ward/availability",
          "santorio/ward/anna/cuff/availability",
        ])
    #expect(try shown(view, state("systolic")) == "121 at 07:30")
    #expect(try shown(view, state("device--battery")) == "80 at 07:31")
    #expect(view.text("santorio/ward/availability") == "online")
    #expect(view.text("santorio/ward/anna/cuff/availability") == "online")
    let config = try view.json("\(node)/diastolic/config")
    #expect(config["state_topic"] == .string(state("diastolic")))
    #expect(config["unit_of_measurement"] == .string("mmHg"))
    #expect(config["device"]?["sw_version"] == .string("1.2"))
  }

  @Test func `tells Home Assistant what a sensor is before its first state`() async throws {
    let view = try await HomeAssistantView(broker)
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    publisher.publish(
      HealthRecord(of: [Metric(.bodyWeight, 71.3)]), patient: "anna", device: "scale")
    try await sent(publisher)
    try await view.catchUp()

    let config = try #require(view.received.firstIndex { $0.hasSuffix("/config") })
    let state = try #require(view.received.firstIndex { $0.hasSuffix("/state") })
    #expect(config < state)
  }

  @Test func `does not let a late reading replace a later one`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    func publish(_ minutes: Double, _ value: Double) -> HomeAssistantPublisher.Outcome {
      let time = morning.addingTimeInterval(minutes * 60)
      return publisher.publish(
        HealthRecord("r\(minutes)", at: time, of: [Metric(.systolic, value)]), patient: "anna",
        device: "cuff")
    }

    #expect(publish(10, 120) == .shown(values: 1))
    #expect(publish(5, 110) == .late)
    #expect(publish(10, 121) == .shown(values: 1))
    try await sent(publisher)

    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(try shown(view, state("systolic")) == "121 at 07:40")
  }

  @Test func `does not let a late reading replace one of an earlier run`() async throws {
    let settings = HomeAssistantSettings(broker)
    let late = HealthRecord("late", at: morning, of: [Metric(.systolic, 100)])
    let later = HealthRecord(
      "later", at: morning.addingTimeInterval(60), of: [Metric(.systolic, 130)])
    let first = HomeAssistantPublisher(settings)
    first.publish(later, patient: "anna", device: "cuff")
    try await sent(first)
    await first.close()

    let view = try await HomeAssistantView(broker)
    let second = HomeAssistantPublisher(settings)
    // Whether it is published before the retained state arrives, or not at all.
    second.publish(late, patient: "anna", device: "cuff")
    try await sent(second)
    // What the client has received before this is handled before it, too.
    try await view.catchUp()
    second.setAvailability(false, of: "cuff", patient: "anna")
    try await view.wait(for: "santorio/ward/anna/cuff/availability", "offline")
    try await sent(second)
    try await view.catchUp()

    #expect(try shown(view, state("systolic")) == "130 at 07:31")
    #expect(second.publish(late, patient: "anna", device: "cuff") == .late)
  }

  @Test func `shows no reading of last year as the present one`() async throws {
    var settings = HomeAssistantSettings(broker)
    settings.expiry = 86_400
    let publisher = HomeAssistantPublisher(settings, now: { morning + 86_401 })
    var record = HealthRecord(of: [Metric(.systolic, 121)], received: morning + 86_401)
    #expect(publisher.publish(record, patient: "anna", device: "cuff") == .outdated)
    record.source.device?.batteryPercent = 80
    #expect(publisher.publish(record, patient: "anna", device: "cuff") == .shown(values: 1))
    try await sent(publisher)
    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(view.text(state("systolic")) == nil)
    #expect(view.text(state("device--battery")) != nil)
  }

  /// The state that remains at the broker of the reading of the morning, without an owner.
  private let outdated = #"{"value":null,"time":"2026-03-01T07:30:00+01:00","outdated":true}"#

  @Test func `removes a value that is not the present one any more`() async throws {
    var settings = HomeAssistantSettings(broker)
    settings.expiry = 86_400
    let (clock, time) = (ManualClock(), Locked(morning))
    let view = try await HomeAssistantView(broker)
    let publisher = HomeAssistantPublisher(settings, clock: clock, now: { time.withLock { $0 } })
    var record = HealthRecord(of: [Metric(.systolic, 121)])
    record.source.device?.batteryPercent = 80
    #expect(publisher.publish(record, patient: "anna", device: "cuff") == .shown(values: 2))
    try await sent(publisher)
    try await view.catchUp()
    #expect(view.text(state("systolic")) != nil)
    time.withLock { $0 = morning + 86_401 }
    #expect(await clock.sleepBegins { $0 == .seconds(60) } != nil)
    clock.advance(by: .seconds(60))
    try await view.wait(for: state("systolic"), outdated)
    try await sent(publisher)
    try await view.catchUp()
    // The entity stays, and says that it has no value.
    #expect(view.topics.keys.contains { $0.hasSuffix("/systolic/config") })
    #expect(view.text(state("device--battery")) != nil)

    // Another minute changes nothing.
    view.forget()
    #expect(await clock.sleepBegins { $0 == .seconds(60) } != nil)
    clock.advance(by: .seconds(60))
    #expect(await clock.sleepBegins { $0 == .seconds(60) } != nil)
    try await sent(publisher)
    try await view.catchUp()
    #expect(!view.received.contains(state("systolic")))
  }

  /// The second case forgets the device while the hub does not run.
  @Test(arguments: [false, true])
  func `takes back a sensor whose value is outdated when its device is forgotten`(
    isRestarted: Bool
  ) async throws {
    var settings = HomeAssistantSettings(broker)
    settings.expiry = 86_400
    let (clock, time) = (ManualClock(), Locked(morning))
    let now: @Sendable () -> Date = { time.withLock { $0 } }
    let view = try await HomeAssistantView(broker)
    let publisher = HomeAssistantPublisher(
      settings, patients: ["anna": ShownPatient("ward/u1", devices: ["cuff"])], clock: clock,
      now: now)
    publisher.publish(HealthRecord(of: [Metric(.systolic, 121)]), patient: "anna", device: "cuff")
    try await sent(publisher)
    time.withLock { $0 = morning + 86_401 }
    #expect(await clock.sleepBegins { $0 == .seconds(60) } != nil)
    clock.advance(by: .seconds(60))
    try await view.wait(until: { topics in
      let text = String(decoding: topics[state("systolic")] ?? [], as: UTF8.self)
      return text.hasPrefix(#"{"value":null,"#)
    })
    try await sent(publisher)

    let without = ["anna": ShownPatient("ward/u1", devices: [])]
    var next: HomeAssistantPublisher?
    if isRestarted {
      await publisher.close()
      next = HomeAssistantPublisher(settings, patients: without, now: now)
    } else {
      publisher.setAssignments(without)
    }
    try await view.wait(until: { topics in !topics.keys.contains { $0.contains("anna") } })
    try await sent(next ?? publisher)
  }

  @Test func `publishes nothing of a user who is not known`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    var unknown = HealthRecord(of: [Metric(.systolic, 120)])
    unknown.tags = [RecordTag(name: "user_unknown", value: "true")]

    #expect(publisher.publish(unknown, patient: "anna", device: "cuff") == .withheld)
    #expect(
      publisher.publish(
        HealthRecord(of: [Metric(.pulse, 60)], kind: .rejected), patient: "anna", device: "cuff")
        == .withheld)
    // Nor whether a device is there of which nothing is shown.
    publisher.setAvailability(true, of: "scale", patient: "anna")
    try await sent(publisher)

    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(Set(view.topics.keys) == ["end/mark", "santorio/ward/availability"])
  }

  @Test func `takes a value back that was entered in error`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    var record = HealthRecord("wrong", of: [Metric(.systolic, 120.5)])
    publisher.publish(record, patient: "anna", device: "cuff")
    record.enteredInError = morning

    #expect(publisher.publish(record, patient: "anna", device: "cuff") == .withheld)
    record.logID = "another"
    publisher.publish(record, patient: "bert", device: "cuff")
    try await sent(publisher)

    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(try shown(view, state("systolic")) == "null at 07:30")
    #expect(!view.topics.keys.contains { $0.contains("bert") })
    #expect(!view.topics.values.contains { String(decoding: $0, as: UTF8.self).contains("120.5") })
  }

  @Test func `takes back what is shown of one whose bed is another's now`() async throws {
    let settings = HomeAssistantSettings(broker)
    let bert = ShownPatient("ward/u2", devices: ["cuff"])
    let record = HealthRecord(of: [Metric(.systolic, 120)])
    let publisher = HomeAssistantPublisher(settings)
    publisher.setAssignments(["anna": ShownPatient("ward/u1", devices: ["cuff"]), "bert": bert])
    publisher.publish(record, patient: "anna", device: "cuff")
    publisher.publish(record, patient: "bert", device: "cuff")
    try await sent(publisher)

    let next = ShownPatient("ward/u3", devices: ["cuff"])
    publisher.setAssignments(["anna": next, "bert": bert])
    try await sent(publisher)
    var view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(!view.topics.keys.contains { $0.contains("anna") })
    #expect(view.topics.keys.contains(state("systolic").replacing("anna", with: "bert")))

    // The new one's are shown again, in another run, too; and one of a patient who is there no more
    // is not.
    publisher.publish(record, patient: "anna", device: "cuff")
    try await sent(publisher)
    await publisher.close()
    let second = HomeAssistantPublisher(settings, patients: ["anna": next])
    view = try await HomeAssistantView(broker, id: "another")
    try await view.wait(until: { !$0.keys.contains { $0.contains("bert") } })
    try await sent(second)
    #expect(try shown(view, state("systolic")) == "120 at 07:30")
    #expect(
      view.topics.keys.contains("homeassistant/sensor/santorio--ward--anna--cuff/systolic/config"))
  }

  @Test func `takes back all that is shown of a device`() async throws {
    let publisher = HomeAssistantPublisher(
      HomeAssistantSettings(broker),
      patients: ["anna": ShownPatient("ward/u1", devices: ["cuff", "cuff 2"])])
    let record = HealthRecord(of: [Metric(.systolic, 120), Metric(.pulse, 60)])
    publisher.publish(record, patient: "anna", device: "cuff")
    publisher.publish(record, patient: "anna", device: "cuff 2")
    try await sent(publisher)
    publisher.setAssignments(["anna": ShownPatient("ward/u1", devices: ["cuff 2"])])
    try await sent(publisher)

    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(!view.topics.keys.contains { $0.contains("anna/cuff/") || $0.contains("anna--cuff/") })
    #expect(view.topics.keys.contains(state("pulse", "cuff__2")))
  }

  @Test func `describes a sensor anew when its unit changes`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    var metric = Metric(.bloodGlucose, 99)
    publisher.publish(HealthRecord("1", of: [metric]), patient: "anna", device: "meter")
    metric.shown = ShownValue("5.5", unit: "mmol/L")
    publisher.publish(
      HealthRecord("2", at: morning.addingTimeInterval(60), of: [metric]), patient: "anna",
      device: "meter")
    // A late one in the old unit changes nothing.
    publisher.publish(
      HealthRecord("3", at: morning.addingTimeInterval(30), of: [Metric(.bloodGlucose, 90)]),
      patient: "anna", device: "meter")
    try await sent(publisher)

    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    let config = try #require(view.topics.keys.first { $0.hasSuffix("/config") })
    #expect(try view.json(config)["unit_of_measurement"] == .string("mmol/L"))
    #expect(try shown(view, state("blood_glucose", "meter")) == "5.5 at 07:31")
  }

  @Test func `shows all again after the broker has lost it`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    publisher.publish(HealthRecord(of: [Metric(.systolic, 120)]), patient: "anna", device: "cuff")
    try await sent(publisher)
    broker.stop()
    // Without a broker the latest of all counts.
    for minute in 1...3 {
      publisher.publish(
        HealthRecord(
          "r\(minute)", at: morning.addingTimeInterval(Double(minute) * 60),
          of: [Metric(.systolic, 120 + Double(minute))]), patient: "anna", device: "cuff")
    }
    publisher.publish(
      batteryPercent: 40, of: SensorDevice(name: "cuff"), patient: "anna", at: morning)

    try broker.restart()
    let view = try await HomeAssistantView(broker)
    try await view.wait(for: "santorio/ward/availability", "online")
    try await sent(publisher)
    try await view.catchUp()

    #expect(try shown(view, state("systolic")) == "123 at 07:33")
    #expect(try shown(view, state("device--battery")) == "40 at 06:30")
    #expect(view.topics.keys.filter { $0.hasSuffix("/config") }.count == 2)
    #expect(view.text("santorio/ward/anna/cuff/availability") == "online")
  }

  @Test func `describes the sensors again when Home Assistant starts`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    publisher.publish(HealthRecord(of: [Metric(.systolic, 120)]), patient: "anna", device: "cuff")
    try await sent(publisher)
    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    let config = "homeassistant/sensor/santorio--ward--anna--cuff/systolic/config"
    let content = try #require(view.text(config))
    view.forget()

    try await view.client.publish(
      MQTTMessage(topic: "homeassistant/status", payload: Array("offline".utf8)))
    try await view.client.publish(
      MQTTMessage(topic: "homeassistant/status", payload: Array("online".utf8)))
    try await view.wait(for: config, content)
    try await sent(publisher)
    try await view.catchUp()

    #expect(view.received.filter { $0 != "end/mark" } == [config])
  }

  @Test func `is offline after its end, and each device when it is said`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    let view = try await HomeAssistantView(broker)
    publisher.publish(HealthRecord(of: [Metric(.systolic, 120)]), patient: "anna", device: "cuff")
    publisher.setAvailability(false, of: "cuff", patient: "anna")
    try await view.wait(for: "santorio/ward/anna/cuff/availability", "offline")
    // A reading does not change what was said.
    publisher.publish(HealthRecord(of: [Metric(.pulse, 60)]), patient: "anna", device: "cuff")
    try await sent(publisher)

    await publisher.close()

    try await view.wait(for: "santorio/ward/availability", "offline")
    #expect(view.text("santorio/ward/anna/cuff/availability") == "offline")
    publisher.publish(HealthRecord(of: [Metric(.inr, 2)]), patient: "anna", device: "cuff")
    #expect(await publisher.flush() == false)
  }

  @Test func `returns at once without a broker`() async throws {
    broker.stop()
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    for number in 0..<1_000 {
      publisher.publish(
        HealthRecord("\(number)", of: [Metric(.systolic, 120)]), patient: "p\(number)",
        device: "cuff")
    }
    #expect(await publisher.flush() == false)
    await publisher.close()
  }

  @Test func `shows patients and devices of any names apart`() async throws {
    let names = [
      "a/b", "a-2fb", "a b", "#", "+", "$x", "Zoë", "👵🏽", String(repeating: "中", count: 60),
    ]
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker, hub: "Haus / Süd"))
    for (index, name) in names.enumerated() {
      publisher.publish(
        HealthRecord(of: [Metric(.pulse, Double(50 + index))]), patient: name, device: name)
    }
    try await sent(publisher)

    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    let configs = try view.topics.keys.filter { $0.hasSuffix("/config") }.map { topic in
      // As Home Assistant takes a topic of discovery apart.
      let levels = topic.split(separator: "/")
      #expect(levels.count == 5)
      #expect(
        topic.wholeMatch(of: /homeassistant\/sensor\/[a-zA-Z0-9_-]+\/[a-zA-Z0-9_-]+\/config/) != nil
      )
      return try view.json(topic)
    }
    #expect(configs.count == names.count)
    var values: [String: Double] = [:]
    for config in configs {
      guard case .string(let topic)? = config["state_topic"],
        case .string(let name)? = config["device"]?["name"],
        case .number(let value)? = try view.json(topic)["value"]
      else {
        Issue.record("a sensor lacks its state or its name")
        continue
      }
      values[name] = value
    }
    for (index, name) in names.enumerated() {
      #expect(values["\(name) (\(name))"] == Double(50 + index))
    }
  }

  @Test func `connects with a user over TLS`() async throws {
    let own = try TemporaryFolder()
    let certificate = try OpenSSLCertificate("server", of: "IP:127.0.0.1", in: own)
    let secured = try MosquittoBroker(
      [
        "allow_anonymous false", try MosquittoBroker.passwordFile("hub", "secret", in: own),
        "certfile \(certificate.certificate)", "keyfile \(certificate.key)",
      ], in: own)
    var settings = HomeAssistantSettings(hub: "ward", host: "127.0.0.1")
    settings.port = secured.port
    settings.caFile = certificate.certificate
    (settings.username, settings.password) = ("hub", Array("secret".utf8))
    try settings.validate()
    let publisher = HomeAssistantPublisher(settings)
    publisher.publish(HealthRecord(of: [Metric(.systolic, 120)]), patient: "anna", device: "cuff")
    try await sent(publisher)
    await publisher.close()
  }
}
