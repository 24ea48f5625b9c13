// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import IngestServer

@Suite struct `Content of a record` {
  private func record(
    start: Double = 1_718_464_647, offset: Int = 7200, received: Double = 1_718_466_000,
    deviceTime: String? = "2024-06-15T17:17:27", battery: Int = 90, systolic: Double = 120
  ) -> HealthRecord {
    HealthRecord(
      logID: "a",
      time: RecordTime(
        start: Date(timeIntervalSince1970: start), utcOffsetSeconds: offset,
        offsetOrigin: .source, origin: .device,
        deviceTime: deviceTime.flatMap { LocalDateTime($0) },
        received: Date(timeIntervalSince1970: received)),
      source: RecordSource(
        type: .bluetooth, device: SourceDevice(id: "1", batteryPercent: battery)),
      metrics: [Metric(.systolic, systolic)])
  }

  @Test func `is the same when the device is read again, elsewhere and later`() {
    let again = record(start: 1_718_471_847, offset: 0, received: 1_718_500_000, battery: 40)
    #expect(record().contentDigest == again.contentDigest)
  }

  @Test func `differs by value and by the device's time`() {
    #expect(record().contentDigest != record(systolic: 121).contentDigest)
    #expect(
      record().contentDigest != record(deviceTime: "2024-06-15T17:17:28").contentDigest)
  }

  @Test func `differs by the receiver's time when the device told none`() {
    let first = record(deviceTime: nil)
    #expect(first.contentDigest == record(received: 0, deviceTime: nil).contentDigest)
    #expect(first.contentDigest != record(start: 1_718_464_648, deviceTime: nil).contentDigest)
    #expect(first.contentDigest != record(offset: 0, deviceTime: nil).contentDigest)
  }
}
