// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

// Not the Inform format, which may gain members: the digest of stored content must not change.
extension HealthRecord {
  /// Whether the record has members that a plain measurement lacks.
  var hasDetails: Bool {
    category != nil || name != nil || intensity != nil || granularity != nil || !series.isEmpty
      || !segments.isEmpty || !statedExtras.isEmpty || !media.isEmpty || enteredInError != nil
  }

  /// The extras with a value: one that is null says as much as none, and once was read as none.
  private var statedExtras: [String: ExtraValue] { extras.filter { $0.value != .null } }

  /// Writes the members of a record other than its metrics, for its digest.
  ///
  /// An image counts by its digest, without members that a server added.
  func writeDetails(to json: inout JSONWriter) {
    json.optional("entered_in_error", enteredInError)
    json.optional("category", category)
    json.optional("name", name)
    json.optional("intensity", intensity)
    if let granularity {
      json.optional("interval", granularity.interval)
      json.optional("interval_unit", granularity.unit)
    }
    json.list("series", series) { $1.writeContent(to: &$0) }
    json.list("segments", segments) { $1.writeContent(to: &$0) }
    json.list("extras", statedExtras.sorted { $0.key < $1.key }) { json, extra in
      json.array { json in
        json.string(extra.key)
        extra.value.writeContent(to: &json)
      }
    }
    json.list("media", media) { $0.string($1.sha256) }
  }
}

extension ExtraValue {
  fileprivate func writeContent(to json: inout JSONWriter) {
    switch self {
    case .text(let text): json.string(text)
    case .number(let number): json.number(number)
    case .flag(let flag): json.bool(flag)
    case .null: json.null()
    case .list(let values):
      json.array { json in for value in values { value.writeContent(to: &json) } }
    case .object(let members):
      json.object { json in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          json.key(text: name)
          value.writeContent(to: &json)
        }
      }
    }
  }
}

extension Metric {
  /// Writes the metric for a digest.
  func writeContent(to json: inout JSONWriter) {
    json.array { json in
      json.string(type.rawValue)
      if let value { json.number(value) } else { json.string(absence?.rawValue ?? "") }
      json.string(unit)
      json.string(origin.rawValue)
      if let bound { json.string(bound.rawValue) }
    }
  }
}

extension MetricSeries {
  fileprivate func writeContent(to json: inout JSONWriter) {
    json.object { json in
      json.optional("type", type.rawValue)
      json.optional("unit", unit)
      json.optional("origin", origin.rawValue)
      json.list("points", dataPoints) { json, point in
        json.array { json in
          json.instant(point.time)
          json.number(point.value)
          if let end = point.end { json.instant(end) }
        }
      }
      json.list("readings", readingLog) { $1.writeContent(to: &$0) }
    }
  }
}

extension GlucoseReading {
  fileprivate func writeContent(to json: inout JSONWriter) {
    json.object { json in
      json.optional("time", time)
      json.optional("value", value)
      json.optional("absent", absence?.rawValue)
      json.optional("bound", bound?.rawValue)
      json.optional("display_time", displayTime?.description)
      json.optional("display_offset", displayUTCOffsetMinutes)
      json.optional("scheduled", isScheduled)
      json.optional("device_id", deviceID)
    }
  }
}

extension NutritionSegment {
  fileprivate func writeContent(to json: inout JSONWriter) {
    json.object { json in
      json.optional("name", name)
      json.list("metrics", metrics) { $1.writeContent(to: &$0) }
      json.list("food", food) { json, food in
        json.object { json in
          json.optional("name", food.name)
          json.optional("brand", food.brand)
          json.list("metrics", food.metrics) { $1.writeContent(to: &$0) }
          json.optional("amount", food.serving?.amount)
          json.optional("unit_name", food.serving?.unitName)
        }
      }
    }
  }
}
