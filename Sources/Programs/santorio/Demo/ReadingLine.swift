// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// A record as one line for display; what is no reading is called so.
struct ReadingLine {
  let text: String

  init(_ record: HealthRecord) {
    let device = record.source.device
    let name = [device?.manufacturer, device?.model].compactMap(\.self).joined(separator: " ")
    let readings = record.series.flatMap { series in
      series.readingLog.map(series.metric)
    }
    let values = (record.metrics + readings).map { metric in
      let name = metric.type.definition?.displayName.lowercased() ?? metric.type.rawValue
      return "\(name) \(metric.valueText) \(metric.unit)"
    }
    let tags = record.tags.map { tag in
      let name = tag.name.replacing("_", with: " ")
      return tag.value == "true" ? name : "\(name) \(tag.value)"
    }
    let kind = record.kind.isReading ? [] : ["no reading"]
    text =
      ([record.time.lineText, name.padded(to: 22)] + kind + values + tags)
      .joined(separator: "  ").printable
  }
}

extension RecordTime {
  /// The local time of the measurement, and what the device showed where that is another.
  fileprivate var lineText: String {
    let local = LocalDateTime(start, utcOffsetSeconds: utcOffsetSeconds ?? 0)
    let shown = deviceTime.map { " (the device shows \($0))" } ?? ""
    let text = local.description + (utcOffsetSeconds == nil ? "Z" : "")
    if isDeviceTimeDisbelieved { return "at an unknown time, received \(text)\(shown)" }
    return origin == .deviceCorrected ? text + shown : text
  }
}
