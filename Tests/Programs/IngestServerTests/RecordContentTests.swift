// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import IngestServer
import CivilCalendar

@Suite struct `Content of a record` {
  private func record(
    start: Double = 1_718_464_647, offset: Int = 7200, received: Double = 1_718_466_000,
    deviceTime: String? = "2024-06-15T17:17:27", battery: Int = 90, systolic: Double = 120
  ) -> HealthRecord {
    HealthRecord(
      logID: "a",
      time: RecordTime(
        start: Date(timeIntervalSince1970: start), utcOffsetSeconds: offset,
        offsetOrigin: .source, origin: .device,
        deviceTime: deviceTime.flatMap { LocalDateTime($0) },
        received: Date(timeIntervalSince1970: received)),
      source: RecordSource(
        type: .bluetooth, device: SourceDevice(id: "1", batteryPercent: battery)),
      metrics: [Metric(.systolic, systolic)])
  }

  @Test func `is the same when the device is read again later or by another receiver`() {
    let again = record(start: 1_718_471_847, offset: 0, received: 1_718_500_000, battery: 40)
    #expect(record().contentDigest == again.contentDigest)
  }

  @Test func `includes the time and the UTC offset if a user entered them`() {
    func entered(start: Double = 1_718_464_647, offset: Int = 7200) -> [UInt8] {
      var changed = record(start: start, offset: offset)
      changed.time.origin = .user
      return changed.contentDigest
    }
    #expect(
      Set([record().contentDigest, entered(), entered(start: 0), entered(offset: 0)]).count == 4)
    #expect(entered() == record(deviceTime: nil).contentDigest)
  }

  @Test func `excludes times that no user entered`() {
    for origin in [RecordTime.Origin.deviceCorrected, .received, .unknown] {
      var changed = record()
      changed.time.origin = origin
      #expect(changed.contentDigest == record().contentDigest)
    }
  }

  @Test func `includes the values and the device's time`() {
    #expect(record().contentDigest != record(systolic: 121).contentDigest)
    #expect(
      record().contentDigest != record(deviceTime: "2024-06-15T17:17:28").contentDigest)
  }

  @Test func `includes the receiver's time if the device reports none`() {
    let first = record(deviceTime: nil)
    #expect(first.contentDigest == record(received: 0, deviceTime: nil).contentDigest)
    #expect(first.contentDigest != record(start: 1_718_464_648, deviceTime: nil).contentDigest)
    #expect(first.contentDigest != record(offset: 0, deviceTime: nil).contentDigest)
  }

  // Of ["measurement","2024-06-15T17:17:27",0,[["systolic",120,"mmHg","device"]],[],[]], by Python.
  @Test func `keeps the digest of the first version`() {
    let digest = record().contentDigest.map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }

    #expect(
      digest.joined() == "e72e26592e1090b98d9a59be3fc516a59cd8b7c7081b3ecade1c07f100e433fc")
  }

  // Of the same text with one more element, by Python: {"series":[{"type":"steps","unit":"count",
  // "origin":"device","points":[["2024-06-15T15:17:27Z",1]],"readings":[]}],"segments":[],
  // "extras":[],"media":[]}.
  @Test func `keeps the digest of the first version with series`() {
    var day = record()
    day.series = [MetricSeries(.steps, [DataPoint(time: Self.base, value: 1)])]
    let digest = day.contentDigest.map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }

    #expect(digest.joined() == "01bbc6463680196688e126170eb9c517c24eb070a9c0344db80df617b6b444a6")
  }

  @Test func `excludes what the device showed`() throws {
    var shown = record()
    shown.metrics[0].shown = ShownValue("16.0", unit: "kPa")

    try #require(shown != record())
    #expect(shown.contentDigest == record().contentDigest)
  }

  // A record whose only extra is null had the first version's digest when null was read as none.
  @Test func `keeps the digest of a record whose extras say nothing`() {
    var silent = record()
    silent.extras = ["a": .null]

    #expect(silent.contentDigest == record().contentDigest)
  }

  // Of ["measurement","2024-06-15T17:17:27",0,[["systolic",120,"mmHg","device"]],[],[],{"series":[],
  // "segments":[],"extras":[["a",{"b":[1,null,"x"],"c":true}]],"media":[]}], by Python.
  @Test func `digests lists and objects as their JSON, in the order of the names`() {
    var nested = record()
    nested.extras = ["a": ["c": true, "b": [1, .null, "x"]]]
    let digest = nested.contentDigest.map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }

    #expect(digest.joined() == "ee5305cab8791b1adb23572365cd77883f72bec59c0f5bd427af313f7c671ff2")
  }

  private static let base = Date(timeIntervalSince1970: 1_718_464_647)
  private static let food = NutritionSegment.Food(
    name: "Bread", brand: "Mill", metrics: [Metric(MetricType(rawValue: "energy"), 90)],
    serving: .init(amount: 1, unitName: "slice"))

  /// Changes of one member each; no two may have the same digest.
  private static let changes: [@Sendable (inout HealthRecord) -> Void] = [
    { _ in },
    { $0.category = "fitness" },
    { $0.name = "fitness" },
    { $0.intensity = "fitness" },
    { $0.granularity = Granularity(interval: 1, unit: "min") },
    { $0.granularity = Granularity(interval: 5, unit: "min") },
    { $0.granularity = Granularity(interval: 1, unit: "h") },
    { $0.extras = ["a": "1"] },
    { $0.extras = ["a": 1] },
    { $0.extras = ["a": true] },
    { $0.extras = ["b": "1"] },
    { $0.extras = ["a": []] },
    { $0.extras = ["a": ["1"]] },
    { $0.extras = ["a": [1]] },
    { $0.extras = ["a": [.null]] },
    { $0.extras = ["a": [:]] },
    { $0.extras = ["a": ["b": 1]] },
    { $0.extras = ["a": ["b": [1]]] },
    { $0.media = [RecordMedia(of: [1], contentType: "image/png")] },
    { $0.media = [RecordMedia(of: [2], contentType: "image/png")] },
    { $0.series = [MetricSeries(.steps, [DataPoint(time: base, value: 1)])] },
    { $0.series = [MetricSeries(.steps, [DataPoint(time: base, value: 2)])] },
    { $0.series = [MetricSeries(.steps, [DataPoint(time: base, end: base, value: 1)])] },
    { $0.series = [MetricSeries(.steps, [DataPoint(time: base, end: base + 1, value: 1)])] },
    { $0.series = [MetricSeries(.steps, [DataPoint(time: base + 1, value: 1)])] },
    { $0.series = [MetricSeries(.steps, [DataPoint(time: base, value: 1)], unit: "km")] },
    { $0.series = [MetricSeries(.steps, [DataPoint(time: base, value: 1)], origin: .manual)] },
    { $0.series = [MetricSeries([GlucoseReading(time: base, value: 99)])] },
    { $0.series = [MetricSeries([GlucoseReading(time: base, value: 98)])] },
    { $0.series = [MetricSeries([GlucoseReading(time: base, value: 99, isScheduled: true)])] },
    { $0.series = [MetricSeries([GlucoseReading(time: base, value: 99, deviceID: "1")])] },
    {
      $0.series = [
        MetricSeries([
          GlucoseReading(
            time: base, value: 99, displayTime: LocalDateTime("2024-06-15T17:17:27"))
        ])
      ]
    },
    { $0.segments = [NutritionSegment(name: "Lunch", metrics: [])] },
    { $0.segments = [NutritionSegment(name: "Lunch", metrics: [Metric(.water, 200)])] },
    { $0.segments = [NutritionSegment(name: "Lunch", metrics: [], food: [food])] },
    {
      var half = food
      half.serving?.amount = 0.5
      $0.segments = [NutritionSegment(name: "Lunch", metrics: [], food: [half])]
    },
    {
      var other = food
      other.brand = nil
      $0.segments = [NutritionSegment(name: "Lunch", metrics: [], food: [other])]
    },
  ]

  @Test func `includes every member`() {
    let digests = Self.changes.map { change in
      var changed = record()
      change(&changed)
      return changed.contentDigest
    }

    #expect(Set(digests).count == 37)
    #expect(digests.count == 37)
  }

  @Test func `excludes what servers and receivers add`() {
    var first = record()
    first.extras = ["a": 1, "b": 2]
    first.media = [RecordMedia(of: [1], contentType: "image/png")]
    var second = first
    second.extras = ["b": 2, "c": .null, "a": 1]
    second.media[0].id = "7"
    second.media[0].url = "/there"
    second.isValidated = true
    second.serverID = "12"
    second.lastUpdated = Self.base
    second.source.devices = ["1": SourceDevice(batteryPercent: 3)]

    #expect(first.contentDigest == second.contentDigest)
  }
}
