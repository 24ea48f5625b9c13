// SPDX-License-Identifier: Apache-2.0

import Foundation
package import HealthRecords

/// The one reading that has an identifier: its values follow from it, so that a checker can distinguish a
/// damaged record from the one that was submitted.
package func reading(_ logID: String) -> HealthRecord {
  let number = logID.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
  let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(number % 10_000_000))
  return HealthRecord(
    logID: logID, time: RecordTime(start: time, origin: .device, received: time),
    source: RecordSource(type: .bluetooth, device: SourceDevice(manufacturer: "Test")),
    metrics: [
      Metric(.systolic, Double(100 + number % 80)), Metric(.diastolic, Double(50 + number % 40)),
      Metric(.pulse, Double(45 + number % 70)),
    ])
}
