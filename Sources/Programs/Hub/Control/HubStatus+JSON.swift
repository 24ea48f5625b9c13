// SPDX-License-Identifier: Apache-2.0

import Foundation
package import HealthRecords
import SantorioJSON

extension HubStatus {
  /// The status as one line for programs, without its end.
  package var json: String {
    var json = JSONWriter()
    json.object { write(to: &$0) }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Reads a status.
  ///
  /// - Parameter json: The text of ``json``.
  /// - Throws: `RecordError` that says where the text is another one.
  package init(json: String) throws(RecordError) {
    try self.init(JSONReader(parsing: json.utf8))
  }

  func write(to json: inout JSONWriter) {
    json.optional("name", name)
    json.optional("version", version)
    json.date("since", since)
    json.date("at", at)
    if case .paused(let end) = reading {
      json.optional("paused", true)
      json.date("paused_until", end)
    }
    json.part("adapter", adapter)
    json.part("mqtt", mqtt)
    json.list("patients", patients) { json, patient in json.object { patient.write(to: &$0) } }
    json.list("unknown_devices", unknown) { json, device in
      json.object { device.write(to: &$0) }
    }
  }

  init(_ reader: JSONReader) throws(RecordError) {
    let isPaused = try reader.optional("paused")?.bool() ?? false
    let end = try reader.optional("paused_until")?.date()
    self.init(
      name: try reader.member("name").string(), version: try reader.member("version").string(),
      since: try reader.member("since").date(), at: try reader.member("at").date(),
      reading: isPaused ? .paused(until: end) : .on, adapter: try Part(reader.member("adapter")),
      mqtt: try reader.optional("mqtt") { reader throws(RecordError) in try Part(reader) },
      patients: try reader.member("patients").elements { reader throws(RecordError) in
        try Patient(reader)
      },
      unknown: try reader.member("unknown_devices").elements { reader throws(RecordError) in
        try UnknownDevice(reader)
      })
  }
}

extension HubStatus.Part {
  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    self.init(works: try reader.member("works").bool(), try reader.member("text").string())
  }
}

extension HubStatus.Patient {
  fileprivate func write(to json: inout JSONWriter) {
    json.optional("alias", alias)
    json.optional("queued", queued)
    json.date("oldest", oldest)
    json.optional("held", held)
    if !decisions.isEmpty {
      json.list("decisions", decisions) { json, decision in json.object { decision.write(to: &$0) }
      }
    }
    if older > 0 { json.optional("older", older) }
    json.optional("rejected", rejected)
    json.part("upload", upload)
    if let healthExports {
      json.key("health_exports")
      json.object { healthExports.write(to: &$0) }
    }
    json.list("devices", devices) { json, device in json.object { device.write(to: &$0) } }
  }

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    self.init(
      alias: try reader.member("alias").string(), queued: try reader.member("queued").integer(),
      oldest: try reader.optional("oldest")?.date(), held: try reader.member("held").integer(),
      rejected: try reader.member("rejected").integer(),
      upload: try HubStatus.Part(reader.member("upload")),
      devices: try reader.member("devices").elements { reader throws(RecordError) in
        try HubStatus.Device(reader)
      })
    healthExports = try reader.optional("health_exports") { reader throws(RecordError) in
      try HubStatus.HealthExports(reader)
    }
    older = try reader.optional("older")?.integer() ?? 0
    decisions =
      try reader.optional("decisions")?.elements { reader throws(RecordError) in
        try HubStatus.Decision(reader)
      } ?? []
  }
}

extension HubStatus.HealthExports {
  fileprivate func write(to json: inout JSONWriter) {
    json.optional("taken", taken)
    json.optional("records", records)
    json.date("last", last)
    json.part("state", part)
  }

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    self.init(
      taken: try reader.member("taken").integer(),
      records: try reader.member("records").integer(), last: try reader.optional("last")?.date(),
      part: try HubStatus.Part(reader.member("state")))
  }
}

extension HubStatus.Decision {
  func write(to json: inout JSONWriter) {
    json.optional("record", record)
    json.optional("device", device)
    json.optional("identifier", identifier?.uuidString)
    json.optional("slot", slot)
    json.date("time", time)
    if isTimeUnknown { json.optional("time_unknown", true) }
    json.optional("reason", reason.rawValue)
    if !values.isEmpty { json.list("values", values) { json, value in json.string(value) } }
    if !candidates.isEmpty {
      json.list("candidates", candidates) { json, alias in json.string(alias) }
    }
  }

  init(_ reader: JSONReader) throws(RecordError) {
    self.init(
      record: try reader.member("record").string(), device: try reader.member("device").string(),
      slot: try reader.optional("slot")?.integer(), time: try reader.member("time").date(),
      reason: try reader.member("reason").choice())
    identifier = try reader.optional("identifier")?.identifier()
    isTimeUnknown = try reader.optional("time_unknown")?.bool() ?? false
    values = try reader.strings("values")
    candidates = try reader.strings("candidates")
  }
}

extension HubStatus.Device {
  fileprivate func write(to json: inout JSONWriter) {
    json.optional("device", identifier.uuidString)
    json.optional("model", model)
    json.optional("name", name)
    json.optional("state", state.rawValue)
    json.optional("reason", reason)
    json.date("last_seen", lastSeen)
    json.date("last_read", lastRead)
    json.date("next_try", nextTry)
    json.optional("battery_percent", batteryPercent)
    json.optional("clock_drift_seconds", clockDrift)
  }

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    self.init(
      identifier: try reader.member("device").identifier(),
      model: try reader.optional("model")?.integer(), name: try reader.member("name").string(),
      state: try reader.member("state").choice(), reason: try reader.optionalString("reason"),
      lastSeen: try reader.optional("last_seen")?.date(),
      lastRead: try reader.optional("last_read")?.date(),
      nextTry: try reader.optional("next_try")?.date(),
      batteryPercent: try reader.optional("battery_percent")?.integer(),
      clockDrift: try reader.optional("clock_drift_seconds")?.number())
  }
}

extension HubStatus.UnknownDevice {
  fileprivate func write(to json: inout JSONWriter) {
    json.optional("device", identifier.uuidString)
    json.optional("model", model)
    json.optional("name", name)
    json.optional("signal_dbm", signal)
    json.date("last_seen", lastSeen)
  }

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    self.init(
      identifier: try reader.member("device").identifier(),
      model: try reader.optional("model")?.integer(), name: try reader.member("name").string(),
      signal: try reader.optional("signal_dbm")?.integer(),
      lastSeen: try reader.member("last_seen").date())
  }
}

extension JSONReader {
  fileprivate func strings(_ name: String) throws(RecordError) -> [String] {
    try optional(name)?.elements { reader throws(RecordError) in try reader.string() } ?? []
  }
}

extension JSONWriter {
  fileprivate mutating func date(_ name: StaticString, _ date: Date?) {
    optional(name, date?.formatted(.iso8601))
  }

  fileprivate mutating func part(_ name: StaticString, _ part: HubStatus.Part?) {
    guard let part else { return }
    key(name)
    object { json in
      json.optional("works", part.works)
      json.optional("text", part.text)
    }
  }
}
