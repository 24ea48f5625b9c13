// SPDX-License-Identifier: Apache-2.0

package import SantorioJSON

// The Inform v2 form: names and shapes of Validic's published OpenAPI description of its data
// resources. Additions of ours: `time` (which clock the record's time came from), more about the
// device, the end of a data point, `intensity`, `validated`, `updated_at`,
// `entered_in_error`, `extras` and `media`.
extension HealthRecord {
  /// The version of the form.
  static let informVersion = "1.0"

  /// The record's Inform v2 form: one JSON object without line breaks, in UTF-8.
  ///
  /// Equal records make equal bytes.
  ///
  /// - Returns: The JSON text.
  /// - Throws: ``RecordError`` when the record is not valid, see ``validate()``.
  public func informJSON() throws(RecordError) -> [UInt8] {
    try validate()
    var json = JSONWriter(capacity: Self.usualSize)
    writeInform(to: &json)
    return json.bytes
  }

  /// The room in bytes that the form of most records takes.
  package static let usualSize = 640

  /// Writes the Inform v2 form of a record that is valid.
  package func writeInform(to json: inout JSONWriter) {
    json.object { json in
      writeInformHead(to: &json)
      time.writeInform(to: &json)
      source.writeInform(to: &json)
      writeInformMetrics(to: &json)
      writeInformRemarks(to: &json)
    }
  }

  private func writeInformHead(to json: inout JSONWriter) {
    json.optional("log_id", logID)
    json.optional("type", kind.rawValue)
    json.optional("version", Self.informVersion)
    json.optional("id", serverID)
    json.optional("category", category)
    json.optional("name", name)
    json.optional("intensity", intensity)
    json.optional("validated", isValidated)
    json.optional("updated_at", lastUpdated)
    json.optional("entered_in_error", enteredInError)
  }

  private func writeInformMetrics(to json: inout JSONWriter) {
    if let granularity {
      json.key("granularity")
      granularity.writeInform(to: &json)
    }
    json.key("metrics")
    json.array { json in
      for metric in metrics { metric.writeInform(to: &json) }
      for series in series { series.writeInform(to: &json) }
    }
    if !segments.isEmpty { json.list("segments", segments) { $1.writeInform(to: &$0) } }
  }

  private func writeInformRemarks(to json: inout JSONWriter) {
    if !tags.isEmpty { json.list("tags", tags) { $0.pair("name", $1.name, "value", $1.value) } }
    if !userNotes.isEmpty {
      json.list("user_notes", userNotes) { $0.pair("type", $1.type, "value", $1.value) }
    }
    if !extras.isEmpty { json.extras("extras", extras) }
    if !media.isEmpty { json.list("media", media) { $1.writeInform(to: &$0) } }
  }

  /// Reads a record from its Inform v2 form; members that the record has no place for are ignored.
  ///
  /// - Parameter informJSON: One JSON object in UTF-8.
  /// - Throws: ``RecordError`` with the place of the first fault; also for a record that is
  ///   deleted.
  public init(informJSON: some Collection<UInt8>) throws(RecordError) {
    try self.init(JSONReader(parsing: informJSON))
  }

  /// Reads a record from parsed JSON.
  package init(_ json: JSONReader) throws(RecordError) {
    if let deletion = try json.optional("deleted_at") {
      throw deletion.invalid("the record is deleted; delete it by its log_id instead")
    }
    let metrics = try json.member("metrics").elements(MetricEntry.init)
    self.init(
      logID: try json.member("log_id").string(),
      kind: RecordKind(rawValue: try json.member("type").string()),
      time: try RecordTime(json), source: try RecordSource(json.member("source")),
      metrics: metrics.compactMap(\.single), series: metrics.compactMap(\.series),
      tags: try json.optional("tags")?.elements(RecordTag.init) ?? [],
      userNotes: try json.optional("user_notes")?.elements(UserNote.init) ?? [])
    try readInformDetails(json)
    try validate()
  }

  private mutating func readInformDetails(_ json: JSONReader) throws(RecordError) {
    category = try json.optionalString("category")
    name = try json.optionalString("name")
    intensity = try json.optionalString("intensity")
    granularity = try json.optional("granularity", Granularity.init)
    // Only a nutrition record's segments have a published shape.
    if kind == .nutrition {
      segments = try json.optional("segments")?.elements(NutritionSegment.init) ?? []
    }
    extras = try json.optional("extras")?.extras() ?? [:]
    media = try json.optional("media")?.elements(RecordMedia.init) ?? []
    isValidated = try json.optional("validated")?.bool()
    serverID = try json.optionalString("id")
    lastUpdated = try json.optional("updated_at")?.instant()
    enteredInError = try json.optional("entered_in_error")?.instant()
  }
}

extension RecordTag {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    self.init(name: try json.member("name").string(), value: try json.member("value").string())
  }
}

extension UserNote {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    self.init(type: try json.member("type").string(), value: try json.member("value").string())
  }
}

extension RecordMedia {
  package init(_ json: JSONReader) throws(RecordError) {
    self.init(
      sha256: try json.member("sha256").string(),
      contentType: try json.member("content_type").string(),
      byteCount: try json.member("size").integer(), id: try json.optionalString("id"),
      url: try json.optionalString("url"))
    try validate(at: json.path)
  }

  package func writeInform(to json: inout JSONWriter) {
    json.object { json in
      json.optional("sha256", sha256)
      json.optional("content_type", contentType)
      json.optional("size", byteCount)
      json.optional("id", id)
      json.optional("url", url)
    }
  }
}
