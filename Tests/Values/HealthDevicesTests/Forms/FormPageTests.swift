// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import TestSupport
import Testing

/// The article that says what each form makes of a reading; `UPDATE=1` writes its tables anew.
@Suite struct `The page of readings in each form` {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(
      "Sources/Values/HealthRecords/HealthRecords.docc/ReadingsInEachForm.md")
  /// Where the part begins that is made here.
  private static let mark = "## Readings\n"

  @Test func `says what the forms say`() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let start = try #require(text.range(of: Self.mark)).upperBound
    let tables = try Self.examples.map { try $0.section() }.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["UPDATE"] != nil {
      try Data((text[..<start] + "\n" + tables).utf8).write(to: Self.page)
    }
    let written = try String(contentsOf: Self.page, encoding: .utf8)[start...].dropFirst()
    let lines = (
      made: tables.components(separatedBy: "\n"), read: written.components(separatedBy: "\n")
    )
    for (made, read) in zip(lines.made, lines.read) {
      #expect(made == read, "run this test with UPDATE=1 if the change is intended")
    }
    #expect(lines.made.count == lines.read.count)
  }

  /// A payload of a device, and what it is.
  struct Example: Sendable {
    let title: String
    let characteristic: String
    let payload: String
    var session: String?
    let model: DeviceModel
    let read: @Sendable ([UInt8]) throws -> DeviceReading?

    /// 2026-05-02T08:00:30Z.
    private static let received = Date(timeIntervalSince1970: 1_777_708_830)

    func section() throws -> String {
      let digits = payload.filter { $0 != " " }
      let reading = try #require(try read(try bytes(payload)))
      let rows = FormRows(record: try record(of: reading)).rows
      return "### \(title)\n\n\(characteristic): `\(digits)`\(session.map { ", \($0)" } ?? "")\n\n"
        + "| Form | What it says |\n|---|---|\n"
        + rows.map { "| \($0.form) | \($0.text) |\n" }.joined()
    }

    private func record(of reading: DeviceReading) throws -> HealthRecord {
      let number = "00000000-0000-0000-0000-00000000002A"
      var facts = DeviceProperties(identifier: try #require(UUID(uuidString: number)))
      facts.note(.manufacturer("Acme"))
      facts.note(.model("One"))
      facts.note(.serialNumber("77"))
      let maker = ReadingRecord(
        peripheral: model, facts: facts, identity: facts.identity,
        zone: try #require(TimeZone(secondsFromGMT: 7200)))
      do throws(RejectedReading) {
        return try maker.record(of: reading, at: Self.received)
      } catch {
        return maker.record(of: reading, rejectedFor: error, at: Self.received)
      }
    }
  }

  @Sendable private static func glucose(_ payload: [UInt8]) throws -> DeviceReading {
    DeviceReading(
      GlucoseRecord(measurement: try GlucoseMeasurement(payload: payload), context: nil))
  }

  private static let now = "EA07 05 02 0A 00 00"  // 2026-05-02T10:00:00

  private static let examples: [Example] = [
    Example(
      title: "Glucose of 5.4 mmol/L in capillary blood",
      characteristic: "Glucose Measurement (2A18)",
      payload: "06 0700 \(now) 36C0 11", model: .genericGlucose, read: glucose),
    Example(
      title: "HI, without a number", characteristic: "Glucose Measurement (2A18)",
      payload: "02 0800 \(now) FE07 11", model: .genericGlucose, read: glucose),
    Example(
      title: "More than 600 mg/dL", characteristic: "Glucose Measurement (2A18)",
      payload: "0A 0900 \(now) 58B2 11 2000", model: .genericGlucose, read: glucose),
    Example(
      title: "41 mg/dL of control solution", characteristic: "Glucose Measurement (2A18)",
      payload: "02 0A00 \(now) 29B0 4A", model: .genericGlucose, read: glucose),
    Example(
      title: "154/92 mmHg with an irregular pulse",
      characteristic: "Blood Pressure Measurement (2A35)",
      payload: "16 9A00 5C00 7100 \(now) 4800 0400", model: .genericBloodPressure,
      read: { DeviceReading(bloodPressureMeasurement: $0) }),
    Example(
      title: "101.3 °F in the mouth", characteristic: "Temperature Measurement (2A1C)",
      payload: "07 F50300FF \(now) 06", model: .genericThermometer,
      read: { DeviceReading(temperatureMeasurement: $0) }),
    Example(
      title: "A saturation of 93 % with low perfusion",
      characteristic: "PLX Spot-Check Measurement (2A5E)",
      payload: "05 5D00 4000 \(now) 200000", model: .genericPulseOximeter,
      read: { DeviceReading(try PLXSpotCheckMeasurement(payload: $0)) }),
    Example(
      title: "A saturation of which the device doubts the signal",
      characteristic: "PLX Spot-Check Measurement (2A5E)",
      payload: "05 5D00 4000 \(now) 100000", model: .genericPulseOximeter,
      read: { DeviceReading(try PLXSpotCheckMeasurement(payload: $0)) }),
    Example(
      title: "154.30 lb", characteristic: "Weight Measurement (2A9D)",
      payload: "03 463C \(now)", model: .genericWeightScale,
      read: { payload in
        var join = BodyCompositionJoin(expectsWeight: true, expectsComposition: false)
        let joined = join.add(try WeightMeasurement(payload: payload), at: .zero)
        return joined.first.map { DeviceReading($0) }
      }),
    Example(
      title: "A time that cannot be true", characteristic: "Glucose Measurement (2A18)",
      payload: "02 0B00 DF07 01 01 00 05 00 29B0 11", model: .genericGlucose, read: glucose),
    Example(
      title: "A reading of a glucose monitor", characteristic: "CGM Measurement (2AA7)",
      payload: "06 00 5F00 0500", session: "five minutes after a session began at 09:50",
      model: .genericContinuousGlucose,
      read: { payload in
        var sensor = CGMSensor()
        try sensor.take(.cgmFeature, try bytes("000000 59 FFFF"))
        let session = CGMSession(start: 1_777_708_200, scale: .universal)  // 2026-05-02T07:50:00Z
        return try CGMMeasurement(payload: payload).records.first.map {
          DeviceReading($0, in: session, of: sensor)
        }
      }),
  ]
}
