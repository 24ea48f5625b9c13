// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import Testing

@Suite struct `A value as a device showed it` {
  @Test(arguments: ["0", "7", "5.5", "2.0", "98.6", "-0.3", "0.00", "-12", "123456789.123456789"])
  func `is a decimal, digit by digit`(text: String) throws {
    let shown = try #require(ShownValue(text, unit: "mmol/L"))
    #expect(shown.text == text)
    #expect(shown.unit == "mmol/L")
    #expect(shown.number == Double(text))
  }

  @Test(arguments: [
    "", "-", ".5", "5.", "05", "-05.1", "1e3", "5,5", "+5", "5.5.5", " 5", "5 ", "٥", "NaN", "inf",
    "--5", "1.23456789012345678901234",
  ])
  func `is nothing else`(text: String) {
    #expect(ShownValue(text, unit: "kg") == nil)
  }

  @Test func `has a unit`() {
    #expect(ShownValue("5", unit: "") == nil)
  }

  @Test(arguments: [
    (55, -1, "5.5"), (20, -1, "2.0"), (200, -2, "2.00"), (2, 1, "20"), (5, -3, "0.005"),
    (-5, -1, "-0.5"), (0, -1, "0.0"), (0, 5, "0"), (100, 0, "100"), (-1234, -2, "-12.34"),
    (5, -22, "0.0000000000000000000005"),
  ])
  func `has as many digits as the exponent says`(mantissa: Int, exponent: Int, text: String) {
    #expect(ShownValue(mantissa: mantissa, exponent: exponent, unit: "x")?.text == text)
  }

  @Test(arguments: [-128, -23, 24, 127, .min, .max])
  func `is unknown where no display is so wide`(exponent: Int) {
    #expect(ShownValue(mantissa: 5, exponent: exponent, unit: "x") == nil)
  }
}

extension Metric {
  /// A metric in the table's unit with what was shown.
  fileprivate static func shown(
    _ type: MetricType, _ value: Double, _ text: String, _ unit: String, bound: Bound? = nil
  ) throws -> Metric {
    var metric = Metric(type, value, bound: bound)
    let shown: ShownValue = try #require(ShownValue(text, unit: unit))
    metric.shown = shown
    return metric
  }
}

@Suite struct `What a device showed` {
  private static func glucose() throws -> Metric {
    try .shown(.bloodGlucose, 99.09, "5.5", "mmol/L")
  }

  @Test func `is dropped by a change of what it is of`() throws {
    let metric = try Self.glucose()
    var (value, unit, type, origin) = (metric, metric, metric, metric)
    value.value = 104
    unit.unit = "mmol/L"
    type.type = .averageBloodGlucose
    origin.origin = .manual
    #expect(value.shown == nil)
    #expect(unit.shown == nil)
    #expect(type.shown == nil)
    #expect(origin.shown == metric.shown)
  }

  @Test(arguments: [
    (MetricType.bloodGlucose, 99.09, "5.5", "mmol/L"), (.bloodGlucose, 99, "5.5", "mmol/L"),
    (.bodyTemperature, 37, "98.6", "°F"), (.bodyTemperature, 37, "37.0", "°C"),
    (.bodyWeight, 69.989, "154.30", "lb"), (.bodyWeight, 70, "154.3", "lb"),
    (.systolic, 120.01, "16.0", "kPa"), (.bloodGlucose, 99.09, "1", "a unit of its own"),
    // Half a step of either.
    (.bloodGlucose, 99.98, "5.5", "mmol/L"), (.bloodGlucose, 98.19, "5.5", "mmol/L"),
    (.bloodGlucose, 100, "5.5", "mmol/L"), (.bloodGlucose, 98, "5.5", "mmol/L"),
    (.bloodGlucose, 45, "3", "mmol/L"), (.bloodGlucose, 63, "3", "mmol/L"),
    (.bloodGlucose, 360, "20.00", "mmol/L"),
    (.bodyTemperature, 37.02, "98.6", "°F"), (.bodyTemperature, 36.98, "98.6", "°F"),
    (.bodyTemperature, 37.1, "98.7", "°F"), (.bodyTemperature, 37, "99", "°F"),
    (.bodyWeight, 70.01, "154.3", "lb"), (.bodyWeight, 69.97, "154.3", "lb"),
    (.bodyWeight, 70, "154", "lb"), (.bodyWeight, 73.03, "11.5", "st"),
  ])
  func `is accepted where it is the value`(
    type: MetricType, value: Double, text: String, unit: String
  ) throws {
    let record = FHIRExample.measurement([try .shown(type, value, text, unit)])
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
  }

  @Test(arguments: [
    (MetricType.bloodGlucose, 99.09, "6.5", "mmol/L"), (.bloodGlucose, 99.09, "5.5", "mg/dL"),
    (.bodyTemperature, 37, "37.0", "°F"), (.bodyWeight, 70, "70.0", "lb"),
    (.systolic, 120, "120", "kPa"),
    (.bloodGlucose, 41, "3", "mmol/L"), (.bloodGlucose, 44, "3", "mmol/L"),
    (.bloodGlucose, 64, "3", "mmol/L"), (.bloodGlucose, 97, "5.5", "mmol/L"),
    (.bloodGlucose, 101, "5.5", "mmol/L"), (.bloodGlucose, 100.2, "5.5", "mmol/L"),
    (.bloodGlucose, 97.9, "5.5", "mmol/L"), (.bloodGlucose, 98.91, "5.4", "mmol/L"),
    (.bodyTemperature, 37.05, "98.6", "°F"), (.bodyTemperature, 36.95, "98.6", "°F"),
    (.bodyTemperature, 37.1, "98.6", "°F"), (.bodyTemperature, 37.6, "99", "°F"),
    (.bodyWeight, 70.05, "154.3", "lb"), (.bodyWeight, 69.93, "154.3", "lb"),
    (.bodyWeight, 70.1, "154.3", "lb"), (.bodyWeight, 70.2, "154", "lb"),
    (.systolic, 121, "16.0", "kPa"),
  ])
  func `is refused where it is another value`(
    type: MetricType, value: Double, text: String, unit: String
  ) throws {
    let record = FHIRExample.measurement([try .shown(type, value, text, unit)])
    #expect {
      try record.informJSON()
    } throws: { ($0 as? RecordError)?.path == "metrics[0].shown" }
  }

  @Test func `is refused without a value`() throws {
    var metric = Metric(.bloodGlucose, absent: .aboveRange)
    metric.shown = ShownValue("33.3", unit: "mmol/L")
    #expect {
      try FHIRExample.measurement([metric]).validate()
    } throws: { ($0 as? RecordError)?.path == "metrics[0].shown" }
  }

  @Test func `is no part of the identity`() throws {
    func logID(_ metric: Metric) -> String {
      RecordIdentity(device: "a", sequenceNumber: 7, metrics: [metric]).logID
    }
    #expect(try logID(Self.glucose()) == logID(Metric(.bloodGlucose, 99.09)))
  }

  @Test func `is a member of the metric in the Inform form`() throws {
    let text = String(
      decoding: try FHIRExample.measurement([try Self.glucose()]).informJSON(), as: UTF8.self)
    #expect(
      text.contains(
        #"""
        {"type":"blood_glucose","origin":"device","unit":"mg/dL","value":99.09,\#
        "shown":{"value":"5.5","unit":"mmol/L"}}
        """#), "\(text)")
  }

  @Test(arguments: [
    (#"5.5"#, "metrics[0].shown"), (#"{"value":5.5,"unit":"mmol/L"}"#, "metrics[0].shown.value"),
    (#"{"value":"5,5","unit":"mmol/L"}"#, "metrics[0].shown"),
    (#"{"value":"5.5","unit":""}"#, "metrics[0].shown"),
    (#"{"value":"5.5"}"#, "metrics[0].shown.unit"), (#"{"unit":"x"}"#, "metrics[0].shown.value"),
  ])
  func `is refused where it is malformed`(json: String, path: String) throws {
    let text = String(
      decoding: try FHIRExample.measurement([try Self.glucose()]).informJSON(), as: UTF8.self)
    let broken = text.replacing(#"{"value":"5.5","unit":"mmol/L"}"#, with: json)
    #expect {
      try HealthRecord(informJSON: Array(broken.utf8))
    } throws: { ($0 as? RecordError)?.path == path }
  }

  @Test func `is an extra in the Legacy form`() throws {
    let record = FHIRExample.measurement([try Self.glucose()])
    let text = String(decoding: try record.legacyForm().json, as: UTF8.self)
    #expect(text.contains(#""blood_glucose":99.09"#))
    #expect(text.contains(#""blood_glucose_shown":{"value":"5.5","unit":"mmol/L"}"#), "\(text)")
  }

  @Test func `has two columns in a table`() throws {
    let record = FHIRExample.measurement([try Self.glucose(), Metric(.bloodKetone, 0.5)])
    let rows = try RecordCSV().rows(of: record).split(separator: "\r\n")
    let place = try #require(RecordCSV.columns.firstIndex(of: "unit"))
    let cells = rows.map { row in
      row.split(separator: ",", omittingEmptySubsequences: false)[place...(place + 3)].map(
        String.init)
    }
    #expect(
      cells == [["mg/dL", "5.5", "mmol/L", "device"], ["mmol/L", "", "", "device"]])
  }

  // MARK: - FHIR

  private static func quantity(_ json: String) -> String {
    #"valueQuantity":{"value":\#(json)"#
  }

  @Test(arguments: [
    (
      MetricType.bloodGlucose, 90.08, "5.0", "mmol/L",
      #"5.0,"unit":"mmol/L","system":"http://unitsofmeasure.org","code":"mmol/L"}"#, "15074-8"
    ),
    (
      .bloodGlucose, 98, "98.0", "mg/dL",
      #"98.0,"unit":"mg/dL","system":"http://unitsofmeasure.org","code":"mg/dL"}"#, "2339-0"
    ),
    (
      .bodyTemperature, 37, "98.6", "°F",
      #"98.6,"unit":"°F","system":"http://unitsofmeasure.org","code":"[degF]"}"#, "8310-5"
    ),
    (
      .bodyTemperature, 37, "37.0", "°C",
      #"37.0,"unit":"°C","system":"http://unitsofmeasure.org","code":"Cel"}"#, "8310-5"
    ),
    (
      .bodyWeight, 69.853, "154.0", "lb",
      #"154.0,"unit":"lb","system":"http://unitsofmeasure.org","code":"[lb_av]"}"#, "29463-7"
    ),
    (
      .bloodKetone, 1, "1.0", "mmol/L",
      #"1.0,"unit":"mmol/L","system":"http://unitsofmeasure.org","code":"mmol/L"}"#, "66441-7"
    ),
  ])
  func `is the quantity in FHIR where the code or the profile has the unit`(
    type: MetricType, value: Double, text: String, unit: String, json: String, loinc: String
  ) throws {
    let record = FHIRExample.measurement([try .shown(type, value, text, unit)])
    let observation = try FHIRExample.observations(record)[0]
    #expect(observation.contains(Self.quantity(json)), "\(observation)")
    #expect(observation.contains(#""code":"\#(loinc)""#), "\(observation)")
  }

  @Test(arguments: [
    (MetricType.bodyWeight, 73.028, "11.5", "st", #"73.028,"unit":"kg""#),
    (.bodyMuscleMass, 31.751, "70.00", "lb", #"31.751,"unit":"kg""#),
    (.bodyHeight, 180.3, "71.0", "in", #"180.3,"unit":"cm""#),
    (.bodyWeight, 70, "70000", "g", #"70,"unit":"kg""#),
    (.bloodGlucose, 99.09, "0.99", "g/L", #"99.09,"unit":"mg/dL""#),
  ])
  func `is not written in FHIR in another unit`(
    type: MetricType, value: Double, text: String, unit: String, json: String
  ) throws {
    let record = FHIRExample.measurement([try .shown(type, value, text, unit)])
    let observation = try FHIRExample.observations(record)[0]
    #expect(observation.contains(Self.quantity(json)), "\(observation)")
    #expect(!observation.contains(text))
  }

  @Test func `is in mmHg in a panel of FHIR, with its digits only where it was in mmHg`() throws {
    let record = FHIRExample.measurement([
      try .shown(.systolic, 120.01, "16.0", "kPa"), try .shown(.diastolic, 80, "80.0", "mmHg"),
    ])
    let panel = try FHIRExample.observations(record)[0]
    #expect(panel.contains(Self.quantity(#"120.01,"unit":"mmHg""#)), "\(panel)")
    #expect(panel.contains(Self.quantity(#"80.0,"unit":"mmHg""#)), "\(panel)")
  }

  @Test func `follows the specimen in FHIR, and keeps the bound`() throws {
    var record = FHIRExample.measurement([
      try .shown(.bloodGlucose, 599.92, "33.3", "mmol/L", bound: .above)
    ])
    record.tags = [RecordTag(name: "sample_type", value: "capillary_whole_blood")]
    let observation = try FHIRExample.observations(record)[0]
    #expect(observation.contains(#""code":"14743-9""#))
    #expect(
      observation.contains(Self.quantity(#"33.3,"comparator":">","unit":"mmol/L""#)),
      "\(observation)")
  }

  // MARK: - Open mHealth

  @Test(arguments: [
    (MetricType.bloodGlucose, 90.08, "5.0", "mmol/L", #""value":5.0,"unit":"mmol/L""#),
    (.bodyTemperature, 37, "98.6", "°F", #""value":98.6,"unit":"F""#),
    (.bodyTemperature, 37, "37.0", "°C", #""value":37.0,"unit":"C""#),
    (.bodyWeight, 69.853, "154.0", "lb", #""value":154.0,"unit":"lb""#),
    (.bodyWeight, 73.028, "11.5", "st", #""value":73.028,"unit":"kg""#),
  ])
  func `is the value of Open mHealth where the schema has the unit`(
    type: MetricType, value: Double, text: String, unit: String, json: String
  ) throws {
    let record = FHIRExample.measurement([try .shown(type, value, text, unit)])
    let body = try OpenMHealthExample.bodies(record)[0]
    #expect(body.contains(json), "\(body)")
  }
}
