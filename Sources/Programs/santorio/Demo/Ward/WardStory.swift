// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import VirtualDevices

/// What the patients of the ward have at a time: the courses of four illnesses.
///
/// Each value is that of the course, with a deviation that is the same for the same minute.
struct WardStory: Sendable {
  /// The patients.
  enum Bed: String, CaseIterable, Sendable {
    case one = "bed-1"
    case two = "bed-2"
    case three = "bed-3"
    case four = "bed-4"
  }

  let calendar: WardCalendar

  private func noise(_ bed: Bed, _ name: String, _ date: Date) -> WardNoise {
    WardNoise(bed.rawValue + name, at: date)
  }

  // MARK: - Bed 1: a high blood pressure that is treated

  /// Falls from 165/100 to 135/85 in three weeks.
  func pressure1(at date: Date) -> VirtualMeasurement.Values {
    var noise = noise(.one, "pressure", date)
    let left = min(1, calendar.daysAgo(date) / 21)
    return .bloodPressure(
      systolic: Int((134 + 30 * left + noise.deviation(5)).rounded()),
      diastolic: Int((84 + 15 * left + noise.deviation(4)).rounded()),
      pulse: pulse1(at: date))
  }

  func pulse1(at date: Date) -> Int {
    var noise = noise(.one, "pulse", date)
    return Int((74 + noise.deviation(4)).rounded())
  }

  func weight1(at date: Date) -> VirtualMeasurement.Values {
    var noise = noise(.one, "weight", date)
    let weight = 87.9 + 0.04 * calendar.daysAgo(date) + noise.deviation(0.3)
    return .weight(
      kilograms: weight.rounded(toTenths: 1), fatPercent: 27 + noise.deviation(0.6))
  }

  // MARK: - Bed 2: diabetes

  /// The hours of the meals.
  static let meals = [8.0, 12.5, 18.5]

  /// Rises after each meal, in mg/dL.
  func glucose2(at date: Date) -> Int {
    var noise = noise(.two, "glucose", date)
    let hour = calendar.hour(of: date)
    let risen = Self.meals.map { meal -> Double in
      let since = (hour - meal + 24).truncatingRemainder(dividingBy: 24)
      return 72 * since * exp(1 - since)
    }
    return Int((118 + risen.reduce(0, +) + noise.deviation(6)).rounded())
  }

  /// A scale that does not know anyone's fat.
  func weight2(at date: Date) -> VirtualMeasurement.Values {
    var noise = noise(.two, "weight", date)
    return .weight(kilograms: (82.4 + noise.deviation(0.4)).rounded(toTenths: 1))
  }

  // MARK: - Bed 3: heart failure

  /// 2 kg in five days, which are water.
  func weight3(at date: Date) -> VirtualMeasurement.Values {
    var noise = noise(.three, "weight", date)
    let risen = 2 * max(0, 1 - calendar.daysAgo(date) / 5)
    return .weight(kilograms: (71.2 + risen + noise.deviation(0.2)).rounded(toTenths: 1))
  }

  func pressure3(at date: Date) -> VirtualMeasurement.Values {
    var noise = noise(.three, "pressure", date)
    return .bloodPressure(
      systolic: Int((116 + noise.deviation(5)).rounded()),
      diastolic: Int((71 + noise.deviation(4)).rounded()),
      pulse: Int((84 + noise.deviation(4)).rounded()))
  }

  /// 93 to 96 per cent, of which the oximeter's last digit varies by one.
  func oximetry3(at date: Date) -> VirtualMeasurement.Values {
    var noise = noise(.three, "oximetry", date)
    return .oximetry(
      saturation: Int((95 + noise.deviation(1)).rounded()),
      pulse: Int((85 + noise.deviation(4)).rounded()))
  }

  // MARK: - Bed 4: fever after an operation on the day before the first measurement

  /// How much of the fever is left: 1 at its height.
  private func fever(at date: Date) -> Double {
    exp(-max(0, 4.3 - calendar.daysAgo(date)) / 1.7)
  }

  func temperature4(at date: Date) -> VirtualMeasurement.Values {
    var noise = noise(.four, "temperature", date)
    // Highest in the evening.
    let ofDay = 0.25 * cos((calendar.hour(of: date) - 18) / 24 * 2 * .pi)
    let celsius = 36.8 + 2.2 * fever(at: date) + ofDay + noise.deviation(0.15)
    return .temperature(celsius: celsius.rounded(toTenths: 1))
  }

  func pressure4(at date: Date) -> VirtualMeasurement.Values {
    var noise = noise(.four, "pressure", date)
    return .bloodPressure(
      systolic: Int((122 - 8 * fever(at: date) + noise.deviation(5)).rounded()),
      diastolic: Int((75 - 5 * fever(at: date) + noise.deviation(4)).rounded()),
      pulse: pulse4(at: date))
  }

  func oximetry4(at date: Date) -> VirtualMeasurement.Values {
    .oximetry(saturation: saturation4(at: date), pulse: pulse4(at: date))
  }

  func pulse4(at date: Date) -> Int {
    var noise = noise(.four, "pulse", date)
    return Int((76 + 24 * fever(at: date) + noise.deviation(4)).rounded())
  }

  func saturation4(at date: Date) -> Int {
    var noise = noise(.four, "saturation", date)
    return Int((97 - 3 * fever(at: date) + noise.deviation(1)).rounded())
  }

  /// An hour of a night as the ring keeps it: a sample each four seconds.
  func night4(from start: Date) -> [UInt8] {
    let samples = (0..<900).map { index in
      let date = start.addingTimeInterval(4 * Double(index))
      return (saturation: saturation4(at: date), pulse: pulse4(at: date))
    }
    let saturations = samples.map(\.saturation)
    let summary = ViatomRecording.Summary(
      averageSaturation: UInt8(saturations.reduce(0, +) / saturations.count),
      lowestSaturation: UInt8(saturations.min() ?? 0), dropsOfThree: 0, dropsOfFour: 0)
    return ViatomRecording(
      start: calendar.shown(at: start), summary: summary,
      samples: samples.map {
        .init(saturation: UInt8($0.saturation), pulseRate: UInt16($0.pulse))
      }
    ).payload
  }
}

extension WardCalendar {
  /// What a right clock shows.
  fileprivate func shown(at date: Date) -> Timestamp {
    let time = DriverTime(
      elapsed: .zero, secondsSince1970: date.timeIntervalSince1970,
      utcOffsetSeconds: TimeZone.autoupdatingCurrent.secondsFromGMT(for: date))
    return Timestamp(VirtualClock().time(at: time))
  }
}

extension Double {
  /// The nearest multiple of as many tenths.
  fileprivate func rounded(toTenths tenths: Double) -> Double {
    (self * 10 / tenths).rounded() * tenths / 10
  }
}
