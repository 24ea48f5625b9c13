// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `FHIR form` {
  @Test func `writes blood glucose with its relation to a meal`() throws {
    var record = FHIRExample.measurement([Metric(.bloodGlucose, 104)])
    record.mealRelationship = .before
    record.diabetesEvent = .exercise
    #expect(
      try FHIRExample.observations(record) == [
        #"""
        {"resourceType":"Observation",\#
        "identifier":[{"system":"urn:santorio:log_id","value":"m1/blood_glucose"}],\#
        \#(FHIRExample.category("laboratory")),\#
        "code":{"coding":[{"system":"http://loinc.org","code":"2339-0"},\#
        {"system":"urn:santorio:metric","code":"blood_glucose"}],"text":"Blood glucose"},\#
        \#(FHIRExample.about),"valueQuantity":{"value":104,"unit":"mg/dL",\#
        "system":"http://unitsofmeasure.org","code":"mg/dL"},"component":[\#
        {"code":{"coding":[{"system":"urn:iso:std:iso:11073:10101","code":"8417864"},\#
        {"system":"urn:santorio:note","code":"relationship_to_meal"}],\#
        "text":"Relationship to meal"},"valueCodeableConcept":{"coding":[\#
        {"system":"urn:iso:std:iso:11073:10101","code":"8417868"}],"text":"before"}},\#
        {"code":{"coding":[{"system":"urn:santorio:note","code":"diabetes_event"}],\#
        "text":"diabetes event"},"valueString":"exercise"}]}
        """#
      ])
  }

  @Test(arguments: [
    (RecordKind.measurement, "mg/dL", "2339-0"), (.measurement, "mmol/L", "15074-8"),
    (.cgm, "mg/dL", "99504-3"), (.cgm, "mmol/L", "105272-9"),
  ])
  func `has different codes for mass and substance, blood and interstitial fluid`(
    kind: RecordKind, unit: String, loinc: String
  ) throws {
    var record = FHIRExample.measurement([Metric(.bloodGlucose, 5.5, unit: unit)])
    record.kind = kind
    let observation = try #require(try FHIRExample.objects(record).first)
    #expect(observation["code"].codes.first == "http://loinc.org|\(loinc)")
    #expect(observation["valueQuantity"]["value"].number == 5.5)
    #expect(observation["valueQuantity"]["code"].text == unit)
  }

  @Test(arguments: [(GlucoseRange.low, "<"), (.high, ">")])
  func `marks glucose beyond what can be measured`(range: GlucoseRange, code: String) throws {
    var record = FHIRExample.measurement([Metric(.bloodGlucose, 5), Metric(.bloodKetone, 0.5)])
    record.glucoseRange = range
    let observations = try FHIRExample.objects(record)
    #expect(
      observations.map { $0["interpretation"][0].codes } == [
        ["http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation|\(code)"], [],
      ])
    #expect(observations.map { $0["valueQuantity"]["comparator"].text } == [code, nil])
  }

  private static let questionable =
    "http://hl7.org/fhir/uv/pocd/CodeSystem/measurement-status|questionable"

  @Test func `doubts a value that no living person has, though no tag says so`() throws {
    let record = FHIRExample.measurement([Metric(.bodyTemperature, 60), Metric(.pulse, 61)])
    #expect(
      try FHIRExample.objects(record).map { $0["interpretation"][0].codes }
        == [[Self.questionable], []])
  }

  @Test func `doubts the points of a doubted recording`() throws {
    var record = FHIRExample.hour(.intraday, [])
    record.series = [
      MetricSeries(
        .pulse, [DataPoint(time: FHIRExample.instant, value: 61)])
    ]
    record.tags = [RecordTag(name: "poor_signal", value: "true")]
    #expect(
      try FHIRExample.objects(record).map { $0["interpretation"][0].codes }
        == [[Self.questionable]])
  }

  @Test func `writes a workout as one Observation`() throws {
    var record = FHIRExample.hour(
      .workout, [Metric(.distance, 8012.5), Metric(.averageHeartRate, 151)])
    record.category = "running"
    record.extras = ["shoe": "left & right", "laps": 4, "outdoor": true]
    #expect(
      try FHIRExample.observations(record) == [
        #"""
        {"resourceType":"Observation",\#
        "identifier":[{"system":"urn:santorio:log_id","value":"h1/workout"}],\#
        \#(FHIRExample.category("activity")),\#
        "code":{"coding":[{"system":"http://loinc.org","code":"73985-4"},\#
        {"system":"urn:santorio:record","code":"workout"}],"text":"Exercise"},\#
        \#(FHIRExample.aboutHour),"component":[\#
        {"code":{"coding":[{"system":"urn:santorio:metric","code":"distance"}],\#
        "text":"Distance"},\#
        "valueQuantity":{"value":8012.5,"unit":"m","system":"http://unitsofmeasure.org","code":"m"}},\#
        {"code":{"coding":[{"system":"http://loinc.org","code":"103205-1"},\#
        {"system":"urn:santorio:metric","code":"avg_heart_rate"}],"text":"Average heart rate"},\#
        "valueQuantity":{"value":151,"unit":"bpm","system":"http://unitsofmeasure.org",\#
        "code":"/min"}},\#
        {"code":{"coding":[{"system":"urn:santorio:record","code":"category"}],"text":"category"},\#
        "valueString":"running"},\#
        {"code":{"coding":[{"system":"urn:santorio:extra","code":"laps"}],"text":"laps"},\#
        "valueInteger":4},\#
        {"code":{"coding":[{"system":"urn:santorio:extra","code":"outdoor"}],"text":"outdoor"},\#
        "valueBoolean":true},\#
        {"code":{"coding":[{"system":"urn:santorio:extra","code":"shoe"}],"text":"shoe"},\#
        "valueString":"left & right"}]}
        """#
      ])
  }

  @Test func `writes a night as its sleep and what it was made of`() throws {
    let record = FHIRExample.hour(.sleep, [Metric(.sleepDuration, 3000), Metric(.deepSleep, 900)])
    #expect(
      try FHIRExample.observations(record) == [
        #"""
        {"resourceType":"Observation",\#
        "identifier":[{"system":"urn:santorio:log_id","value":"h1/sleep"}],\#
        \#(FHIRExample.category("activity")),\#
        "code":{"coding":[{"system":"http://loinc.org","code":"93832-4"},\#
        {"system":"urn:santorio:metric","code":"sleep_duration"}],"text":"Sleep"},\#
        \#(FHIRExample.aboutHour),\#
        "valueQuantity":{"value":3000,"unit":"s","system":"http://unitsofmeasure.org","code":"s"},\#
        "component":[{"code":{"coding":[{"system":"http://loinc.org","code":"93831-6"},\#
        {"system":"urn:santorio:metric","code":"deep_sleep"}],"text":"Deep sleep"},\#
        "valueQuantity":{"value":900,"unit":"s","system":"http://unitsofmeasure.org","code":"s"}}]}
        """#
      ])
  }

  @Test func `gives a night without its sum no value, and one with two sums neither`() throws {
    for metrics in [
      [Metric(.deepSleep, 9)], [Metric(.sleepDuration, 3), Metric(.sleepDuration, 4)],
    ] {
      let night = try #require(try FHIRExample.objects(FHIRExample.hour(.sleep, metrics)).first)
      #expect(!night["valueQuantity"].exists)
      #expect(
        night["component"].elements.map { $0["valueQuantity"]["value"].number }
          == metrics.map(\.value))
    }
  }

  @Test func `names what was eaten in a note`() throws {
    var record = FHIRExample.hour(.nutrition, [Metric(.energyConsumed, 420, origin: .manual)])
    record.name = "Breakfast"
    record.segments = [
      NutritionSegment(
        name: "First", metrics: [],
        food: [
          NutritionSegment.Food(
            name: "Porridge", brand: "Oatco", metrics: [Metric(.energyConsumed, 420)],
            serving: NutritionSegment.Serving(amount: 1.5, unitName: "cup")),
          NutritionSegment.Food(name: "Tea", metrics: []),
        ])
    ]
    let meal = try #require(try FHIRExample.objects(record).first)
    #expect(meal["note"][0]["text"].text == "First: Porridge (Oatco), 1.5 cup; Tea")
    #expect(meal["code"].codes == ["urn:santorio:record|nutrition"])
    #expect(
      meal["component"].elements.map { $0["code"].codes.last } == [
        "urn:santorio:metric|energy_consumed", "urn:santorio:record|name",
      ])
  }

  @Test func `names the person and no device where a person entered the value`() throws {
    let record = FHIRExample.measurement(
      [Metric(.bodyWeight, 70, origin: .manual)], device: SourceDevice(model: "phone"))
    let observation = try #require(try FHIRExample.objects(record).first)
    #expect(observation["performer"][0]["reference"].text == "Patient/123")
    #expect(observation["method"].codes == ["urn:santorio:origin|manual"])
    #expect(!observation["contained"].exists)
    #expect(!observation["device"].exists)
  }

  @Test func `codes an unknown metric by its own name`() throws {
    let record = FHIRExample.measurement([
      Metric(MetricType(rawValue: "another  thing"), 1, unit: "furlong")
    ])
    let observation = try #require(try FHIRExample.objects(record).first)
    #expect(observation["code"].codes == ["urn:santorio:metric|another thing"])
    #expect(observation["code"]["text"].text == "another  thing")
    #expect(!observation["category"].exists)
    #expect(observation["valueQuantity"]["unit"].text == "furlong")
  }

  @Test func `keeps the codes of a day's steps and of other steps apart`() throws {
    let codes = try [RecordKind.summary, .workout].map { kind in
      let steps = try FHIRExample.objects(FHIRExample.hour(kind, [Metric(.steps, 5)]))[0]
      return (kind == .summary ? steps : steps["component"][0])["code"].codes.first
    }
    #expect(codes == ["http://loinc.org|41950-7", "http://loinc.org|55423-8"])
    let paces = try FHIRExample.objects(
      FHIRExample.hour(.summary, [Metric(.steps, 5, unit: "paces")]))
    #expect(paces.first?["code"].codes == ["urn:santorio:metric|steps"])
  }

  @Test(
    arguments: [
      (
        MetricType.distance, "m",
        [RecordKind.summary: "55430-3", .workout: nil, .measurement: "55430-3"]
      ),
      (
        .averageBloodGlucose, "mg/dL",
        [.cgm: "97507-8", .summary: nil, .measurement: nil, .workout: nil]
      ),
      (
        .averageBloodGlucose, "mmol/L", [.cgm: "105273-7", .measurement: nil]
      ),
      (.averageHeartRate, "bpm", [.measurement: "103205-1", .workout: "103205-1"]),
      (.maximumHeartRate, "bpm", [.measurement: "101692-2", .summary: "101692-2"]),
      (.inr, "INR", [.measurement: "46418-0"]), (.prothrombinTime, "s", [.measurement: "46417-2"]),
    ] as [(MetricType, String, [RecordKind: String?])])
  func `gives a metric the codes that stand for it in a record of its kind`(
    type: MetricType, unit: String, codes: [RecordKind: String?]
  ) throws {
    for (kind, loincs) in codes {
      let record = FHIRExample.hour(kind, [Metric(type, 5, unit: unit)])
      let whole = try FHIRExample.objects(record)[0]
      let measured = kind == .workout ? whole["component"][0] : whole
      let expected = (loincs ?? "").split(separator: " ").map { "http://loinc.org|\($0)" }
      #expect(
        measured["code"].codes == expected + ["urn:santorio:metric|\(type.rawValue)"], "\(kind)")
    }
  }

  @Test func `writes the energy of a day in its own unit`() throws {
    let record = FHIRExample.measurement([Metric(.basalMetabolicRate, 1500)])
    let quantity = try FHIRExample.objects(record)[0]["valueQuantity"]
    #expect(quantity["value"].number == 1500)
    #expect(quantity["unit"].text == "kcal/d")
    #expect(quantity["code"].text == "kcal/d")
  }

  @Test func `leaves the time of receipt out where it is unknown`() throws {
    let text = #"""
      {"log_id":"o","type":"measurement","start_time":"2018-04-17T13:51:00Z",\#
      "source":{"type":"other"},"metrics":[{"type":"body_weight","unit":"kg","value":70}]}
      """#
    var record = try HealthRecord(informJSON: text.utf8)
    #expect(try !FHIRExample.objects(record)[0]["issued"].exists)
    record.time.origin = .received
    #expect(try FHIRExample.objects(record)[0]["issued"].text == "2018-04-17T13:51:00Z")
  }

  @Test(arguments: ["", "Patient/1 2", "Patient/é"])
  func `rejects a subject that is not a reference`(subject: String) {
    let error = #expect(throws: RecordError.self) {
      try FHIREncoder(subject: subject).observations(of: Example.record)
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.path == "subject")
  }

  @Test func `writes a code as a concept, and says it once`() throws {
    var record = FHIRExample.measurement([Metric(.cervicalMucusQuality, 5)])
    record.tags = [RecordTag(name: "cervical_mucus_quality", value: "egg_white")]
    let observation = try FHIRExample.objects(record)[0]
    #expect(observation["valueCodeableConcept"].codes == ["urn:santorio:value|egg_white"])
    #expect(observation["valueCodeableConcept"]["text"].text == "egg white")
    #expect(!observation["valueQuantity"].exists && !observation["component"].exists)
    #expect(
      observation["category"][0].codes
        == ["http://terminology.hl7.org/CodeSystem/observation-category|exam"])

    record.tags[0].value = "dry"
    let contradicted = try FHIRExample.objects(record)[0]
    #expect(contradicted["component"][0]["valueString"].text == "dry")
  }

  @Test func `writes a code that nothing is known of as a number`() throws {
    let record = FHIRExample.measurement([Metric(.cervicalMucusQuality, 9)])
    let quantity = try FHIRExample.objects(record)[0]["valueQuantity"]
    #expect(quantity["value"].number == 9)
    #expect(quantity["code"].text == "{code}")
  }

  @Test func `refuses a record that is not valid`() {
    let record = FHIRExample.measurement([Metric(.pulse, .nan)])
    let error = #expect(throws: RecordError.self) { try FHIRExample.observations(record) }
    #expect(error?.code == .notFinite)
    #expect(error?.path == "metrics[0].value")
  }

  @Test func `derives a body mass index from the weight and the height of its record`() throws {
    let both = FHIRExample.measurement([
      Metric(.bodyWeight, 70), Metric(.bodyHeight, 170), Metric(.bmi, 24.2),
    ])
    let index = try #require(try FHIRExample.objects(both).last)
    #expect(
      index["derivedFrom"].elements.map { $0["identifier"]["value"].text }
        == ["m1/body_weight", "m1/body_height"])
    let alone = FHIRExample.measurement([Metric(.bmi, 24.2)])
    #expect(try !FHIRExample.objects(alone)[0]["derivedFrom"].exists)
  }

  @Test(arguments: [(2_147_483_647.0, true), (2_147_483_648, false), (0.5, false)])
  func `writes a number of an extra as an integer of 32 bits, or else as a text`(
    number: Double, isInteger: Bool
  ) throws {
    var record = FHIRExample.measurement([Metric(.pulse, 60)])
    record.extras = ["x": .number(number)]
    let extra = try FHIRExample.objects(record)[0]["component"][0]
    #expect(extra["valueInteger"].number == (isInteger ? number : nil))
    #expect(extra["valueString"].exists == !isInteger)
  }
}
