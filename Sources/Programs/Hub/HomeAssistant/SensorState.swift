// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
import SantorioJSON

/// A value of a device, with what a reader has to know of it.
struct SensorState {
  let object: SensorObject
  /// The digits of the value; nil when there is none.
  var digits: String?
  /// The unit as records have it.
  let unit: String
  /// When it was measured, or received where that was earlier or the only known time.
  let time: Date
  /// Local time minus UTC, in seconds; nil when unknown.
  var utcOffsetSeconds: Int?
  var isTimeKnown = true
  var bound: Metric.Bound?
  var absence: Metric.Absence?
  var isPreliminary = false
  var isQuestionable = false
  /// The identifier of the record.
  var record: String?
  var isRetracted = false
  /// A digest of who the patient is, whatever the alias.
  var owner: String?
  /// Which installation of a hub it is of.
  var hub: String?

  /// The time in milliseconds since 1970, by which the latest state is found.
  var milliseconds: Int { Self.milliseconds(time) }

  private static func milliseconds(_ time: Date) -> Int {
    Int((min(max(time.timeIntervalSince1970, 0), 253_402_200_000) * 1000).rounded())
  }

  /// The content of the message.
  var payload: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("value")
      if let digits, !isRetracted { json.decimal(digits) } else { json.null() }
      json.optional("unit", SensorObject.unit(unit))
      json.optional("time", Self.text(milliseconds, utcOffsetSeconds))
      json.optional("time_is_known", isTimeKnown)
      json.optional("preliminary", isPreliminary)
      json.optional("questionable", isQuestionable)
      if !isRetracted {
        json.optional("bound", bound?.rawValue)
        json.optional("absence", absence?.rawValue)
      } else {
        json.optional("entered_in_error", true)
      }
      json.optional("record", record)
      json.optional("owner", owner)
      json.optional("hub", hub)
    }
    return json.bytes
  }

  /// An instant in ISO 8601, in local time where its offset is known and in UTC otherwise.
  private static func text(_ milliseconds: Int, _ utcOffsetSeconds: Int?) -> String {
    // Beyond a day, or with seconds, ISO 8601 has no form.
    let offset = utcOffsetSeconds.flatMap { $0 % 60 == 0 && abs($0) < 86_400 ? $0 / 60 : nil } ?? 0
    let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let local = LocalDateTime(secondsSince1970: seconds + offset * 60)
    let digits = fraction == 0 ? "" : "." + String(1000 + fraction).dropFirst()
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    let zone = "\(String(100 + hours).dropFirst()):\(String(100 + minutes).dropFirst())"
    return "\(local)\(digits)\(offset < 0 ? "-" : "+")\(zone)"
  }

  /// What of a state that was published before has to be known; nil when it is none.
  static func published(_ payload: [UInt8]) -> RetainedTopics.Content? {
    guard payload.count <= 4096, let json = try? JSONParser.parse(payload),
      case .string(let text)? = json["time"], let time = instant(text)
    else { return nil }
    return .state(
      milliseconds: time, record: json["record"].text, owner: json["owner"].text)
  }

  /// Returns a published state without its value, as of an outdated reading; nil if it is not a state.
  ///
  /// Home Assistant shows a null value as unknown. The time and the owner stay: a hub recognises the
  /// topic by them after a restart. `hub` is the installation that publishes the result.
  static func outdated(_ payload: [UInt8], hub: String?) -> [UInt8]? {
    guard published(payload) != nil, let state = try? JSONParser.parse(payload) else { return nil }
    var json = JSONWriter()
    json.object { json in
      json.key("value")
      json.null()
      json.optional("time", state["time"].text)
      json.optional("outdated", true)
      json.optional("owner", state["owner"].text)
      json.optional("hub", hub)
    }
    return json.bytes
  }

  /// The installation of a hub that has published a state; nil for none.
  static func hub(of payload: [UInt8]) -> String? {
    guard payload.count <= 4096, let json = try? JSONParser.parse(payload) else { return nil }
    return json["hub"].text
  }

  /// Reads what ``text(_:_:)`` writes.
  private static func instant(_ text: String) -> Int? {
    let zone = text.suffix(6)
    let parts = zone.dropFirst().split(separator: ":")
    guard parts.count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]),
      let local = LocalDateTime(String(text.prefix(19)))?.secondsSince1970
    else { return nil }
    let fraction = text.dropFirst(19).dropLast(6).dropFirst()
    guard let milliseconds = fraction.isEmpty ? 0 : Int(fraction), fraction.count <= 3 else {
      return nil
    }
    let offset = (hours * 60 + minutes) * (zone.first == "-" ? -60 : 60)
    return (local - offset) * 1000 + milliseconds
  }
}

extension SensorState {
  /// The latest states of a record, one for each metric, and the charge of the device's battery.
  ///
  /// Nothing of what is no reading, and nothing when it is not known whose the record is.
  static func states(of record: HealthRecord) -> [SensorState] {
    guard record.kind.isReading, !record.isOfUnknownUser else { return [] }
    var types: Set<MetricType> = []
    var states: [SensorState] = []
    for metric in record.metrics where types.insert(metric.type).inserted {
      states.append(SensorState(metric, at: record.time.start, record))
    }
    for series in record.series {
      guard let latest = latest(series), types.insert(series.type).inserted else { continue }
      states.append(SensorState(latest.metric, at: latest.time, record))
    }
    if let percent = record.source.device?.batteryPercent, record.enteredInError == nil {
      // By the receipt: it is the charge of that time, and not of the measurement's.
      states.append(.battery(percent, at: record.time.received, record.time.utcOffsetSeconds))
    }
    return states
  }

  /// The charge of a battery.
  static func battery(_ percent: Int, at time: Date, _ utcOffsetSeconds: Int?) -> SensorState {
    SensorState(
      object: .battery, digits: String(min(max(percent, 0), 100)), unit: "%", time: time,
      utcOffsetSeconds: utcOffsetSeconds)
  }

  private static func latest(_ series: MetricSeries) -> (metric: Metric, time: Date)? {
    let reading = series.readingLog.max { $0.time < $1.time }
    let point = series.dataPoints.max { $0.time < $1.time }
    if let reading, reading.time >= point?.time ?? .distantPast {
      return (series.metric(of: reading), reading.time)
    }
    return point.map { point in
      (Metric(series.type, point.value, unit: series.unit, origin: series.origin), point.time)
    }
  }

  private init(_ metric: Metric, at time: Date, _ record: HealthRecord) {
    let shown = metric.value == nil ? nil : metric.shown
    let value = metric.value.flatMap { $0.isFinite ? JSONWriter.text($0) : nil }
    self.init(
      object: .metric(metric.type), digits: shown?.text ?? value, unit: shown?.unit ?? metric.unit,
      // Nothing is measured after its receipt: a clock that is ahead would hide all that follows.
      time: record.time.origin == .unknown ? time : min(time, record.time.received),
      utcOffsetSeconds: record.time.utcOffsetSeconds,
      isTimeKnown: !record.time.isDeviceTimeDisbelieved, bound: metric.bound,
      absence: metric.absence, isPreliminary: record.isEarlyEstimate,
      isQuestionable: record.doubts(about: metric.type), record: record.logID,
      isRetracted: record.enteredInError != nil)
  }
}

extension JSONValue? {
  fileprivate var text: String? {
    guard case .string(let text)? = self else { return nil }
    return text
  }
}
