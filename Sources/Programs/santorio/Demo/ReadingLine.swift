// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// A reading as one line for display.
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
    let time = record.time.deviceTime?.description ?? "\(record.time.start)"
    let tags = record.tags.map { $0.value == "true" ? $0.name : "\($0.name) \($0.value)" }
    text =
      ([time, name.padded(to: 22)] + values + tags)
      .joined(separator: "  ").printable
  }
}
