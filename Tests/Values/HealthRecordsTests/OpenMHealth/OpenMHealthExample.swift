// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

/// Data points as texts, whole and in parts.
enum OpenMHealthExample {
  /// The text of each data point.
  static func texts(_ record: HealthRecord, subject: String = "") throws -> [String] {
    try OpenMHealthEncoder(subject: subject).dataPoints(of: record).dataPoints.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The body of each data point without its time.
  static func bodies(_ record: HealthRecord) throws -> [String] {
    try texts(record).map { text in
      let body = text.split(separator: #","body":{"#)[1]
      let time = body.firstRange(of: #","effective_time_frame""#)
      return String(body[..<(time?.lowerBound ?? body.endIndex)])
    }
  }

  /// The identifiers of the data points.
  static func identifiers(_ record: HealthRecord, subject: String = "") throws -> [String] {
    try texts(record, subject: subject).map { String($0.dropFirst(19).prefix(36)) }
  }

  /// What is left out, as `path name reason`.
  static func omissions(_ record: HealthRecord) throws -> [String] {
    try OpenMHealthEncoder().dataPoints(of: record).omissions.map {
      "\($0.path) \($0.name) \($0.reason.code)"
    }
  }

  /// The header of a data point of `FHIRExample.measurement(_:)`, from the name of the schema on.
  static func header(_ namespace: String, _ name: String, _ version: String) -> String {
    #"""
    "schema_id":{"namespace":"\#(namespace)","name":"\#(name)","version":"\#(version)"},\#
    "source_creation_date_time":"2018-04-17T15:51:40.250+02:00","modality":"sensed"},"body":
    """#
  }

  /// The end of a data point of `FHIRExample.measurement(_:)`.
  static let moment = #"""
    "effective_time_frame":{"date_time":"2018-04-17T15:51:00+02:00"}}}
    """#

  /// The time of a data point of `FHIRExample.hour(_:_:)`.
  static let hour = #"""
    "effective_time_frame":{"time_interval":{"start_date_time":"2018-04-17T15:51:00+02:00",\#
    "end_date_time":"2018-04-17T16:51:00+02:00"}}}}
    """#
}
