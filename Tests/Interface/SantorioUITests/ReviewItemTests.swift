// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
import Testing

@testable import SantorioUI

@Suite struct `A reading to be checked` {
  private let units = UnitPreferences(locale: Locale(identifier: "en_US"))

  private func item(_ record: HealthRecord) -> ReviewItem {
    ReviewItem(record, in: units, now: Stage.now)
  }

  @Test func `has its values, its time and its device`() {
    var record = HealthRecord.sample("a", [Metric(.systolic, 120), Metric(.diastolic, 80)])
    record.time.utcOffsetSeconds = 7200
    record.source.device = SourceDevice(manufacturer: "A&D", model: "UA-651BLE")
    let item = item(record)
    #expect(item.id == "a")
    #expect(item.values.map(\.name) == [Phrase(.systolic), Phrase(.diastolic)])
    #expect(item.values.map(\.text) == ["120 mmHg", "80 mmHg"].map(Phrase.init(english:)))
    #expect(item.date == Stage.now && item.utcOffsetSeconds == 7200)
    #expect(item.device == "A&D UA-651BLE")
    #expect(item.doubts.isEmpty && item.notes.isEmpty)
  }

  @Test(arguments: [
    (RecordTime.Origin.device, "Time of the device's clock"),
    (.deviceCorrected, "Time corrected: the device's clock was wrong"),
    (.received, "Time when the phone received it"), (.user, "Time entered by you"),
    (.unknown, "The time is not certain"),
  ])
  func `says where its time comes from`(origin: RecordTime.Origin, text: String) {
    let time = RecordTime(start: Stage.now, origin: origin, received: Stage.now)
    let record = HealthRecord.sample("a", [Metric(.systolic, 120)], time: time)
    #expect(Texts(language: "en")(item(record).timeOrigin) == text)
  }

  @Test func `is doubted where it may be wrong`() {
    let implausible = HealthRecord.sample("a", [Metric(.bodyTemperature, 60)])
    #expect(
      item(implausible).doubts
        == [Phrase(.doubtImplausible, .phrase(Phrase(.bodyTemperature)))])
    let tagged = HealthRecord.sample(
      "a", [Metric(.oxygenSaturation, 97)],
      tags: [
        RecordTag(name: "poor_signal", value: "true"),
        RecordTag(name: "early_estimate", value: "true"),
        RecordTag(name: "user_unknown", value: "true"),
      ])
    #expect(
      item(tagged).doubts == [
        Phrase(.doubtUser), Phrase(.doubtSignal, .phrase(Phrase(.oxygenSaturation))),
        Phrase(.doubtEarly),
      ])
    let contradiction = HealthRecord.sample("a", [Metric(.systolic, 80), Metric(.diastolic, 90)])
    #expect(
      item(contradiction).doubts == [Phrase(.doubtContradiction, .phrase(Phrase(.systolic)))])
  }

  @Test func `shows no value where it is logged`() {
    let item = ReviewItem(
      .sample("a", [Metric(.systolic, 123)]), in: UnitPreferences(), now: Stage.now)
    let step = DisplayModel.Step.capturing("123", nil)
    let field = DisplayModel.Field(
      type: .systolic, name: Phrase(.systolic), text: "123", unit: "mmHg", problem: nil,
      original: "123")
    let values: [Any] = [item, step, field]
    for text in values.map(dumped) + values.map({ "\($0)" }) {
      #expect(!text.contains("123"), "\(text)")
    }
  }

  private func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  @Test func `is doubted for its time`() {
    let disbelieved = RecordTime(
      start: Stage.now, origin: .received,
      deviceTime: LocalDateTime(year: 2000, month: 1, day: 1, hour: 0, minute: 0, second: 0),
      received: Stage.now)
    let record = HealthRecord.sample("a", [Metric(.systolic, 120)], time: disbelieved)
    #expect(item(record).doubts == [Phrase(.doubtClock)])
    let future = RecordTime(start: Stage.now + 3600, origin: .device, received: Stage.now)
    let early = HealthRecord.sample("a", [Metric(.systolic, 120)], time: future)
    #expect(item(early).doubts == [Phrase(.doubtFuture)])
  }

  @Test func `has the meal, the comment and the series`() {
    var record = HealthRecord.sample("a", [Metric(.bloodGlucose, 100)])
    record.mealRelationship = .before
    record.comment = "After a walk"
    record.series = [MetricSeries(.pulse, [DataPoint(time: Stage.now, value: 61)])]
    #expect(
      item(record).notes == [
        Phrase(.beforeMeal),
        Phrase(
          .nameAndValue, .phrase(Phrase(.pulse)), .phrase(Phrase(.seriesOfValues, .count(1)))),
        Phrase(english: "After a walk"),
      ])
    for (meal, key) in [
      (MealRelationship.after, TextKey.afterMeal), (.random, .atAnyTime), (.fasting, .fasting),
    ] {
      record.mealRelationship = meal
      #expect(item(record).notes.first == Phrase(key))
    }
  }

  @Test func `says what was entered by hand`() {
    let record = HealthRecord.sample("a", [Metric(.systolic, 120, origin: .manual)])
    #expect(item(record).values.map(\.isEntered) == [true])
  }

  @Test func `are not in a log of what is shown`() {
    var record = HealthRecord.sample("name of a record", [Metric(.bloodGlucose, 123.4)])
    record.comment = "what a person has written"
    var state = ReviewModel.State()
    state.waiting = [ReviewItem(record, in: UnitPreferences(), now: Stage.now)]
    #expect(state.waiting.first?.notes == [Phrase(english: "what a person has written")])
    var dumped = ""
    dump(state, to: &dumped)
    for text in ["\(state)", String(reflecting: state), dumped] {
      #expect(!text.contains("a person has written"))
      #expect(!text.contains("123"))
      #expect(!text.contains("name of a record"))
    }
  }
}
