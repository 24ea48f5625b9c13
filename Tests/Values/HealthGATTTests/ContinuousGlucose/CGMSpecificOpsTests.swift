// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import PayloadTesting
import TestSupport
import Testing

private typealias ControlPoint = CGMSpecificOpsControlPoint

private let calibration = CGMCalibration(
  concentration: MedicalFloat16(rawValue: 0x2001), time: 10, fluid: .capillaryPlasma,
  location: .earlobe, nextTime: 20, recordNumber: 1, status: .processPending)

private let calibrationFields = [
  "Glucose Concentration of Calibration", "Calibration Time", "Calibration Type-Sample Location",
  "Next Calibration Time", "Calibration Data Record Number", "Calibration Status",
]

@Suite struct `CGM specific ops control point` {
  @Test(
    arguments: [
      ("01 05", .setCommunicationInterval(minutes: 5)), ("02", .getCommunicationInterval),
      ("03 FF", .communicationInterval(minutes: 255)),
      ("04 0120 0A00 32 1400 0100 04", .setCalibration(calibration)),
      ("05 FFFF", .getCalibration(recordNumber: CGMCalibration.last)),
      ("06 0120 0A00 32 1400 0100 04", .calibration(calibration)),
      ("07 B400", .setAlertLevel(.patientHigh, MedicalFloat16(rawValue: 180))),
      ("08", .getAlertLevel(.patientHigh)),
      ("0C 4600", .alertLevel(.patientLow, MedicalFloat16(rawValue: 70))),
      ("0D 3600", .setAlertLevel(.hypo, MedicalFloat16(rawValue: 54))),
      ("11", .getAlertLevel(.hyper)),
      ("15 14F0", .alertLevel(.rateOfDecrease, MedicalFloat16(rawValue: 0xF014))),
      ("16 1EF0", .setAlertLevel(.rateOfIncrease, MedicalFloat16(rawValue: 0xF01E))),
      ("19", .resetDeviceSpecificAlert), ("1A", .startSession), ("1B", .stopSession),
      ("1C 1A 01", .response(to: .startSession, .success)),
      ("1C 63 02", .response(to: .init(rawValue: 0x63), .opCodeNotSupported)),
    ] as [(String, CGMSpecificOpsControlPoint.Operation)])
  func `has these bytes`(
    hexadecimal: String, operation: CGMSpecificOpsControlPoint.Operation
  ) throws {
    let payload = try bytes(hexadecimal)

    #expect(ControlPoint(operation).payload == payload)
    #expect(try ControlPoint(payload: payload) == ControlPoint(operation))
  }

  @Test(
    arguments: [
      ("01 05 CDBE", .setCommunicationInterval(minutes: 5)), ("1A 5CB0", .startSession),
      ("1B D5A1", .stopSession), ("1C 1A 01 6D60", .response(to: .startSession, .success)),
      ("05 FFFF 36F0", .getCalibration(recordNumber: 0xFFFF)),
      ("0A 4600 FF58", .setAlertLevel(.patientLow, MedicalFloat16(rawValue: 70))),
    ] as [(String, CGMSpecificOpsControlPoint.Operation)])
  func `has a check where the sensor supports it`(
    hexadecimal: String, operation: CGMSpecificOpsControlPoint.Operation
  ) throws {
    let payload = try bytes(hexadecimal)

    #expect(ControlPoint(operation, hasCRC: true).payload == payload)
    #expect(try ControlPoint(payload: payload) == ControlPoint(operation, hasCRC: true))
  }

  @Test func `is refused with a wrong check`() throws {
    let error = try refusal(of: try bytes("1B D5A0"), as: "2AAC")

    #expect(error.code == .checksumMismatch)
    #expect(error.field == "E2E-CRC")
    #expect(error.offset == 1)
  }

  @Test(
    arguments: [
      ("01 05 CDBE", ["Op Code", "CGM Communication Interval", "E2E-CRC"], [0, 1, 2]),
      (
        "06 0120 0A00 32 1400 0100 04 BFB2",
        ["Op Code"] + calibrationFields + ["E2E-CRC"], [0, 1, 3, 5, 6, 8, 10, 11]
      ),
      ("04 0120 0A00 32 1400 0100 04", ["Op Code"] + calibrationFields, [0, 1, 3, 5, 6, 8, 10]),
      ("05 FFFF", ["Op Code", "Calibration Data Record Number"], [0, 1]),
      ("07 B400", ["Op Code", "Patient High Alert Level"], [0, 1]),
      ("0A 4600", ["Op Code", "Patient Low Alert Level"], [0, 1]),
      ("0F 3600", ["Op Code", "Hypo Alert Level"], [0, 1]),
      ("10 3600", ["Op Code", "Hyper Alert Level"], [0, 1]),
      ("13 14F0", ["Op Code", "Rate of Decrease Alert Level"], [0, 1]),
      ("18 14F0", ["Op Code", "Rate of Increase Alert Level"], [0, 1]),
      ("1A 5CB0", ["Op Code", "E2E-CRC"], [0, 1]),
      (
        "1C 1A 01 6D60", ["Op Code", "Request Op Code", "Response Code Value", "E2E-CRC"],
        [0, 1, 2, 3]
      ),
    ] as [(String, [String], [Int])])
  func `names the field that is cut`(
    hexadecimal: String, fields: [String], starts: [Int]
  ) throws {
    let payload = try bytes(hexadecimal)
    // Whole without the check.
    let whole = fields.last == "E2E-CRC" ? starts.last : nil
    for length in 0..<payload.count where length != whole {
      let error = try refusal(of: Array(payload[..<length]), as: "2AAC")
      let cut = try #require(starts.lastIndex { $0 <= length })

      #expect(error.code == .truncated, "\(length) bytes")
      #expect(error.field == fields[cut], "\(length) bytes")
      #expect(error.offset == starts[cut], "\(length) bytes")
    }
  }

  @Test(arguments: ["00", "1D 01 02 03", "63 AB", "FF"])
  func `keeps an op code without a name, and all that follows it`(hexadecimal: String) throws {
    let payload = try bytes(hexadecimal)
    let value = try ControlPoint(payload: payload)

    #expect(
      value.operation == .unknown(.init(rawValue: payload[0]), Array(payload.dropFirst())))
    #expect(!value.hasCRC)
    #expect(value.payload == payload)
    #expect(ControlPoint(value.operation, hasCRC: true).payload == payload)
  }

  @Test func `asks for records by their minutes as other services do by their numbers`() throws {
    #expect(
      RecordAccessControlPoint.reportRecords(.timeOffsets(.from(60))).payload
        == (try bytes("01 03 01 3C00")))
    #expect(
      RecordAccessControlPoint.reportNumberOfRecords(.timeOffsets(.within(5, 300))).payload
        == (try bytes("04 04 01 0500 2C01")))
  }
}
