// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON
import CivilCalendar

/// The object of a Legacy record while it is made: its fields in order, and the extras.
struct LegacyObject {
  let recordClass: LegacyRecord
  private var fields: [(name: String, value: ExtraValue)] = []
  /// JSON values by name.
  private var extras: [String: [UInt8]] = [:]

  init(recordClass: LegacyRecord, extras: [String: ExtraValue]) {
    self.recordClass = recordClass
    for (name, value) in extras { self.extras[name] = value.json }
  }

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for field in fields { json.extra(field.name, field.value) }
      json.key("extras")
      json.object { json in
        for (name, value) in extras.sorted(by: { $0.key < $1.key }) {
          json.key(text: name)
          json.value(value)
        }
      }
    }
    return json.bytes
  }

  func has(_ field: String) -> Bool { fields.contains { $0.name == field } }

  /// Adds a field, if there is a value.
  mutating func add(_ field: String, _ value: ExtraValue?) {
    guard let value else { return }
    fields.append((field, value))
  }

  /// Adds an extra, if there is a value.
  mutating func addExtra(_ name: String, _ value: ExtraValue?) {
    guard let value else { return }
    addExtra(name, json: value.json)
  }

  /// Adds an extra that is written by a closure.
  mutating func addExtra(_ name: String, _ write: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    write(&json)
    addExtra(name, json: json.bytes)
  }

  private mutating func addExtra(_ name: String, json: [UInt8]) {
    var free = name
    while extras[free] != nil { free += "_" }
    extras[free] = json
  }
}

extension LegacyObject {
  mutating func add(_ time: RecordTime, lastUpdated: Date?) {
    add("timestamp", .text(time.start.legacyText))
    let offset = time.utcOffsetSeconds
    add("utc_offset", offset.map { .text(UTCOffset.text(minutes: $0 / 60)) })
    add("last_updated", lastUpdated.map { .text($0.legacyText) })
    // The class's times are of whole seconds, its offset is of whole minutes.
    if time.start.hasFraction { addExtra("start_time", .text(time.start.informText)) }
    if let offset, offset % 60 != 0 { addExtra("utc_offset", .number(Double(offset))) }
    if let lastUpdated, lastUpdated.hasFraction {
      addExtra("updated_at", .text(lastUpdated.informText))
    }
    addExtra("offset_origin", time.offsetOrigin.map { .text($0.rawValue) })
    addExtra("time_origin", .text(time.origin.rawValue))
    addExtra("device_time", time.deviceTime.map { .text($0.description) })
    addExtra("received", time.knownReceipt.map { .text($0.informText) })
    addExtra("clock_drift", time.clockDriftSeconds.map(ExtraValue.number))
  }

  mutating func addSource(of record: HealthRecord, _ source: LegacySource) {
    add("source", .text(source.name))
    add("source_name", .text(source.displayName))
    let device = record.source.device
    add("original_source", device?.manufacturer.map(ExtraValue.text))
    add("intermediary_source", .text("\(source.displayName) \(record.source.type.readable)"))
    add("device", device?.model.map(ExtraValue.text))
    addExtra("device_id", device?.id.map(ExtraValue.text))
    addExtra("serial_number", device?.serialNumber.map(ExtraValue.text))
    addExtra("system_id", device?.systemID.map(ExtraValue.text))
    addExtra("firmware_revision", device?.firmwareRevision.map(ExtraValue.text))
    addExtra("battery", device?.batteryPercent.map { .number(Double($0)) })
    addExtra("peripheral_id", device?.peripheralID.map { .number(Double($0)) })
    addExtra("user_slot", device?.userSlot.map { .number(Double($0)) })
    guard !record.source.devices.isEmpty else { return }
    addExtra("devices") { record.source.writeDevices(to: &$0) }
  }

  /// The kind, the category and the names, which some classes have fields for.
  mutating func addNames(of record: HealthRecord) {
    let implied: [RecordKind] = [.measurement, .summary, .workout, .sleep, .nutrition]
    if !implied.contains(record.kind) { addExtra("type", .text(record.kind.rawValue)) }
    addExtra("id", record.serverID.map(ExtraValue.text))
    let category = record.category.map(ExtraValue.text)
    let name = record.name.map(ExtraValue.text)
    switch recordClass {
    case .fitness: add("type", category ?? name)
    case .nutrition: add("meal", category ?? name)
    default: addExtra("category", category)
    }
    if category != nil || ![.fitness, .nutrition].contains(recordClass) { addExtra("name", name) }
    let intensity = record.intensity.map(ExtraValue.text)
    if recordClass == .fitness {
      add("intensity", intensity)
    } else {
      addExtra("intensity", intensity)
    }
  }

  mutating func addMetrics(of record: HealthRecord) {
    if recordClass == .fitness { add("start_time", .text(record.time.localText)) }
    for metric in record.metrics { add(metric) }
    addPulse(of: record)
    for series in record.series {
      addExtra(series.type.rawValue) { series.writeInform(to: &$0) }
    }
    if let granularity = record.granularity {
      addExtra("granularity") { granularity.writeInform(to: &$0) }
    }
    let duration = record.time.end.timeIntervalSince(record.time.start)
    if recordClass == .fitness, !has("duration"), duration > 0 {
      add("duration", .number(duration))
    } else if duration > 0 {
      addExtra("end_time", .text(record.time.end.informText))
    }
  }

  /// Repeats the pulse that a cuff measured where a reader of the class looks for it.
  private mutating func addPulse(of record: HealthRecord) {
    let isBloodPressure = [.systolic, .diastolic].contains { record.value($0) != nil }
    guard recordClass == .biometrics, isBloodPressure,
      let field = MetricType.restingHeartRate.definition?.legacyField, !has(field)
    else { return }
    add(field, record.metrics.first { $0.type == .pulse }?.standardValue.map(ExtraValue.number))
  }

  private mutating func add(_ metric: Metric) {
    let name = metric.type.rawValue
    let definition = metric.type.definition
    if let field = definition?.legacyFields[recordClass], !has(field),
      let value = metric.standardValue
    {
      add(field, .number(value))
    } else {
      addExtra(name, metric.value.map(ExtraValue.number))
      addExtra(name + "_absent", metric.absence.map { .text($0.rawValue) })
      if definition?.unit != metric.unit { addExtra(name + "_unit", .text(metric.unit)) }
    }
    addExtra(name + "_bound", metric.bound.map { .text($0.rawValue) })
    if let shown = metric.shown { addExtra(name + "_shown") { shown.write(to: &$0) } }
    if metric.origin != .device { addExtra(name + "_origin", .text(metric.origin.rawValue)) }
  }

  mutating func addRemarks(of record: HealthRecord) {
    for note in record.userNotes {
      if recordClass == .diabetes, note.type == "relationship_to_meal", !has(note.type) {
        add(note.type, .text(note.value))
      } else {
        addExtra(note.type, .text(note.value))
      }
    }
    for tag in record.tags { addExtra(tag.name, .text(tag.value)) }
    if !record.segments.isEmpty {
      addExtra("segments") { json in
        json.array { json in for segment in record.segments { segment.writeInform(to: &json) } }
      }
    }
    if !record.media.isEmpty {
      addExtra("media") { json in
        json.array { json in for image in record.media { image.writeInform(to: &json) } }
      }
    }
  }
}

extension SourceType {
  /// The type as a reader would write it: `Apple Health` for `apple_health`.
  package var readable: String {
    rawValue.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined(separator: " ")
  }
}

extension Date {
  /// The instant as the Legacy API writes it, to a second.
  fileprivate var legacyText: String {
    LocalDateTime(self, utcOffsetSeconds: 0).description + "+00:00"
  }

  fileprivate var hasFraction: Bool {
    (timeIntervalSince1970 * 1000).rounded().truncatingRemainder(dividingBy: 1000) != 0
  }
}

extension RecordTime {
  /// The start in local time where the offset is known.
  fileprivate var localText: String {
    let minutes = (utcOffsetSeconds ?? 0) / 60
    return LocalDateTime(start, utcOffsetSeconds: minutes * 60).description
      + UTCOffset.text(minutes: minutes)
  }
}
