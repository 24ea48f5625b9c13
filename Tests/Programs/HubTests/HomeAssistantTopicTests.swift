// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioMQTT
import TestSupport
import Testing

@testable import Hub

@Suite struct `Names in topics of Home Assistant` {
  @Test(arguments: [
    ("Anna7", "Anna7"), ("bed-1", "bed-1"), ("body_weight", "body_weight"),
    ("oma anna", "oma__anna"), ("a/b", "a-_2fb"), ("a+#", "a-_2b-_23"), ("a-", "a-_2d"),
    ("a--b", "a-_2d-b"), ("a__b", "a-_5f-_5fb"), ("a _b", "a__-_5fb"), ("a_ b", "a-_5f__b"),
    ("é", "-_c3-_a9"), ("👵", "-_f0-_9f-_91-_b5"),
    ("", "-_xe3b0c44298fc1c149afbf4c8996fb924"),
  ])
  func `are made safe`(_ name: String, _ segment: String) {
    #expect(TopicSegment.text(name) == segment)
  }

  @Test func `are cut when they are long, and differ still`() {
    let long = String(repeating: "ü", count: 100)
    let segments = [long, long + "a", long + "b"].map(TopicSegment.text)
    #expect(segments.allSatisfy { (95...96).contains($0.utf8.count) })
    #expect(Set(segments).count == 3)
    #expect(TopicSegment.text(String(repeating: "a", count: 96)).hasSuffix("aaaa"))
  }

  @Test func `never collide and never leave their level`() {
    var generator = SeededGenerator(seed: 17)
    let letters = Array("abAB01_-/+# $\u{0}éü\u{301}👵🏽中\"\\{}%")
    var segments: [String: [UInt8]] = [:]
    for _ in 0..<cases(few: 5_000, many: 100_000) {
      let length = Int.random(in: 0...6, using: &generator)
      let name = String((0..<length).map { _ in letters.randomElement(using: &generator) ?? "a" })
      let segment = TopicSegment.text(name)
      #expect(segment.utf8.allSatisfy { TopicSegment.isPlain($0) || $0 == 0x2d })
      #expect(!segment.isEmpty && !segment.contains("--") && segment.last != "-")
      let known = segments.updateValue(Array(name.utf8), forKey: segment)
      #expect(known == nil || known == Array(name.utf8))
    }
  }

  @Test func `keep patients and devices apart in one identifier`() {
    let topics = HomeAssistantTopics(HomeAssistantSettings(hub: "h", host: "x"))
    #expect(topics.node("c", "a-b") != topics.node("b-c", "a"))
    #expect(topics.node("c", "a--b") != topics.node("b--c", "a"))
    #expect(topics.node("c", "a-b") == "santorio--h--a-b--c")
  }

  @Test func `differ between a metric and what else a device has`() {
    #expect(
      SensorObject.metric(MetricType(rawValue: "device--battery")).id != SensorObject.battery.id)
    let topics = HomeAssistantTopics(HomeAssistantSettings(hub: "h", host: "x"))
    let metric = SensorObject.metric(MetricType(rawValue: "availability"))
    #expect(
      topics.state(metric, "d", patient: "p") != topics.availability("d", patient: "p"))
    #expect(
      topics.subject(of: topics.state(metric, "d/e", patient: "p q"))
        == .state(DevicePlace(patient: "p__q", device: "d-_2fe"), object: "availability"))
    #expect(
      topics.subject(of: topics.availability("d", patient: "p"))
        == .availability(DevicePlace(patient: "p", device: "d")))
    let others = [
      topics.hubAvailability, "santorio/h2/p/d/m/state", "santorio/h/p/d/m/n/state",
      "santorio/h/p//m/state", "santorio/h/p/d/é/state",
      "santorio/h/\(String(repeating: "p", count: 97))/d/m/state",
    ]
    for topic in others { #expect(topics.subject(of: topic) == nil, "\(topic)") }
  }
}

@Suite struct `Settings of Home Assistant` {
  private func failure(_ change: (inout HomeAssistantSettings) -> Void) -> String? {
    var settings = HomeAssistantSettings(hub: "ward", host: "broker.example")
    change(&settings)
    do throws(HomeAssistantSettings.Failure) {
      try settings.validate()
      return nil
    } catch {
      return error.setting
    }
  }

  @Test func `are right with a name and a host`() {
    #expect(failure { _ in } == nil)
  }

  @Test func `name what cannot be used`() {
    #expect(failure { $0.hub = "" } == "hub")
    #expect(failure { $0.host = "" } == "host")
    #expect(failure { $0.port = 0 } == "port")
    #expect(failure { $0.port = 65_536 } == "port")
    #expect(failure { $0.certificate = "/c" } == "key")
    #expect(failure { $0.key = "/k" } == "certificate")
    #expect(failure { ($0.caFile, $0.usesTLS) = ("/ca", false) } == "caFile")
    #expect(failure { $0.caFile = "" } == "caFile")
    #expect(failure { $0.username = "" } == "username")
    #expect(failure { $0.password = [1] } == "password")
    #expect(failure { ($0.username, $0.password) = ("u", [1, 0]) } == "password")
  }

  @Test(arguments: ["", "/", "a/", "/a", "a//b", "a b", "a/#", "+", "$SYS", "é"])
  func `refuse a prefix that is no topic`(_ prefix: String) {
    #expect(failure { $0.prefix = prefix } == "prefix")
    #expect(failure { $0.discoveryPrefix = prefix } == "discoveryPrefix")
  }

  @Test func `make a client that is encrypted by default`() {
    let settings = HomeAssistantSettings(hub: "ward 1", host: "broker.example")
    #expect(settings.client.port == 8883)
    #expect(settings.client.tls != nil)
    #expect(settings.client.clientID == "santorio-ward__1")
    #expect(settings.client.presence?.topic == "santorio/ward__1/availability")
    #expect(
      settings.client.subscriptions == [
        "homeassistant/status", "santorio/ward__1/+/+/+/state",
        "santorio/ward__1/+/+/availability",
      ])
  }
}
