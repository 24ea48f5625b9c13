// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `Device status` {
  private let device = SourceDevice(
    id: "20230508A1", manufacturer: "Beurer", model: "BM54", batteryPercent: 8)
  private let since = Date(timeIntervalSince1970: 1_777_708_800)

  private func record(
    _ finding: DeviceStatusFinding = .lowBattery, of device: SourceDevice? = nil,
    since: Date? = nil, message: String = "Put new batteries in."
  ) -> HealthRecord {
    HealthRecord(
      deviceStatus: finding, of: device ?? self.device, since: since ?? self.since,
      at: self.since.addingTimeInterval(60), message: message)
  }

  @Test func `says of which device what was found, when it began and what to do`() throws {
    let text = String(decoding: try record().informJSON(), as: UTF8.self)
    #expect(
      text == #"{"log_id":"\#(record().logID)","type":"device_status","version":"1.0","#
        + #""start_time":"2026-05-02T08:00:00Z","end_time":"2026-05-02T08:00:00Z","#
        + #""time":{"origin":"received","received":"2026-05-02T08:01:00Z"},"#
        + #""source":{"type":"bluetooth","device":{"id":"20230508A1","manufacturer":"Beurer","#
        + #""model":"BM54","battery":8}},"metrics":[],"#
        + #""tags":[{"name":"device_status","value":"low_battery"}],"#
        + #""extras":{"message":"Put new batteries in."}}"#)
    #expect(!record().time.isDeviceTimeDisbelieved)
  }

  @Test(arguments: DeviceStatusFinding.allCases)
  func `is read back as it was written`(finding: DeviceStatusFinding) throws {
    let read = try HealthRecord(informJSON: record(finding).informJSON())
    #expect(read == record(finding))
    #expect(read.deviceStatus == finding)
    #expect(!read.kind.isReading)
  }

  @Test func `is the same record when it is told again`() {
    var later = device
    (later.batteryPercent, later.firmwareRevision) = (6, "2.0")
    let again = HealthRecord(
      deviceStatus: .lowBattery, of: later, since: since.addingTimeInterval(0.0001),
      at: since.addingTimeInterval(86_400), message: "The battery is nearly empty.")
    #expect(again.logID == record().logID)
    #expect(again.time.start == record().time.start)
  }

  @Test func `is another record for another finding, device or beginning`() {
    var other = device
    other.id = "20230508A2"
    var named = device
    named.id = nil
    var serial = named
    serial.serialNumber = "77"
    let records = [
      record(), record(.silent), record(of: other), record(of: named), record(of: serial),
      record(since: since.addingTimeInterval(1)),
    ]
    #expect(Set(records.map(\.logID)).count == records.count)
  }

  /// A gateway of another version must make the same identifier.
  @Test func `keeps its identifier`() {
    #expect(record().logID == "2cb2ddfa-a0cc-86d6-9f0a-2ae23cbcc0a0")
  }

  @Test func `has no form that is for readings`() throws {
    let error = RecordError(
      .invalidValue, at: "type", "a device's status is no reading, so it has no such form")
    #expect(throws: error) { try FHIRExample.observations(record()) }
    #expect(throws: error) { try record().legacyForm() }
    #expect(throws: error) { try RecordCSV().rows(of: record()) }
    let result = try OpenMHealthEncoder(subject: "anna").dataPoints(of: record())
    #expect(result.dataPoints.isEmpty)
    #expect(
      result.omissions.map(\.description)
        == ["type (device_status) is left out: it is no measurement of a person"])
  }

  @Test func `ends what it names`() {
    let ends = DeviceStatusFinding.allCases.compactMap(\.ended)
    #expect(ends == [.lowBattery, .silent, .bondLost])
  }

  @Test func `is unknown where a later version has found something else`() {
    var later = record()
    later.tags = [RecordTag(name: "device_status", value: "cuff_worn")]
    #expect(later.deviceStatus == nil)
    var reading = record()
    reading.kind = .measurement
    #expect(reading.deviceStatus == nil)
  }

  @Test func `is no reading, as what was rejected is none`() {
    #expect(!RecordKind.deviceStatus.isReading)
    #expect(!RecordKind.rejected.isReading)
    for kind in ["measurement", "summary", "workout", "sleep", "nutrition", "intraday", "cgm", "x"]
    {
      #expect(RecordKind(rawValue: kind).isReading)
    }
  }
}
