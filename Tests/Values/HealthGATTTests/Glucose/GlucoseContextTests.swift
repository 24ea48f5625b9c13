// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import HealthDevices
import HealthGATT
import TestSupport
import PayloadTesting
import Testing

@Suite struct `Glucose measurement context` {
  @Test(arguments: 0...0xFF)
  func `has exactly the fields that its flags announce`(flags: Int) throws {
    let payload = try WrittenFrame.glucoseContext(flags: flags).bytes
    let context = try GlucoseMeasurementContext(payload: payload)

    #expect(context.sequenceNumber == 30)
    #expect(context.extendedFlags == (flags & 0x80 != 0 ? 0x5A : nil))
    #expect(context.carbohydrate?.occasion == (flags & 0x01 != 0 ? .snack : nil))
    #expect(context.carbohydrate?.grams == (flags & 0x01 != 0 ? 60 : nil))
    #expect(context.meal == (flags & 0x02 != 0 ? .fasting : nil))
    #expect(context.testerHealth?.tester == (flags & 0x04 != 0 ? .healthCareProfessional : nil))
    #expect(context.testerHealth?.health == (flags & 0x04 != 0 ? .underStress : nil))
    #expect(context.exercise?.duration == (flags & 0x08 != 0 ? .seconds(900) : nil))
    #expect(context.exercise?.intensityPercent == (flags & 0x08 != 0 ? 80 : nil))
    #expect(context.medication?.kind == (flags & 0x10 != 0 ? .rapidActingInsulin : nil))
    #expect(context.medication?.amount.double == (flags & 0x10 != 0 ? 0.00001 : nil))
    #expect(context.medicationUnit == (flags & 0x20 != 0 ? .liter : .kilogram))
    #expect(context.hba1c?.double == (flags & 0x40 != 0 ? 6.3 : nil))
    #expect(context.flags.rawValue == UInt8(flags))
    #expect(context.payload == payload)
  }

  @Test(arguments: 0...0xFF)
  func `names the field that is cut`(flags: Int) throws {
    try WrittenFrame.glucoseContext(flags: flags).expectTruncation(as: "2A34")
  }

  @Test func `keeps what follows and reserved values`() throws {
    let payload = try bytes("07 1E00 2A 0000 06 76 AB")
    let context = try GlucoseMeasurementContext(payload: payload)

    #expect(context.carbohydrate?.occasion.rawValue == 0x2A)
    #expect(context.meal?.rawValue == 6)
    #expect(context.testerHealth?.tester.rawValue == 6)
    #expect(context.testerHealth?.health.rawValue == 7)
    #expect(context.trailingBytes == [0xAB])
    #expect(context.payload == payload)
  }

  @Test func `has no duration for an exercise that overran`() throws {
    let context = try GlucoseMeasurementContext(payload: try bytes("08 1E00 FFFF 64"))
    let decoded = try CharacteristicCodec.decode(
      characteristic: "2A34", payload: try bytes("08 1E00 FFFF 64"))

    #expect(context.exercise?.duration == nil)
    #expect(context.exercise?.durationSeconds == 65_535)
    #expect(decoded["exercise_s"] == .text("overrun"))
  }

  @Test func `has no grams for a special value`() throws {
    let context = try GlucoseMeasurementContext(payload: try bytes("01 1E00 04 FF07"))

    #expect(context.carbohydrate?.grams == nil)
    #expect(context.carbohydrate?.mass == .notANumber)
  }

  @Test func `halves of a byte take no more than four bits`() {
    #expect(GlucoseMeasurementContext.Tester(rawValue: 1) == .patient)
    #expect(GlucoseMeasurementContext.Tester(rawValue: 16) == nil)
    #expect(GlucoseMeasurementContext.Health(rawValue: 5) == .noIssues)
    #expect(GlucoseMeasurementContext.Health(rawValue: 16) == nil)
  }

  @Test func `encodes a context`() throws {
    let context = GlucoseMeasurementContext(
      sequenceNumber: 0x0102,
      carbohydrate: .init(occasion: .lunch, mass: try MedicalFloat16(0.045, exponent: -3)),
      meal: .postprandial, testerHealth: .init(tester: .patient, health: .noIssues),
      exercise: .init(durationSeconds: 1800, intensityPercent: 60),
      medication: .init(
        kind: .longActingInsulin, amount: try MedicalFloat16(0.0001, exponent: -5)),
      medicationUnit: .liter, hba1c: try MedicalFloat16(7.1, exponent: -1))

    #expect(
      context.payload == (try bytes("7F 0201 02 2DD0 02 51 0807 3C 04 0AB0 47F0")))
  }
}

@Suite struct `Glucose records` {
  @Test func `have the context of the same sequence number, in whatever order it came`() throws {
    let records = GlucoseRecord.joined(
      [try measurement(3), try measurement(1), try measurement(2)],
      with: [try context(2, meal: 1), try context(9, meal: 2), try context(3, meal: 3)])

    #expect(records.map(\.measurement.sequenceNumber) == [3, 1, 2])
    #expect(records.map(\.context?.meal) == [.fasting, nil, .preprandial])
  }

  @Test func `are taken once when they were sent twice, with the last context`() throws {
    let records = GlucoseRecord.joined(
      [try measurement(1), try measurement(2), try measurement(1)],
      with: [try context(1, meal: 1), try context(1, meal: 4)])

    #expect(records.map(\.measurement.sequenceNumber) == [1, 2])
    #expect(records.first?.context?.meal == .casual)
  }

  @Test func `of one number that differ are both kept`() throws {
    let records = GlucoseRecord.joined(
      [try measurement(1), try measurement(1, concentration: "63B0")], with: [])

    #expect(records.map(\.measurement.concentration?.value) == [98, 99])
  }

  private func measurement(
    _ number: UInt8, concentration: String = "62B0"
  ) throws -> GlucoseMeasurement {
    try GlucoseMeasurement(
      payload: [0x02, number, 0] + (try bytes("EA070301000A00 \(concentration) 11")))
  }

  private func context(_ number: UInt8, meal: UInt8) throws -> GlucoseMeasurementContext {
    try GlucoseMeasurementContext(payload: [0x02, number, 0, meal])
  }
}

/// What other open implementations get wrong about glucose; each test names one of them.
@Suite struct `Faults of other glucose decoders` {
  @Test func `a mantissa of mol/L is not mmol/L (nRF Toolbox for iOS)`() throws {
    let measurement = try GlucoseMeasurement(
      payload: try bytes("06 0700 EA07080C070500 37C0 11"))

    #expect(measurement.concentration == .millimolesPerLiter(5.5))
  }

  @Test func `a record without a concentration has none (xDrip reads one)`() throws {
    let measurement = try GlucoseMeasurement(payload: try bytes("08 0D00 EA070301000A00 0300"))

    #expect(measurement.sample == nil)
    #expect(measurement.sensorStatus == [.deviceBatteryLow, .sensorMalfunction])
  }

  @Test func `a payload of ten bytes is a record (xDrip refuses less than 14)`() throws {
    let measurement = try GlucoseMeasurement(payload: try bytes("10 DDA6 E507040703121E"))

    #expect(measurement.sequenceNumber == 42_717)
  }

  @Test func `the sensor status has two bytes (xDrip reads one)`() throws {
    let measurement = try GlucoseMeasurement(payload: try bytes("08 0D00 EA070301000A00 0008"))

    #expect(measurement.sensorStatus == .timeFault)
  }

  @Test func `the tester is the low half of its byte (bt-glucose-service-bytes-mapper)`() throws {
    let context = try GlucoseMeasurementContext(payload: try bytes("04 0600 13"))

    #expect(context.testerHealth?.tester == .laboratory)
    #expect(context.testerHealth?.health == .minorIssues)
  }

  @Test func `HbA1c is an SFLOAT (sensorframework reads an integer)`() throws {
    let context = try GlucoseMeasurementContext(payload: try bytes("40 0600 3FF0"))

    #expect(context.hba1c?.double == 6.3)
  }

  @Test func `carbohydrates are kilograms, not grams (sensorframework)`() throws {
    let context = try GlucoseMeasurementContext(payload: try bytes("01 0600 01 3CD0"))

    #expect(context.carbohydrate?.mass.double == 0.06)
    #expect(context.carbohydrate?.grams == 60)
  }
}
