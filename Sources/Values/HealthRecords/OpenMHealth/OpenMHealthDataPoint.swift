// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

/// A data point: what its header and its body say.
struct OpenMHealthDataPoint {
  let schema: OpenMHealthSchema
  /// What distinguishes it from the other data points of its record.
  var part: String
  let start: Date
  /// When its span ends; the start where it is a moment.
  let end: Date
  /// Who made the values; nil where they differ.
  let origin: Metric.Origin?
  /// The members of the body but the time frame.
  var members: [(name: String, value: Member)]

  /// The value of a member of a body.
  enum Member {
    case quantity(OpenMHealthQuantity)
    case count(Int)
    case text(String)
  }

  /// When it was created; it cannot have been before its end.
  func created(of record: HealthRecord) -> Date {
    record.lastUpdated ?? record.time.knownReceipt ?? max(end, record.time.end)
  }

  func write(to json: inout JSONWriter, of record: HealthRecord, subject: String) {
    let times = FHIRTime(utcOffsetSeconds: record.time.utcOffsetSeconds)
    json.object { json in
      json.key("header")
      writeHeader(to: &json, of: record, subject: subject, times)
      json.key("body")
      writeBody(to: &json, times)
    }
  }

  private func writeHeader(
    to json: inout JSONWriter, of record: HealthRecord, subject: String, _ times: FHIRTime
  ) {
    json.object { json in
      json.optional("uuid", uuid(in: record, of: subject))
      json.key("schema_id")
      json.object { json in
        json.optional("namespace", schema.namespace)
        json.optional("name", schema.name)
        json.optional("version", schema.version)
      }
      json.optional("source_creation_date_time", times.text(created(of: record)))
      json.optional("modality", origin?.modality)
    }
  }

  private func uuid(in record: HealthRecord, of subject: String) -> String {
    let change = record.lastUpdated.map { "\n\($0.informText)" } ?? ""
    return DigestUUID.text(
      of: "urn:santorio:open-mhealth\n\(subject)\n\(record.logID)\n\(part)\(change)")
  }

  private func writeBody(to json: inout JSONWriter, _ times: FHIRTime) {
    json.object { json in
      for (name, value) in members {
        json.key(text: name)
        value.write(to: &json)
      }
      json.key("effective_time_frame")
      json.object { json in
        guard end > start else { return json.optional("date_time", times.text(start)) }
        json.key("time_interval")
        json.pair("start_date_time", times.text(start), "end_date_time", times.text(end))
      }
    }
  }
}

extension OpenMHealthDataPoint.Member {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .quantity(let quantity):
      json.object { json in
        json.number("value", quantity.value, digits: quantity.digits)
        json.optional("unit", quantity.unit)
      }
    case .count(let count): json.integer(count)
    case .text(let text): json.string(text)
    }
  }
}

extension Metric.Origin {
  fileprivate var modality: String? {
    switch self {
    case .device: "sensed"
    case .manual: "self-reported"
    case .unknown: nil
    }
  }
}
