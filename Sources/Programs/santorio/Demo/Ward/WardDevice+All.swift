// SPDX-License-Identifier: Apache-2.0

import Foundation
import VirtualDevices

extension WardDevice {
  /// The devices of the ward, with what they have measured until now.
  static func all(of story: WardStory) -> [WardDevice] {
    [shared(story)] + devices1(story) + devices2(story) + devices3(story) + devices4(story)
  }

  /// The monitor that two patients share; once a visitor has measured with it.
  private static func shared(_ story: WardStory) -> WardDevice {
    let days = story.calendar
    let first: @Sendable (Date) -> Taken = { date in
      Taken(
        patient: WardStory.Bed.one.rawValue,
        measurement: VirtualMeasurement(story.pressure1(at: date), user: 0), date: date)
    }
    let second: @Sendable (Date) -> Taken = { date in
      Taken(
        patient: WardStory.Bed.three.rawValue,
        measurement: VirtualMeasurement(story.pressure3(at: date), user: 1), date: date)
    }
    let visit = days.midnight(daysAgo: 2).addingTimeInterval(15.2 * 3600)
    let visitor = Taken(
      patient: nil,
      measurement: VirtualMeasurement(
        .bloodPressure(systolic: 127, diastolic: 79, pulse: 68), user: unknownUser), date: visit)
    let past =
      days.times("bm54 1", days: 0...20, at: [7.5, 19.5]).map(first)
      + days.times("bm54 2", days: 0...20, every: 2, at: [9]).map(second) + [visitor]
    return WardDevice(
      .bm54(memory: []), "shared; one reading of an unknown user",
      owners: [
        (patient: WardStory.Bed.one.rawValue, slot: 1),
        (patient: WardStory.Bed.three.rawValue, slot: 2),
      ], past: past.sorted { $0.date < $1.date }
    ) { date in
      var noise = WardNoise("bm54", at: date)
      return Bool.random(using: &noise) ? first(date) : second(date)
    }
  }

  /// What a device of the SIG's profiles sends for a user whom it does not know.
  private static let unknownUser: UInt8 = 0xFF

  private static func devices1(_ story: WardStory) -> [WardDevice] {
    let days = story.calendar
    return [
      WardDevice(
        .ua651BLE(memory: []), "blood pressure at noon, falling for three weeks", of: .one,
        at: days.times("ua651", days: 0...13, at: [13])
      ) { story.pressure1(at: $0) },
      WardDevice(.polarH10, "pulse, streamed", of: .one, at: [days.now]) {
        .heartRate(story.pulse1(at: $0))
      },
      // The first user that a new scale of this kind takes has the number 1.
      WardDevice(
        .bf720, "weight and body fat", of: .one,
        at: days.times("bf720", days: 0...20, every: 3, at: [7]), user: 1
      ) { story.weight1(at: $0) },
    ]
  }

  private static func devices2(_ story: WardStory) -> [WardDevice] {
    let days = story.calendar
    let glucose: @Sendable (Date) -> VirtualMeasurement.Values = {
      .glucose(milligramsPerDeciliter: story.glucose2(at: $0))
    }
    let aroundMeals: @Sendable (Date) -> VirtualMeasurement.Values = { date in
      .glucose(milligramsPerDeciliter: story.glucose2(at: date), meal: story.meal(at: date))
    }
    var sensor = WardDevice(
      .cgmSensor, "glucose every five minutes", of: .two,
      at: days.times(lastHours: 24, everyMinutes: 5), glucose)
    sensor.secondsBetween = 300
    return [
      WardDevice(
        .accuChekGuide, "glucose before and after meals", of: .two,
        at: days.times("accu-chek", days: 0...13, at: [7.6, 9.6, 18.1, 20.1]), aroundMeals),
      WardDevice(
        .oneTouchVerioFlex, "glucose at bedtime", of: .two,
        at: days.times("onetouch", days: 0...13, at: [22.2]), glucose),
      sensor,
      WardDevice(.miScale, "weight, broadcast", of: .two, at: [days.now]) {
        story.weight2(at: $0)
      },
    ]
  }

  private static func devices3(_ story: WardStory) -> [WardDevice] {
    let days = story.calendar
    return [
      WardDevice(
        .uc352BLE, "weight; 2 kg more in five days", of: .three,
        at: days.times("uc352", days: 0...13, at: [6.8])
      ) { story.weight3(at: $0) },
      WardDevice(.nonin3230, "oxygen saturation, spot checks", of: .three, at: [days.now]) {
        story.oximetry3(at: $0)
      },
    ]
  }

  private static func devices4(_ story: WardStory) -> [WardDevice] {
    let days = story.calendar
    var thermometer = WardDevice(
      .ut201BLE, "fever that goes down; its battery is low", of: .four,
      at: days.times("ut201", days: 0...4, at: [6, 12, 18, 22])
    ) { story.temperature4(at: $0) }
    thermometer.batteryPercent = 8
    var ring = WardDevice(
      .o2Ring, "oxygen saturation of the nights, and live", of: .four, at: []
    ) { story.oximetry4(at: $0) }
    ring.recordings = [2, 1].map { (day: Int) -> [UInt8] in
      story.night4(from: days.midnight(daysAgo: day).addingTimeInterval(22 * 3600))
    }
    // The time of the newest reading can be corrected, since the clock is still as it was then.
    let recent = days.now.addingTimeInterval(-25 * 60)
    let regular = days.times("taidoc", days: 0...4, at: [8, 20])
      .filter { recent.timeIntervalSince($0) > 15 * 60 }
    var monitor = WardDevice(
      .taiDocBloodPressure, "blood pressure; its clock is 14 minutes slow", of: .four,
      at: regular + [recent]
    ) { story.pressure4(at: $0) }
    monitor.clockOffsetSeconds = -14 * 60
    return [thermometer, ring, monitor]
  }
}

extension WardStory {
  /// How a test at a time relates to the meals: within three hours after one, or within an hour
  /// before one.
  fileprivate func meal(at date: Date) -> VirtualMeasurement.Meal? {
    let hour = calendar.hour(of: date)
    if Self.meals.contains(where: { (0.5...3).contains(hour - $0) }) { return .after }
    return Self.meals.contains { (0..<1).contains($0 - hour) } ? .before : nil
  }
}
