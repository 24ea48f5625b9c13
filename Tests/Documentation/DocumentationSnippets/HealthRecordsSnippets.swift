// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

private func encode(measured: Date) throws -> [UInt8] {
  let metrics = [Metric(.systolic, 120), Metric(.diastolic, 80)]
  let shown = LocalDateTime(year: 2024, month: 6, day: 15, hour: 17, minute: 17, second: 27)
  let identity = RecordIdentity(device: "5160400123", deviceTime: shown, metrics: metrics)

  let record = HealthRecord(
    logID: identity.logID,
    time: RecordTime(start: measured, origin: .device, deviceTime: shown, received: .now),
    source: RecordSource(type: .bluetooth, device: SourceDevice(serialNumber: "5160400123")),
    metrics: metrics)
  let json = try record.informJSON()
  return json
}

private func countSteps(midnight: Date) -> HealthRecord {
  var day = HealthRecord(
    logID: "steps-2024-03-04", kind: .intraday,
    time: RecordTime(start: midnight, end: midnight + 86_400, origin: .device, received: .now),
    source: RecordSource(type: .appleHealth), metrics: [],
    series: [MetricSeries(.steps, [DataPoint(time: midnight + 25_200, value: 212)])])
  day.granularity = .minutes(15)
  return day
}

private func useOtherUnits(of record: HealthRecord) {
  let glucose = Metric(.bloodGlucose, 5.5, in: .millimolesPerLiter)  // kept as 99.1 mg/dL
  let weight = Metric(.bodyWeight, 11.5, in: .stones)  // kept as 73.0 kg
  let shown = record.value(.bodyTemperature, in: TemperatureUnit.fahrenheit)
  _ = (glucose, weight, shown)
}

private func keepWhatWasShown() -> Metric {
  var metric = Metric(.bloodGlucose, 5.5, in: .millimolesPerLiter)
  metric.shown = ShownValue("5.5", unit: "mmol/L")
  metric.value = 104  // drops it, for it is no longer what was shown
  return metric
}

private func addExtras(to weight: inout HealthRecord) {
  weight.extras = [
    "scale": "bathroom", "series": [71.4, 71.2], "shoes": false, "helper": ["role": "nurse"],
  ]
}

private func correct(_ weight: inout HealthRecord) {
  weight.metrics[0].value = 71.2
  weight.lastUpdated = .now
}

private func writeDataPoints(of record: HealthRecord) throws {
  let result = try OpenMHealthEncoder(subject: "participant-7").dataPoints(of: record)
  for omission in result.omissions {
    print(omission.path, omission.name, omission.reason.message)
  }
}
