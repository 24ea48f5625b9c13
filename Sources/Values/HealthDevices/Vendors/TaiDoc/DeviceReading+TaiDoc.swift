// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DeviceReading {
  /// What meters by TaiDoc can measure, in mg/dL; beyond it they show Lo and Hi.
  private static let taiDocRange: ClosedRange<UInt16> = 20...600
  /// The year of an entry by which a TN'G Voice says that its memory is full.
  private static let yearOfNoRecord = 2037

  /// A record of a TaiDoc device.
  init(taiDoc record: TaiDocMemory.Record, _ kind: TaiDocModel.Kind, deviceName: String?) {
    let payload = record.payload
    let time = (try? TaiDocDateTime(payload: record.time))?.dateTime?.localDateTime
    do throws(PayloadError) {
      switch kind {
      case .glucose:
        self.init(try TaiDocGlucoseValue(payload: record.value), at: time, payload: payload)
      case .bloodPressure:
        self.init(
          try TaiDocBloodPressureValue(payload: record.value),
          isWide: TaiDocModel.sendsWideSystolic(named: deviceName), payload: payload)
      case .temperature:
        self.init(try TaiDocTemperatureValue(payload: record.value), payload: payload)
      case .oximetry: self.init(try TaiDocOximetryValue(payload: record.value), payload: payload)
      }
    } catch {
      self.init(error, payload: payload)
    }
    clock = time.map { .local($0) }
  }

  private init(_ value: TaiDocGlucoseValue, at time: LocalDateTime?, payload: [UInt8]) {
    guard time?.year != Self.yearOfNoRecord else {
      self.init(
        rejected: .malformed, "The meter's memory is full; this entry of it is no measurement.",
        payload: payload)
      return
    }
    guard value.meal != .qualityControl else {
      self.init(
        rejected: .control, "The control solution was tested. It is no reading.", payload: payload)
      return
    }
    guard value.isGlucose else {
      self.init(
        rejected: .malformed,
        "Something other than glucose was measured, and its form is not known for certain.",
        payload: payload)
      return
    }
    guard value.milligramsPerDeciliter > 0 else {
      self.init(rejected: .failedMeasurement, Self.measureAgain, payload: payload)
      return
    }
    self.init(glucose: value.milligramsPerDeciliter, range: Self.taiDocRange, payload: payload)
    mealRelationship = value.meal.relation
  }

  private init(_ value: TaiDocBloodPressureValue, isWide: Bool, payload: [UInt8]) {
    let systolic = isWide ? Double(value.wideSystolic) : Double(value.systolic)
    guard systolic > 0, value.diastolic > 0, value.pulseRate > 0 else {
      self.init(rejected: .failedMeasurement, Self.measureAgain, payload: payload)
      return
    }
    let mean = isWide ? 0 : value.meanArterialPressure
    self.init(
      [
        Metric(.systolic, systolic),
        Metric(.diastolic, Double(value.diastolic)),
      ]
        + (mean > 0 ? [Metric(.meanArterialPressure, Double(mean))] : [])
        + [Metric(.pulse, Double(value.pulseRate))],
      payload: payload)
  }

  private init(_ value: TaiDocTemperatureValue, payload: [UInt8]) {
    guard let celsius = value.celsius else {
      self.init(rejected: .failedMeasurement, Self.measureAgain, payload: payload)
      return
    }
    self.init([Metric(.bodyTemperature, celsius)], payload: payload)
  }

  private init(_ value: TaiDocOximetryValue, payload: [UInt8]) {
    guard value.hasResult else {
      self.init(
        rejected: .noSignal, "There was no finger in the clip. Measure again.", payload: payload)
      return
    }
    self.init(
      [
        Metric(.oxygenSaturation, Double(value.saturation)),
        Metric(.pulse, Double(value.pulseRate)),
      ], payload: payload)
  }

  private static let measureAgain = "The device has no value for this measurement. Measure again."
}

extension TaiDocGlucoseValue.Meal {
  fileprivate var relation: MealRelationship? {
    switch self {
    case .beforeMeal: .before
    case .afterMeal: .after
    case .none, .qualityControl: nil
    }
  }
}

extension TaiDocModel {
  /// What devices without a known model number measure, by their names.
  private static let kindsByName: [(prefix: String, kind: Kind)] = [
    ("FORA P", .bloodPressure), ("FORA D40", .bloodPressure), ("FORA IR", .temperature),
    ("FORA GD", .glucose), ("FORA MD", .glucose), ("DIAMOND", .glucose),
    ("TNG BP", .bloodPressure), ("TNG", .glucose),
  ]

  static func kind(named name: String) -> Kind? {
    kindsByName.first { name.uppercased().hasPrefix($0.prefix) }?.kind
  }

  /// Whether a monitor sends the systolic pressure in two bytes.
  static func sendsWideSystolic(named name: String?) -> Bool {
    name?.uppercased().hasPrefix("FORA D40") ?? false
  }
}
