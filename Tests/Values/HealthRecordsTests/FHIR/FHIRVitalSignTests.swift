// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `FHIR vital signs` {
  @Test func `write blood pressure as one panel, with what the device found`() throws {
    var record = FHIRExample.measurement(
      [
        Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.meanArterialPressure, 93.33),
        Metric(.pulse, 61.5),
      ],
      device: SourceDevice(
        id: "5160400123", manufacturer: "A&D", model: "UA-651BLE", serialNumber: "5160400123",
        firmwareRevision: "1.2", batteryPercent: 90, peripheralID: 2, userSlot: 1))
    record.tags = [RecordTag(name: "irregular_pulse", value: "true")]
    record.comment = "after \"lunch\"\n\u{1}é "
    let observations = try FHIRExample.observations(record)
    #expect(observations.count == 2)
    #expect(
      observations.first == #"""
        {"resourceType":"Observation",\#
        "meta":{"profile":["http://hl7.org/fhir/StructureDefinition/bp"]},\#
        "identifier":[{"system":"urn:santorio:log_id","value":"m1/blood_pressure"}],\#
        \#(FHIRExample.vitalSigns),\#
        "code":{"coding":[{"system":"http://loinc.org","code":"85354-9"},\#
        {"system":"urn:santorio:metric","code":"blood_pressure"}],"text":"Blood pressure"},\#
        \#(FHIRExample.about),"note":[{"text":"after \"lunch\"\u000a é"}],\#
        "device":{"type":"Device","identifier":{"system":"urn:santorio:device",\#
        "value":"A&D/5160400123"},"display":"A&D UA-651BLE"},"component":[\#
        \#(pressure("8480-6", "systolic", "Systolic blood pressure", "120")),\#
        \#(pressure("8462-4", "diastolic", "Diastolic blood pressure", "80")),\#
        \#(pressure("8478-0", "mean_arterial_pressure", "Mean arterial pressure", "93.33")),\#
        {"code":{"coding":[{"system":"urn:santorio:device","code":"battery"}],\#
        "text":"Charge of the battery, in per cent"},"valueInteger":90},\#
        {"code":{"coding":[{"system":"urn:santorio:device","code":"user_slot"}],\#
        "text":"User of the device"},"valueInteger":1},\#
        {"code":{"coding":[{"system":"urn:santorio:tag","code":"irregular_pulse"}],\#
        "text":"irregular pulse"},"valueBoolean":true}]}
        """#)
    let pulse = try FHIRExample.objects(record)[1]
    #expect(pulse["identifier"][0]["value"].text == "m1/pulse")
    #expect(pulse["valueQuantity"]["value"].number == 61.5)
    #expect(
      pulse["interpretation"][0].codes
        == ["http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation|A"])
    #expect(pulse["interpretation"][0]["text"].text == "Irregular pulse")
  }

  private func pressure(_ loinc: String, _ name: String, _ text: String, _ value: String) -> String
  {
    #"""
    {"code":{"coding":[{"system":"http://loinc.org","code":"\#(loinc)"},\#
    {"system":"urn:santorio:metric","code":"\#(name)"}],"text":"\#(text)"},\#
    "valueQuantity":{"value":\#(value),"unit":"mmHg","system":"http://unitsofmeasure.org",\#
    "code":"mm[Hg]"}}
    """#
  }

  @Test(arguments: [
    (MetricType.systolic, "8462-4"), (.diastolic, "8480-6"),
  ])
  func `say why a pressure is missing`(given: MetricType, missing: String) throws {
    let record = FHIRExample.measurement([Metric(given, 90)])
    let panel = try #require(try FHIRExample.objects(record).first)
    let components = panel["component"].elements
    #expect(components.count == 2)
    let absent = try #require(
      components.first { $0["code"].codes.contains("http://loinc.org|\(missing)") })
    #expect(
      absent["dataAbsentReason"].codes
        == ["http://terminology.hl7.org/CodeSystem/data-absent-reason|unknown"])
    #expect(!absent["valueQuantity"].exists)
  }

  @Test func `pair pressures in their order`() throws {
    let record = FHIRExample.measurement([
      Metric(.systolic, 120), Metric(.systolic, 124), Metric(.diastolic, 80),
      Metric(.diastolic, 81), Metric(.meanArterialPressure, 95),
      Metric(.meanArterialPressure, 96), Metric(.meanArterialPressure, 97),
    ])
    let observations = try FHIRExample.objects(record)
    #expect(
      observations.map { $0["identifier"][0]["value"].text } == [
        "m1/blood_pressure", "m1/blood_pressure/2", "m1/mean_arterial_pressure",
      ])
    #expect(
      observations.map { $0["component"].elements.map { $0["valueQuantity"]["value"].number } }
        == [[120, 80, 95], [124, 81, 96], []])
    #expect(observations[2]["valueQuantity"]["value"].number == 97)
  }

  @Test func `write weight`() throws {
    let record = FHIRExample.measurement([Metric(.bodyWeight, 70.05)])
    #expect(
      try FHIRExample.observations(record) == [
        #"""
        {"resourceType":"Observation",\#
        "meta":{"profile":["http://hl7.org/fhir/StructureDefinition/bodyweight"]},\#
        "identifier":[{"system":"urn:santorio:log_id","value":"m1/body_weight"}],\#
        \#(FHIRExample.vitalSigns),\#
        "code":{"coding":[{"system":"http://loinc.org","code":"29463-7"},\#
        {"system":"urn:santorio:metric","code":"body_weight"}],"text":"Body weight"},\#
        \#(FHIRExample.about),"valueQuantity":{"value":70.05,"unit":"kg",\#
        "system":"http://unitsofmeasure.org","code":"kg"}}
        """#
      ])
  }

  @Test func `write temperature, in Celsius where it came in Fahrenheit`() throws {
    let record = FHIRExample.measurement([Metric(.bodyTemperature, 98.6, unit: "°F")])
    #expect(
      try FHIRExample.observations(record) == [
        #"""
        {"resourceType":"Observation",\#
        "meta":{"profile":["http://hl7.org/fhir/StructureDefinition/bodytemp"]},\#
        "identifier":[{"system":"urn:santorio:log_id","value":"m1/body_temperature"}],\#
        \#(FHIRExample.vitalSigns),\#
        "code":{"coding":[{"system":"http://loinc.org","code":"8310-5"},\#
        {"system":"urn:santorio:metric","code":"body_temperature"}],"text":"Body temperature"},\#
        \#(FHIRExample.about),"valueQuantity":{"value":37,"unit":"°C",\#
        "system":"http://unitsofmeasure.org","code":"Cel"}}
        """#
      ])
  }

  @Test func `write oxygen saturation under both of its codes`() throws {
    let record = FHIRExample.measurement([Metric(.oxygenSaturation, 97)])
    #expect(
      try FHIRExample.observations(record) == [
        #"""
        {"resourceType":"Observation",\#
        "meta":{"profile":["http://hl7.org/fhir/StructureDefinition/oxygensat"]},\#
        "identifier":[{"system":"urn:santorio:log_id","value":"m1/spo2"}],\#
        \#(FHIRExample.vitalSigns),\#
        "code":{"coding":[{"system":"http://loinc.org","code":"2708-6"},\#
        {"system":"http://loinc.org","code":"59408-5"},\#
        {"system":"urn:santorio:metric","code":"spo2"}],"text":"Oxygen saturation"},\#
        \#(FHIRExample.about),"valueQuantity":{"value":97,"unit":"%",\#
        "system":"http://unitsofmeasure.org","code":"%"}}
        """#
      ])
  }

  @Test(arguments: [
    (MetricType.pulse, "heartrate", ["8867-4"], "/min"),
    (.restingHeartRate, "heartrate", ["8867-4", "40443-4"], "/min"),
    (.respiratoryRate, "resprate", ["9279-1"], "/min"),
    (.oxygenSaturation, "oxygensat", ["2708-6", "59408-5"], "%"),
    (.bodyTemperature, "bodytemp", ["8310-5"], "Cel"),
    (.bodyHeight, "bodyheight", ["8302-2"], "cm"), (.bodyWeight, "bodyweight", ["29463-7"], "kg"),
    (.bmi, "bmi", ["39156-5"], "kg/m2"),
  ])
  func `have the profile, the codes and the unit of R4`(
    type: MetricType, profile: String, codes: [String], ucum: String
  ) throws {
    let observation = try #require(
      try FHIRExample.objects(FHIRExample.measurement([Metric(type, 50)])).first)
    #expect(
      observation["meta"]["profile"][0].text == "http://hl7.org/fhir/StructureDefinition/\(profile)"
    )
    #expect(
      observation["code"].codes
        == codes.map { "http://loinc.org|\($0)" } + ["urn:santorio:metric|\(type.rawValue)"])
    #expect(observation["valueQuantity"]["code"].text == ucum)
    #expect(
      observation["category"][0].codes
        == ["http://terminology.hl7.org/CodeSystem/observation-category|vital-signs"])
  }

  @Test(arguments: [
    (MetricType.bodyWeight, 10.0, "st", 63.5029), (.bodyWeight, 154.3, "lb", 69.9893),
    (.bodyTemperature, 100, "°F", 37.7778), (.meanArterialPressure, 12.4, "kPa", 93.0077),
  ])
  func `convert to the unit of the profile`(
    type: MetricType, value: Double, unit: String, expected: Double
  ) throws {
    let record = FHIRExample.measurement([Metric(type, value, unit: unit)])
    let quantity = try #require(try FHIRExample.objects(record).first)["valueQuantity"]
    #expect(quantity["value"].number == expected)
    #expect(quantity["unit"].text == type.definition?.unit)
  }

  @Test func `share with all that has a LOINC code the unit of the table`() throws {
    let record = FHIRExample.measurement([
      Metric(.fastingPlasmaGlucose, 5, unit: "mmol/L"), Metric(.bodyFatMass, 10, unit: "lb"),
      Metric(.massWeight, 10, unit: "lb"),
    ])
    let observations = try FHIRExample.objects(record)
    #expect(
      observations.map { $0["code"].codes.first } == [
        "http://loinc.org|14771-0", "http://loinc.org|73708-0", "urn:santorio:metric|mass_weight",
      ])
    let quantities = observations.map { $0["valueQuantity"] }
    #expect(quantities.map { $0["value"].number } == [5, 4.5359, 10])
    #expect(quantities.map { $0["unit"].text } == ["mmol/L", "kg", "lb"])
    #expect(quantities.map { $0["code"].text } == ["mmol/L", "kg", "[lb_av]"])
  }

  @Test(arguments: [(MetricType.bodyWeight, "cattie"), (.systolic, "foo"), (.pulse, "Hz")])
  func `claim neither code nor profile in a unit that is not known`(
    type: MetricType, unit: String
  ) throws {
    let record = FHIRExample.measurement([Metric(type, 1, unit: unit)])
    let observation = try #require(try FHIRExample.objects(record).first)
    #expect(!observation["meta"].exists)
    #expect(observation["code"].codes == ["urn:santorio:metric|\(type.rawValue)"])
    #expect(observation["valueQuantity"]["unit"].text == unit)
    #expect(!observation["valueQuantity"]["code"].exists)
  }
}
