// SPDX-License-Identifier: Apache-2.0

package import SantorioJSON

// A record that is deleted has a `deleted_at` in Validic's data resources. Here nothing else of it is
// left but its `log_id`, and how it was known.
extension RecordDeletion {
  /// With what each form begins, and no record's does.
  private static let beginning = Array(#"{"deleted_at":"#.utf8)

  /// The deletion as one JSON object without line breaks, in UTF-8.
  ///
  /// - Returns: The JSON text.
  /// - Throws: ``RecordError`` when the deletion is not valid, see ``validate()``.
  public func json() throws(RecordError) -> [UInt8] {
    try validate()
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  /// Writes the form of a deletion that is valid.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.optional("deleted_at", noticed)
      json.optional("log_id", logID)
      json.optional("type", kind?.rawValue)
      json.optional("reason", reason.rawValue)
      if let source {
        json.key("source")
        json.object { $0.optional("type", source.rawValue) }
      }
      if !metrics.isEmpty { json.list("metric_types", metrics) { $0.string($1.rawValue) } }
    }
  }

  /// Whether a form that this library wrote is that of a deletion; other bytes are none of it.
  ///
  /// - Parameter bytes: The form of a record or of a deletion.
  /// - Returns: Whether it is of a deletion.
  package static func isForm(_ bytes: [UInt8]) -> Bool { bytes.starts(with: beginning) }

  /// Reads a deletion.
  ///
  /// - Parameter json: One JSON object in UTF-8.
  /// - Throws: ``RecordError`` with the place of the first fault; also for a record with values.
  public init(json: some Collection<UInt8>) throws(RecordError) {
    try self.init(JSONReader(parsing: json))
  }

  /// Whether parsed JSON is meant as a deletion: it has a time of deletion, and no values.
  package static func isMeant(by json: JSONReader) -> Bool {
    func has(_ name: String) -> Bool { ((try? json.optional(name)) ?? nil) != nil }
    return has(timeName) && !has("metrics")
  }

  /// Reads a deletion from parsed JSON.
  package init(_ json: JSONReader) throws(RecordError) {
    if let values = try json.optional("metrics") {
      throw values.invalid("a deletion has no values; send its log_id and deleted_at only")
    }
    self.init(
      of: try json.member("log_id").string(), noticed: try json.member(Self.timeName).instant(),
      kind: try json.optionalString("type").map(RecordKind.init),
      reason: try json.optionalString("reason").map(Reason.init) ?? .atSource,
      source: try json.optional("source")?.optionalString("type").map(SourceType.init),
      metrics: try json.optional("metric_types")?.elements { json throws(RecordError) in
        MetricType(rawValue: try json.string())
      } ?? [])
    try validate()
  }
}
