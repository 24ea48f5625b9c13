// SPDX-License-Identifier: Apache-2.0

import SantorioJSON
import CivilCalendar

/// An element of `metrics`: a single value, a series, or both.
struct MetricEntry {
  let single: Metric?
  let series: MetricSeries?

  init(_ json: JSONReader) throws(RecordError) {
    let points = try json.optional("data_points")?.elements(DataPoint.init)
    let readings = try json.optional("reading_log")?.elements(GlucoseReading.init)
    let (value, absence) = (try json.optional("value"), try json.optional("absent"))
    guard points != nil || readings != nil else {
      single = try Metric(json)
      series = nil
      return
    }
    single = value == nil && absence == nil ? nil : try Metric(json)
    let (type, unit, origin) = try json.metricHead()
    var series = MetricSeries(type, points ?? [], unit: unit, origin: origin)
    series.readingLog = readings ?? []
    try series.validate(at: json.path)
    self.series = series
  }
}

extension JSONReader {
  /// What a single value and a series have in common.
  fileprivate func metricHead() throws(RecordError) -> (MetricType, String, Metric.Origin) {
    let origin = try optional("origin")
    guard let known = Metric.Origin(rawValue: try origin?.string() ?? "unknown") else {
      throw (origin ?? self).invalid("must be device, manual or unknown")
    }
    let type = MetricType(rawValue: try member("type").string())
    return (type, try member("unit").string(), known)
  }
}

extension JSONReader {
  /// A value, or why there is none.
  fileprivate func measured() throws(RecordError) -> (Double?, Metric.Absence?, Metric.Bound?) {
    let absence = try optional("absent", Metric.Absence.init)
    let value = absence == nil ? try member("value").number() : try optional("value")?.number()
    return (value, absence, try optional("bound", Metric.Bound.init))
  }
}

extension Metric.Absence {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    guard let known = Self(rawValue: try json.string()) else {
      throw json.invalid("must be below_range, above_range or unknown")
    }
    self = known
  }
}

extension Metric.Bound {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    guard let known = Self(rawValue: try json.string()) else {
      throw json.invalid("must be below or above")
    }
    self = known
  }
}

extension JSONWriter {
  fileprivate mutating func measured(
    _ value: Double?, _ absence: Metric.Absence?, _ bound: Metric.Bound?
  ) {
    optional("value", value)
    optional("absent", absence?.rawValue)
    optional("bound", bound?.rawValue)
  }

  fileprivate mutating func metricHead(
    _ type: MetricType, _ unit: String, _ origin: Metric.Origin
  ) {
    optional("type", type.rawValue)
    optional("origin", origin.rawValue)
    optional("unit", unit)
  }
}

extension Metric {
  init(_ json: JSONReader) throws(RecordError) {
    let (type, unit, origin) = try json.metricHead()
    self.init(type, 0, unit: unit, origin: origin)
    (value, absence, bound) = try json.measured()
    shown = try json.optional("shown", ShownValue.init)
    try validate(at: json.path)
  }

  func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.metricHead(type, unit, origin)
      json.measured(value, absence, bound)
      guard let shown else { return }
      json.key("shown")
      shown.write(to: &json)
    }
  }
}

extension ShownValue {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    let (text, unit) = (try json.member("value").string(), try json.member("unit").string())
    guard let shown = Self(text, unit: unit) else {
      throw json.invalid("must have a decimal such as \"5.5\", and its unit")
    }
    self = shown
  }

  /// Writes the decimal as a text: as a number it would lose its digits on the way.
  func write(to json: inout JSONWriter) { json.pair("value", text, "unit", unit) }
}

extension MetricSeries {
  func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.metricHead(type, unit, origin)
      if !dataPoints.isEmpty { json.list("data_points", dataPoints) { $1.writeInform(to: &$0) } }
      if !readingLog.isEmpty { json.list("reading_log", readingLog) { $1.writeInform(to: &$0) } }
    }
  }
}

extension DataPoint {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    self.init(
      time: try json.member("time").instant(), end: try json.optional("end_time")?.instant(),
      value: try json.member("value").number())
  }

  fileprivate func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.optional("value", value)
      json.optional("time", time)
      json.optional("end_time", end)
    }
  }
}

extension GlucoseReading {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    let display = try json.optional("display_time")?.zonedTime()
    let measured = try json.measured()
    self.init(
      time: try json.member("time").instant(), value: measured.0, displayTime: display?.time,
      displayUTCOffsetMinutes: display?.offsetMinutes,
      isScheduled: try json.optional("scheduled")?.bool(),
      deviceID: try json.optionalString("device_id"))
    (absence, bound) = (measured.1, measured.2)
  }

  fileprivate func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.optional("time", time)
      json.measured(value, absence, bound)
      if let displayTime {
        let offset = displayUTCOffsetMinutes.map(UTCOffset.text(minutes:)) ?? ""
        json.optional("display_time", displayTime.description + offset)
      }
      json.optional("scheduled", isScheduled)
      json.optional("device_id", deviceID)
    }
  }
}

extension Granularity {
  init(_ json: JSONReader) throws(RecordError) {
    self.init(
      interval: try json.member("interval").integer(), unit: try json.member("unit").string())
    try validate(at: json.path)
  }

  func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.optional("interval", interval)
      json.optional("unit", unit)
    }
  }
}

extension NutritionSegment {
  init(_ json: JSONReader) throws(RecordError) {
    self.init(
      name: try json.member("name").string(),
      metrics: try json.optional("metrics")?.elements(Metric.init) ?? [],
      food: try json.optional("food")?.elements(Food.init) ?? [])
  }

  func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.optional("name", name)
      json.list("metrics", metrics) { $1.writeInform(to: &$0) }
      if !food.isEmpty { json.list("food", food) { $1.writeInform(to: &$0) } }
    }
  }
}

extension NutritionSegment.Food {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    self.init(
      name: try json.member("name").string(), brand: try json.optionalString("brand"),
      metrics: try json.optional("metrics")?.elements(Metric.init) ?? [],
      serving: try json.optional("serving", NutritionSegment.Serving.init))
  }

  fileprivate func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.optional("name", name)
      json.optional("brand", brand)
      json.list("metrics", metrics) { $1.writeInform(to: &$0) }
      guard let serving else { return }
      json.key("serving")
      json.object { json in
        json.optional("amount", serving.amount)
        json.optional("unit_name", serving.unitName)
      }
    }
  }
}

extension NutritionSegment.Serving {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    self.init(
      amount: try json.member("amount").number(), unitName: try json.member("unit_name").string())
    try validate(at: json.path)
  }
}
