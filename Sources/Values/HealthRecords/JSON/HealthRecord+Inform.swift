// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The Inform v2 form: names and shapes of Validic's published OpenAPI description of its data
// resources, with two additions of ours: `time` (which clock the record's time came from) and more
// about the device.
extension HealthRecord {
  /// The version of the form.
  static let informVersion = "1.0"

  /// The record's Inform v2 form: one JSON object without line breaks, in UTF-8.
  ///
  /// Equal records make equal octets.
  ///
  /// - Returns: The JSON text.
  /// - Throws: ``RecordError`` when a value is not finite or a required text is empty.
  public func informJSON() throws(RecordError) -> [UInt8] {
    try validate()
    var json = JSONWriter()
    json.object { json in
      json.key("log_id")
      json.string(logID)
      json.key("type")
      json.string(kind.rawValue)
      json.key("version")
      json.string(Self.informVersion)
      time.writeInform(to: &json)
      source.writeInform(to: &json)
      json.list("metrics", metrics) { $1.writeInform(to: &$0) }
      if !tags.isEmpty { json.list("tags", tags) { $0.pair("name", $1.name, "value", $1.value) } }
      if !userNotes.isEmpty {
        json.list("user_notes", userNotes) { $0.pair("type", $1.type, "value", $1.value) }
      }
    }
    return json.octets
  }

  /// Reads a record from its Inform v2 form; members that the record has no place for are ignored.
  ///
  /// - Parameter informJSON: One JSON object in UTF-8.
  /// - Throws: ``RecordError`` with the place of the first fault.
  public init(informJSON: some Collection<UInt8>) throws(RecordError) {
    try self.init(JSONReader(parsing: informJSON))
  }

  /// Reads a record from parsed JSON.
  package init(_ json: JSONReader) throws(RecordError) {
    let metrics = try json.member("metrics").elements(Metric.init)
    self.init(
      logID: try json.member("log_id").string(),
      kind: RecordKind(rawValue: try json.member("type").string()),
      time: try RecordTime(json), source: try RecordSource(json.member("source")),
      metrics: metrics,
      tags: try json.optional("tags")?.elements(Tag.init) ?? [],
      userNotes: try json.optional("user_notes")?.elements(UserNote.init) ?? [])
    try validate()
  }

  /// Checks what every form of a record requires.
  ///
  /// - Throws: ``RecordError`` with the place of the first fault.
  public func validate() throws(RecordError) {
    guard (1...128).contains(logID.utf8.count),
      logID.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw RecordError(
        .invalidValue, at: "log_id", "must be 1...128 printable ASCII characters without blanks")
    }
    guard !kind.rawValue.isEmpty else {
      throw RecordError(.invalidValue, at: "type", "must not be empty")
    }
    guard !metrics.isEmpty else {
      throw RecordError(.missing, at: "metrics", "a record needs at least one metric")
    }
    for (index, metric) in metrics.enumerated() {
      guard metric.value.isFinite else {
        throw RecordError(.notFinite, at: "metrics[\(index)].value", "must be a finite number")
      }
      guard !metric.type.rawValue.isEmpty, !metric.unit.isEmpty else {
        throw RecordError(.invalidValue, at: "metrics[\(index)]", "type and unit must not be empty")
      }
    }
    guard time.end >= time.start else {
      throw RecordError(.invalidValue, at: "end_time", "must not be before start_time")
    }
  }
}

extension Tag {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    self.init(name: try json.member("name").string(), value: try json.member("value").string())
  }
}

extension UserNote {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    self.init(type: try json.member("type").string(), value: try json.member("value").string())
  }
}

extension Metric {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    let type = MetricType(rawValue: try json.member("type").string())
    let origin = try json.optional("origin")
    guard let known = Origin(rawValue: try origin?.string() ?? "unknown") else {
      throw json.invalid("origin must be device, manual or unknown")
    }
    self.init(
      type, try json.member("value").number(), unit: try json.member("unit").string(),
      origin: known)
  }

  fileprivate func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.key("type")
      json.string(type.rawValue)
      json.key("origin")
      json.string(origin.rawValue)
      json.key("unit")
      json.string(unit)
      json.key("value")
      json.number(value)
    }
  }
}

extension RecordSource {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    self.init(
      type: SourceType(rawValue: try json.member("type").string()),
      device: try json.optional("device", SourceDevice.init))
  }

  fileprivate func writeInform(to json: inout JSONWriter) {
    json.key("source")
    json.object { json in
      json.key("type")
      json.string(type.rawValue)
      json.key("device")
      guard let device else { return json.null() }
      device.writeInform(to: &json)
    }
  }
}

extension SourceDevice {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    func text(_ name: String) throws(RecordError) -> String? {
      try json.optional(name)?.string()
    }
    func number(_ name: String) throws(RecordError) -> Int? { try json.optional(name)?.integer() }
    self.init(
      id: try text("id"), manufacturer: try text("manufacturer"), model: try text("model"),
      serialNumber: try text("serial_number"), firmwareRevision: try text("firmware_revision"),
      batteryPercent: try number("battery"), peripheralID: try number("peripheral_id"),
      userSlot: try number("user_slot"))
  }

  fileprivate func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.optional("id", id)
      json.optional("manufacturer", manufacturer)
      json.optional("model", model)
      json.optional("serial_number", serialNumber)
      json.optional("firmware_revision", firmwareRevision)
      json.optional("battery", batteryPercent)
      json.optional("peripheral_id", peripheralID)
      json.optional("user_slot", userSlot)
    }
  }
}

extension RecordTime {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    let start = try json.member("start_time").instant()
    let offset = try json.optional("utc_offset")
    if let offset, !(-86_400...86_400).contains(try offset.integer()) {
      throw offset.invalid("must be within a day, in seconds")
    }
    let detail = try json.optional("time")
    self.init(
      start: start, end: try json.optional("end_time")?.instant(),
      utcOffsetSeconds: try offset?.integer(),
      offsetOrigin: try json.optional("offset_origin", OffsetOrigin.init),
      origin: try detail?.member("origin").origin() ?? .user,
      deviceTime: try detail?.optional("device_time")?.localTime(),
      received: try detail?.optional("received")?.instant() ?? start,
      clockDriftSeconds: try detail?.optional("clock_drift")?.number())
  }

  fileprivate func writeInform(to json: inout JSONWriter) {
    json.key("start_time")
    json.instant(start)
    json.key("end_time")
    json.instant(end)
    json.optional("utc_offset", utcOffsetSeconds)
    json.optional("offset_origin", offsetOrigin?.rawValue)
    json.key("time")
    json.object { json in
      json.key("origin")
      json.string(origin.rawValue)
      json.optional("device_time", deviceTime?.description)
      json.key("received")
      json.instant(received)
      if let clockDriftSeconds {
        json.key("clock_drift")
        json.number(clockDriftSeconds)
      }
    }
  }
}

extension RecordTime.OffsetOrigin {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    guard let origin = Self(rawValue: try json.string()) else {
      throw json.invalid("must be source, profile or user_defined")
    }
    self = origin
  }
}

extension JSONReader {
  fileprivate func origin() throws(RecordError) -> RecordTime.Origin {
    guard let origin = RecordTime.Origin(rawValue: try string()) else {
      throw invalid("must be device, device_corrected, received or user")
    }
    return origin
  }
}
