// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import TestSupport
import Testing

/// What was shown of each value, as `5.5 mmol/L`; nil where that is the value itself.
private func shown(_ reading: DeviceReading?) -> [String?] {
  (reading?.values ?? []).map { value in value.shown.map { "\($0.text) \($0.unit)" } }
}

@Suite struct `What a device showed of a reading` {
  @Test(
    arguments: [
      ("00 730100FF", 37.1, nil), ("00 720100FF", 37, "37.0 °C"), ("00 4C0E00FE", 36.6, "36.60 °C"),
      ("00 25000000", 37, nil), ("01 DA0300FF", 37, "98.6 °F"), ("01 E80300FF", 37.78, "100.0 °F"),
      ("01 63000000", 37.22, "99 °F"),
    ] as [(String, Double, String?)])
  func `is in the unit and the digits of a thermometer`(
    frame: String, value: Double, text: String?
  ) throws {
    let reading = DeviceReading(temperatureMeasurement: try bytes(frame))
    #expect(reading.values.map(\.value) == [value])
    #expect(reading.values.map(\.unit) == ["°C"])
    #expect(shown(reading) == [text])
  }

  @Test func `is in kPa by a monitor that shows it, and nothing of whole mmHg`() throws {
    let kilopascals = try bytes("01 A0F0 6AF0 7CF0")
    let reading = DeviceReading(bloodPressureMeasurement: kilopascals)
    #expect(reading?.values.map(\.value) == [120.01, 79.51, 93.01])
    #expect(shown(reading) == ["16.0 kPa", "10.6 kPa", "12.4 kPa"])
    let millimeters = try bytes("04 7600 4C00 5A00 4700")
    #expect(shown(DeviceReading(bloodPressureMeasurement: millimeters)) == [nil, nil, nil, nil])
    let tenths = try bytes("00 B0F4 20F3 FF07")
    #expect(shown(DeviceReading(bloodPressureMeasurement: tenths)) == ["120.0 mmHg", "80.0 mmHg"])
  }

  private func scale(
    _ weight: String?, _ composition: String? = nil, massFactor: Double = 1
  ) throws -> DeviceReading {
    var join = BodyCompositionJoin(
      expectsWeight: weight != nil, expectsComposition: composition != nil)
    var joined: [BodyCompositionJoin.Joined] = []
    if let weight {
      joined += join.add(try WeightMeasurement(payload: bytes(weight)), at: .zero)
    }
    if let composition {
      joined += join.add(try BodyCompositionMeasurement(payload: bytes(composition)), at: .zero)
    }
    return DeviceReading(try #require(joined.first), massFactor: massFactor)
  }

  @Test func `is in pounds by a scale that shows them, and nothing in kilograms`() throws {
    let pounds = try scale("01 463C")
    #expect(pounds.values.map(\.value) == [69.989])
    #expect(shown(pounds) == ["154.30 lb"])
    #expect(shown(try scale("00 783E")) == [nil])
    let tenths = try scale("01 0706", massFactor: 10)
    #expect(tenths.values.map(\.value) == [69.989])
    #expect(shown(tenths) == ["154.3 lb"])
  }

  @Test func `is in pounds for each mass of a body composition, not for what has no unit`() throws {
    // Flags: pounds, muscle percentage, muscle mass, weight.
    let reading = try scale(nil, "3104 C500 A001 581B 463C")
    #expect(
      reading.values.map(\.type) == [.bodyWeight, .bodyFat, .bodyMuscle, .bodyMuscleMass])
    #expect(shown(reading) == ["154.30 lb", nil, nil, "70.00 lb"])
  }

  @Test func `is in tenths by A&D's own service`() throws {
    #expect(
      shown(DeviceReading(aAndDWeightMeasurement: try bytes("01 0706"))) == ["154.3 lb"])
    #expect(shown(DeviceReading(aAndDWeightMeasurement: try bytes("00 BC02"))) == ["70.0 kg"])
    #expect(shown(DeviceReading(aAndDWeightMeasurement: try bytes("00 BD02"))) == [nil])
  }

  private func glucose(
    _ measurement: String, _ context: String? = nil, _ dialect: GlucoseDialect = GlucoseDialect()
  ) throws -> DeviceReading {
    DeviceReading(
      GlucoseRecord(
        measurement: try GlucoseMeasurement(payload: bytes(measurement)),
        context: try context.map { try GlucoseMeasurementContext(payload: bytes($0)) }),
      dialect: dialect)
  }

  private let start = "0700 EA070301000A00"

  @Test func `is the limit in the meter's unit for a HI that has one`() throws {
    let reading = try glucose("0E \(start) 4DC1 11 2000")
    #expect(reading.values.map(\.value) == [599.92])
    #expect(reading.values.map(\.bound) == [.above])
    #expect(shown(reading) == ["33.3 mmol/L"])
  }

  @Test func `is unknown for a HI that the driver knows by the range`() throws {
    var dialect = GlucoseDialect()
    dialect.range = 20...600
    let reading = try glucose("06 \(start) 4EC1 11", nil, dialect)
    #expect(reading.values == [Metric(.bloodGlucose, 600, bound: .above)])
  }

  @Test func `is the ketone of a meter in mmol/L`() throws {
    var dialect = GlucoseDialect()
    dialect.marksKetones = true
    let millimoles = try glucose("16 \(start) 0AC0 11", "02 0700 06", dialect)
    #expect(millimoles.values.map(\.type) == [.bloodKetone])
    #expect(shown(millimoles) == ["1.0 mmol/L"])
    let milligrams = try glucose("12 \(start) 0AB0 11", "02 0700 06", dialect)
    #expect(milligrams.values == [Metric(.bloodKetone, 1)])
  }

  @Test func `is in the record, whose identifier is the same without it`() throws {
    func record(_ reading: DeviceReading) throws -> HealthRecord {
      let facts = DeviceProperties(identifier: UUID())
      return try ReadingRecord(
        peripheral: try #require(DeviceCatalogue.standard.supported.first), facts: facts,
        identity: DeviceIdentity(text: "a", id: "a"), zone: .gmt
      ).record(of: reading, at: Date(timeIntervalSince1970: 1_772_360_000))
    }
    let reading = try glucose("06 \(start) 37C0 11")
    var bare = reading
    bare.values = [Metric(.bloodGlucose, 99.09)]
    #expect(try record(reading).metrics.first?.shown == ShownValue("5.5", unit: "mmol/L"))
    #expect(try record(bare).metrics.first?.shown == nil)
    #expect(try record(reading).logID == record(bare).logID)
  }
}
