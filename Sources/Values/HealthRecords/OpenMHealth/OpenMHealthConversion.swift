// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes the data points of a record, and notes what of it has no place in them.
struct OpenMHealthConversion {
  let record: HealthRecord
  private(set) var points: [OpenMHealthDataPoint] = []
  private(set) var omissions: [OpenMHealthOmission] = []

  /// A metric and its place in the record.
  private struct Entry {
    let path: String
    let metric: Metric

    init(_ path: String, _ metric: Metric) {
      self.path = path
      self.metric = metric
    }
  }

  init(_ record: HealthRecord) { self.record = record }

  mutating func run() {
    guard record.kind.isReading else {
      return omit("type", record.kind.rawValue, .noMeasurement)
    }
    guard record.enteredInError == nil else {
      return omit("entered_in_error", record.kind.rawValue, .enteredInError)
    }
    guard !record.time.isDeviceTimeDisbelieved else {
      return omit("start_time", record.kind.rawValue, .unknownTime)
    }
    addMetrics()
    for (index, series) in record.series.enumerated() {
      add(series, at: "metrics[\(record.metrics.count + index)]")
    }
    omitRemarks()
    distinguishParts()
  }

  private mutating func omit(_ path: String, _ name: String, _ reason: OpenMHealthOmission.Reason) {
    omissions.append(OpenMHealthOmission(path: path, name: name, reason: reason))
  }

  /// Gives equal parts a number, since each needs an identifier of its own.
  private mutating func distinguishParts() {
    var counts: [String: Int] = [:]
    for index in points.indices {
      let part = points[index].part
      let count = counts[part, default: 0] + 1
      counts[part] = count
      if count > 1 { points[index].part = "\(part)/\(count)" }
    }
  }

  // MARK: - Metrics

  private mutating func addMetrics() {
    let entries = record.metrics.enumerated().map { Entry("metrics[\($0)]", $1) }
    let isPressure = { (entry: Entry) in [.systolic, .diastolic].contains(entry.metric.type) }
    let fields = record.panelFields
    addPressures(entries.filter(isPressure))
    addPanel(entries.filter { fields[$0.metric.type] != nil || isAwakeCount($0) }, fields)
    for entry in entries
    where !isPressure(entry) && fields[entry.metric.type] == nil && !isAwakeCount(entry) {
      addSingle(entry)
    }
  }

  private func isAwakeCount(_ entry: Entry) -> Bool {
    record.kind == .sleep && entry.metric.type == .awakeCount
  }

  private mutating func addSingle(_ entry: Entry) {
    let measure =
      record.kind == .sleep && entry.metric.type == .inBedDuration
      ? .timeInBed : OpenMHealthMeasure.all[entry.metric.type]
    guard let measure else { return omit(entry, .noSchema) }
    add(
      entry, measure, part: entry.metric.type.rawValue, from: record.time.start, to: record.time.end
    )
  }

  private mutating func add(
    _ entry: Entry, _ measure: OpenMHealthMeasure, part: String, from start: Date, to end: Date
  ) {
    guard let quantity = quantity(of: entry, measure.field.dimension) else { return }
    guard end > start || !measure.needsInterval else { return omit(entry, .noInterval) }
    var members = [(measure.field.name, OpenMHealthDataPoint.Member.quantity(quantity))]
    if let statistic = measure.statistic {
      members.append(("descriptive_statistic", .text(statistic)))
    }
    members += record.circumstances(of: entry.metric).map { ($0.name, .text($0.value)) }
    points.append(
      OpenMHealthDataPoint(
        schema: measure.schema, part: part, start: start, end: end, origin: entry.metric.origin,
        members: members))
  }

  private mutating func omit(_ entry: Entry, _ reason: OpenMHealthOmission.Reason) {
    omit(entry.path, entry.metric.type.rawValue, reason)
  }

  /// The value as a schema takes it; nil where it cannot be said, which is noted then.
  private mutating func quantity(
    of entry: Entry, _ dimension: OpenMHealthDimension
  ) -> OpenMHealthQuantity? {
    if let reason = record.obstacle(to: entry.metric) {
      omit(entry, reason)
      return nil
    }
    let quantity = dimension.quantity(of: entry.metric)
    if quantity == nil { omit(entry, .unknownUnit) }
    return quantity
  }

  // MARK: - Blood pressure

  /// The first systolic pressure belongs to the first diastolic one, and so on.
  private mutating func addPressures(_ entries: [Entry]) {
    let systolic = entries.filter { $0.metric.type == .systolic }
    let diastolic = entries.filter { $0.metric.type == .diastolic }
    for index in 0..<max(systolic.count, diastolic.count) {
      addPressure(
        systolic.indices.contains(index) ? systolic[index] : nil,
        diastolic.indices.contains(index) ? diastolic[index] : nil)
    }
  }

  private mutating func addPressure(_ systolic: Entry?, _ diastolic: Entry?) {
    let upper = systolic.flatMap { quantity(of: $0, .pressure) }
    let lower = diastolic.flatMap { quantity(of: $0, .pressure) }
    guard let upper, let lower else {
      if let systolic, upper != nil { omit(systolic, .onePressure) }
      if let diastolic, lower != nil { omit(diastolic, .onePressure) }
      return
    }
    points.append(
      OpenMHealthDataPoint(
        schema: .bloodPressure, part: "blood_pressure", start: record.time.start,
        end: record.time.end,
        origin: [systolic, diastolic].compactMap { $0?.metric.origin }.common,
        members: [
          ("systolic_blood_pressure", .quantity(upper)),
          ("diastolic_blood_pressure", .quantity(lower)),
        ]))
  }

  // MARK: - Several metrics in one body

  private mutating func addPanel(
    _ entries: [Entry], _ fields: [MetricType: OpenMHealthField]
  ) {
    guard record.time.end > record.time.start else {
      for entry in entries { omit(entry, .noInterval) }
      return
    }
    var members: [(String, OpenMHealthDataPoint.Member)] = []
    var origins: [Metric.Origin] = []
    for entry in entries {
      guard let (name, value) = member(entry, fields) else { continue }
      guard !members.contains(where: { $0.0 == name }) else {
        omit(entry, .occupied)
        continue
      }
      members.append((name, value))
      origins.append(entry.metric.origin)
    }
    guard !members.isEmpty else { return }
    points.append(panel(members, origins.common))
  }

  private mutating func member(
    _ entry: Entry, _ fields: [MetricType: OpenMHealthField]
  ) -> (String, OpenMHealthDataPoint.Member)? {
    guard let field = fields[entry.metric.type] else {
      return awakenings(entry).map { ("number_of_awakenings", .count($0)) }
    }
    return quantity(of: entry, field.dimension).map { (field.name, .quantity($0)) }
  }

  private mutating func awakenings(_ entry: Entry) -> Int? {
    if let reason = record.obstacle(to: entry.metric) {
      omit(entry, reason)
      return nil
    }
    guard entry.metric.unit == "count" else {
      omit(entry, .unknownUnit)
      return nil
    }
    let count = entry.metric.value.flatMap(Int.init(exactly:))
    if count == nil { omit(entry, .fraction) }
    return count
  }

  private func panel(
    _ members: [(String, OpenMHealthDataPoint.Member)], _ origin: Metric.Origin?
  ) -> OpenMHealthDataPoint {
    var members = members
    let isSleep = record.kind == .sleep
    if !isSleep { members.insert(("activity_name", .text(record.activityName)), at: 0) }
    if let intensity = record.reportedIntensity, origin == .manual {
      members.append(("reported_activity_intensity", .text(intensity)))
    }
    return OpenMHealthDataPoint(
      schema: isSleep ? .sleepEpisode : .physicalActivity,
      part: isSleep ? "sleep_episode" : "physical_activity", start: record.time.start,
      end: record.time.end, origin: origin, members: members)
  }

  // MARK: - Series

  private mutating func add(_ series: MetricSeries, at path: String) {
    let field = OpenMHealthField.ofActivity[series.type]
    guard field != nil || OpenMHealthMeasure.all[series.type] != nil else {
      return omit(path, series.type.rawValue, .noSchema)
    }
    for (index, point) in series.dataPoints.enumerated() {
      let metric = Metric(series.type, point.value, unit: series.unit, origin: series.origin)
      let entry = Entry("\(path).data_points[\(index)]", metric)
      if let field {
        addActivity(entry, field, point)
      } else {
        addPoint(entry, at: point.time, to: point.end)
      }
    }
    for (index, reading) in series.readingLog.enumerated() {
      addPoint(
        Entry("\(path).reading_log[\(index)]", series.metric(of: reading)), at: reading.time,
        to: nil)
    }
  }

  /// The part of its record that a point of a series is.
  private func part(_ entry: Entry, at time: Date) -> String {
    "\(entry.metric.type.rawValue)/\(record.pointName(at: time))"
  }

  private mutating func addPoint(_ entry: Entry, at time: Date, to end: Date?) {
    guard let measure = OpenMHealthMeasure.all[entry.metric.type] else {
      return omit(entry, .noSchema)
    }
    let end = end ?? (measure.needsInterval ? record.granularity?.end(of: time) : nil)
    add(entry, measure, part: part(entry, at: time), from: time, to: end ?? time)
  }

  private mutating func addActivity(_ entry: Entry, _ field: OpenMHealthField, _ point: DataPoint) {
    guard let quantity = quantity(of: entry, field.dimension) else { return }
    guard let end = point.end ?? record.granularity?.end(of: point.time), end > point.time else {
      return omit(entry, .noInterval)
    }
    points.append(
      OpenMHealthDataPoint(
        schema: .physicalActivity, part: part(entry, at: point.time), start: point.time, end: end,
        origin: entry.metric.origin,
        members: [
          ("activity_name", .text(record.activityName)), (field.name, .quantity(quantity)),
        ]))
  }

  // MARK: - What is no value

  /// Notes the findings, remarks and additions that no data point has said.
  private mutating func omitRemarks() {
    let said = Set(points.map(\.schema))
    for (index, tag) in record.tags.enumerated() where !record.isSaid(tag, in: said) {
      omit("tags[\(index)]", tag.name, .noSchema)
    }
    for (index, note) in record.userNotes.enumerated() where !record.isSaid(note, in: said) {
      omit("user_notes[\(index)]", note.type, .noSchema)
    }
    for (name, isEmpty) in [
      ("segments", record.segments.isEmpty), ("extras", record.extras.isEmpty),
      ("media", record.media.isEmpty),
    ] where !isEmpty {
      omit(name, name, .noSchema)
    }
  }
}

extension [Metric.Origin] {
  /// The one that all are; nil where they differ.
  fileprivate var common: Metric.Origin? { Set(self).count == 1 ? first : nil }
}
