// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `A record that was entered in error` {
  private var record: HealthRecord {
    var record = FHIRExample.measurement([Metric(.bodyWeight, 71)])
    record.enteredInError = FHIRExample.instant + 60
    return record
  }

  @Test func `says so in the Inform form, and reads it back`() throws {
    let json = try record.informJSON()
    let text = String(decoding: json, as: UTF8.self)
    #expect(text.contains(#""entered_in_error":"2018-04-17T13:52:00Z""#), "\(text)")
    #expect(try HealthRecord(informJSON: json) == record)
  }

  @Test func `has no Legacy form, which could not say it`() {
    let error = #expect(throws: RecordError.self) { try record.legacyForm() }
    #expect(error?.path == "entered_in_error")
  }

  @Test func `is no data point of Open mHealth, and is reported`() throws {
    let result = try OpenMHealthEncoder().dataPoints(of: record)
    #expect(result.dataPoints.isEmpty)
    #expect(result.omissions.map(\.reason) == [.enteredInError])
  }

  @Test func `must have a time that can be written`() {
    var record = record
    record.enteredInError = .distantPast
    let error = #expect(throws: RecordError.self) { try record.validate() }
    #expect(error?.path == "entered_in_error")
  }
}
