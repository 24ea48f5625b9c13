// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

/// Records of one instant, 17 April 2018, 15:51 in a zone two hours east of Greenwich, by a clock
/// of which nothing is said.
enum FHIRExample {
  static let form = FHIREncoder(subject: "Patient/123")
  static let instant = Date(timeIntervalSince1970: 1_523_973_060)

  /// What each Observation of ``instant`` has between its code and its value.
  static let about = #"""
    "subject":{"reference":"Patient/123"},"effectiveDateTime":"2018-04-17T15:51:00+02:00",\#
    "issued":"2018-04-17T15:51:40.250+02:00"
    """#
  static let vitalSigns = category("vital-signs")

  static func category(_ code: String) -> String {
    #"""
    "status":"final","category":[{"coding":[{"system":\#
    "http://terminology.hl7.org/CodeSystem/observation-category","code":"\#(code)"}]}]
    """#
  }

  static func measurement(
    _ metrics: [Metric], logID: String = "m1", device: SourceDevice? = nil
  ) -> HealthRecord {
    HealthRecord(
      logID: logID,
      time: RecordTime(
        start: instant, utcOffsetSeconds: 7200, offsetOrigin: .source, origin: .unknown,
        received: instant.addingTimeInterval(40.25)),
      source: RecordSource(type: .bluetooth, device: device), metrics: metrics)
  }

  /// A record over an hour that began at ``instant``.
  static func hour(_ kind: RecordKind, _ metrics: [Metric]) -> HealthRecord {
    HealthRecord(
      logID: "h1", kind: kind,
      time: RecordTime(
        start: instant, end: instant.addingTimeInterval(3600), utcOffsetSeconds: 7200,
        origin: .unknown, received: instant.addingTimeInterval(4000)),
      source: RecordSource(type: .appleHealth), metrics: metrics)
  }

  /// What each Observation of ``hour(_:_:)`` has between its code and its value.
  static let aboutHour = #"""
    "subject":{"reference":"Patient/123"},\#
    "effectivePeriod":{"start":"2018-04-17T15:51:00+02:00","end":"2018-04-17T16:51:00+02:00"},\#
    "issued":"2018-04-17T16:57:40+02:00"
    """#

  /// The Observations of a record as texts.
  static func observations(_ record: HealthRecord) throws -> [String] {
    try form.observations(of: record).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The Observations of a record as Foundation's parser reads them.
  static func objects(_ record: HealthRecord) throws -> [FHIRObject] {
    try form.observations(of: record).map(FHIRObject.init)
  }
}

/// JSON as Foundation's parser reads it.
struct FHIRObject {
  let value: Any?

  init(_ json: [UInt8]) throws { value = try JSONSerialization.jsonObject(with: Data(json)) }

  private init(value: Any?) { self.value = value }

  subscript(name: String) -> FHIRObject { FHIRObject(value: (value as? [String: Any])?[name]) }
  subscript(index: Int) -> FHIRObject {
    let array = value as? [Any] ?? []
    return FHIRObject(value: array.indices.contains(index) ? array[index] : nil)
  }
  var text: String? { value as? String }
  var number: Double? { (value as? NSNumber)?.doubleValue }
  var bool: Bool? { value as? Bool }
  var elements: [FHIRObject] { (value as? [Any] ?? []).map { FHIRObject(value: $0) } }
  var exists: Bool { value != nil }
  /// The codes of a CodeableConcept, each after its system.
  var codes: [String] {
    self["coding"].elements.map { "\($0["system"].text ?? "")|\($0["code"].text ?? "")" }
  }
}
