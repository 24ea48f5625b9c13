// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

extension VLDRecord {
  /// The value of a metric in the unit of the table of metrics; nil when there is none.
  func number(_ type: MetricType) -> NSNumber? {
    content.metrics.first { $0.type == type }?.standardValue.map { NSNumber(value: $0) }
  }

  /// Changes the value of a metric, in the unit of the table of metrics; nil removes it.
  ///
  /// - Parameters:
  ///   - number: The value.
  ///   - type: The metric.
  func setNumber(_ number: NSNumber?, of type: MetricType) {
    guard number != self.number(type) else { return }
    let index = content.metrics.firstIndex { $0.type == type }
    content.metrics.removeAll { $0.type == type }
    guard let number else { return }
    let metric = Metric(type, number.doubleValue, origin: enteredOrigin)
    content.metrics.insert(metric, at: index ?? content.metrics.endIndex)
  }

  /// Where a value comes from that the app sets: nobody knows whether a device of its own measured it,
  /// but one that replaces or joins those of a device was entered.
  private var enteredOrigin: Metric.Origin { content.source.type == .app ? .unknown : .manual }
}
