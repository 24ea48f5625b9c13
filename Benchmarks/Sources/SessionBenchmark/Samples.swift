// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

/// A blood pressure reading as a monitor gives it.
func sample(_ index: Int) -> HealthRecord {
  let time = Date(timeIntervalSince1970: 1_772_600_000 + Double(index * 61))
  return HealthRecord(
    // A digest, as those of devices are: what is looked up by it stands in no order.
    logID: RecordIdentity(device: "monitor", sequenceNumber: index, metrics: []).logID,
    time: RecordTime(start: time, origin: .device, received: time.addingTimeInterval(3.2)),
    source: RecordSource(
      type: .bluetooth,
      device: SourceDevice(manufacturer: "Santorio", model: "Sphygmo 2", serialNumber: "A-1034")),
    metrics: [
      Metric(.systolic, Double(100 + index % 60)), Metric(.diastolic, Double(60 + index % 30)),
      Metric(.pulse, Double(50 + index % 50)),
    ])
}
