// SPDX-License-Identifier: Apache-2.0

import ClinicalUnits
public import DigitReader
public import Foundation
public import HealthRecords

/// What was read on a display, for a person to confirm before it is submitted.
public struct OCRReading: Hashable, Sendable {
  /// The values as the display shows them.
  public let values: [DisplayReading.Value]
  /// From 0 to 1: how sure the frames are, and how many of them agree.
  public let confidence: Double
  /// The record to submit.
  public let record: HealthRecord
  /// The display in the last frame.
  public let region: PixelRegion?

  init(
    values: [DisplayReading.Value], confidence: Double, record: HealthRecord, region: PixelRegion?
  ) {
    (self.values, self.confidence) = (values, confidence)
    (self.record, self.region) = (record, region)
  }

  /// What was read on a single image; nil if the reading is unsure, or the unit of its value is not known.
  ///
  /// - Parameters:
  ///   - reading: What the display shows.
  ///   - peripheral: The device.
  ///   - date: When the image was taken.
  ///   - image: The image.
  ///   - photo: The file of the image: the record of the same photo and kind of device has the same
  ///     identity, so that it is stored once, however often it is read.
  ///   - timeZone: Where it was taken.
  public init?(
    _ reading: DisplayReading, of peripheral: OCRPeripheral, at date: Date, image: GrayImage,
    photo: Data? = nil, timeZone: TimeZone = .current
  ) {
    guard !reading.isUnsure,
      var record = HealthRecord(reading.values, of: peripheral, at: date, timeZone: timeZone)
    else { return nil }
    // A photo's time is that of the clock of a camera.
    (record.time.origin, record.time.received) = (.unknown, Date())
    if let photo {
      let digest = RecordMedia(of: Array(photo), contentType: "").sha256
      record.logID = DigestUUID.text(of: "ocr \(digest) \(peripheral.type.rawValue)")
    }
    self.init(
      values: reading.values, confidence: reading.confidence, record: record,
      region: reading.area(in: image))
  }

  /// The record with values that a person has corrected; those are marked as entered by hand.
  ///
  /// - Parameter corrections: The values in the units of the record's metrics.
  /// - Returns: The record, with the same identity.
  public func record(correcting corrections: [MetricType: Double]) -> HealthRecord {
    var record = record
    record.metrics = record.metrics.map { metric in
      guard let value = corrections[metric.type], value != metric.value else { return metric }
      return Metric(metric.type, value, unit: metric.unit, origin: .manual)
    }
    return record
  }
}

extension HealthRecord {
  /// A record of values that were read on a display; nil if the unit of one is not known.
  ///
  /// - Parameters:
  ///   - values: What the display shows.
  ///   - peripheral: The device.
  ///   - date: When it was read: displays show no time that could be relied on.
  ///   - timeZone: Where it was read.
  init?(
    _ values: [DisplayReading.Value], of peripheral: OCRPeripheral, at date: Date,
    timeZone: TimeZone
  ) {
    var metrics: [Metric] = []
    for value in values {
      guard let metric = Metric(value) else { return nil }
      metrics.append(metric)
    }
    self.init(
      logID: UUID().uuidString.lowercased(),
      time: RecordTime(
        start: date, utcOffsetSeconds: timeZone.secondsFromGMT(for: date), offsetOrigin: .source,
        origin: .received, received: date),
      source: RecordSource(type: .ocr, device: SourceDevice(model: peripheral.name)),
      metrics: metrics)
  }
}

extension Metric {
  /// The metric of a value on a display, in the unit of the table of metrics; nil if the value's unit is
  /// not known.
  init?(_ value: DisplayReading.Value) {
    guard let type = Self.type(of: value.label) else { return nil }
    if value.text == "HI" || value.text == "LO" {
      self.init(type, absent: value.text == "HI" ? .aboveRange : .belowRange)
      return
    }
    guard let number = Double(value.text), number.isFinite else { return nil }
    switch (type, value.unit) {
    case (.bloodGlucose, .milligramsPerDecilitre?), (.bodyTemperature, .celsius?),
      (.bodyWeight, .kilograms?), (.systolic, nil), (.diastolic, nil), (.pulse, nil),
      (.oxygenSaturation, nil):
      self.init(type, number)
    case (.bloodGlucose, .millimolesPerLitre?):
      self.init(type, GlucoseUnit.millimolesPerLiter.convert(number, to: .milligramsPerDeciliter))
    case (.bodyTemperature, .fahrenheit?):
      self.init(type, TemperatureUnit.fahrenheit.convert(number, to: .celsius))
    case (.bodyWeight, .pounds?):
      self.init(type, MassUnit.pounds.convert(number, to: .kilograms))
    default: return nil
    }
    if let unit = value.unit { shown = ShownValue(value.text, unit: unit.rawValue) }
  }

  private static func type(of label: String) -> MetricType? {
    switch label {
    case "sys": .systolic
    case "dia": .diastolic
    case "pulse": .pulse
    case "spo2": .oxygenSaturation
    case "glucose": .bloodGlucose
    case "temperature": .bodyTemperature
    case "weight": .bodyWeight
    default: nil
    }
  }
}
