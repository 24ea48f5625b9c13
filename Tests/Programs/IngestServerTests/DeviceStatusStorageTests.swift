// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import IngestServer

@Suite struct `Stored device status` {
  private let begin = Date(timeIntervalSince1970: 1_777_708_800)

  private func status(
    _ finding: DeviceStatusFinding = .lowBattery, after seconds: Double = 60, battery: Int = 8,
    message: String = "Put new batteries in."
  ) -> HealthRecord {
    HealthRecord(
      deviceStatus: finding,
      of: SourceDevice(id: "1", manufacturer: "Beurer", model: "BM54", batteryPercent: battery),
      since: begin, at: begin.addingTimeInterval(seconds), message: message)
  }

  private func post(_ records: [HealthRecord], to test: TestServer) throws -> [String] {
    try test.statuses(records.map { String(decoding: try $0.informJSON(), as: UTF8.self) })
  }

  private func stored(_ test: TestServer) throws -> [HealthRecord] {
    try test.request("GET", test.records).json().member("records").elements().map { json in
      var record = try HealthRecord(json)
      record.serverID = nil
      return record
    }
  }

  @Test func `is returned as it was sent`() throws {
    let test = try TestServer()
    let records = DeviceStatusFinding.allCases.map { status($0) }

    #expect(try post(records, to: test) == records.map { _ in "created" })

    #expect(try stored(test) == records)
  }

  @Test func `is stored once though it is told again later`() throws {
    let test = try TestServer()
    #expect(try post([status()], to: test) == ["created"])

    #expect(try post([status(after: 86_400, battery: 6)], to: test) == ["duplicate"])

    #expect(try stored(test) == [status()])
  }

  @Test func `is replaced where its text changes`() throws {
    let test = try TestServer()
    _ = try post([status()], to: test)
    let changed = status(after: 86_400, battery: 4, message: "The battery is nearly empty.")

    #expect(try post([changed], to: test) == ["revised"])

    #expect(try stored(test) == [changed])
  }
}
