// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
import Testing

@Suite struct `FHIR series` {
  private func intraday(
    _ series: MetricSeries, granularity: Granularity? = .minutes(15)
  ) -> HealthRecord {
    var record = FHIRExample.hour(.intraday, [])
    record.series = [series]
    record.granularity = granularity
    return record
  }

  private func points(_ values: [(minute: Double, value: Double)]) -> [DataPoint] {
    values.map {
      DataPoint(time: FHIRExample.instant.addingTimeInterval($0.minute * 60), value: $0.value)
    }
  }

  private func values(_ record: HealthRecord) throws -> [String?] {
    try FHIRExample.objects(record).map { $0["valueSampledData"]["data"].text }
  }

  @Test func `is one Observation of sampled data, with a mark where a point is missing`() throws {
    let record = intraday(MetricSeries(.steps, points([(30, 64.5), (0, 120), (45, 0)])))
    #expect(
      try FHIRExample.observations(record) == [
        #"""
        {"resourceType":"Observation",\#
        "identifier":[{"system":"urn:santorio:log_id","value":"h1/steps/series"}],\#
        \#(FHIRExample.category("activity")),\#
        "code":{"coding":[{"system":"http://loinc.org","code":"55423-8"},\#
        {"system":"urn:santorio:metric","code":"steps"}],"text":"Steps"},\#
        \#(FHIRExample.aboutHour),"valueSampledData":{"origin":{"value":0,"unit":"count",\#
        "system":"http://unitsofmeasure.org","code":"{steps}"},"period":900000,"factor":1,"dimensions":1,\#
        "data":"120 E 64.5 0"}}
        """#
      ])
  }

  @Test func `is an Observation a point for a vital sign, whose profile has no sampled data`()
    throws
  {
    let record = intraday(MetricSeries(.pulse, points([(0, 71), (15, 74.5)])))
    let observations = try FHIRExample.objects(record)
    #expect(
      observations.map { $0["identifier"][0]["value"].text } == [
        "h1/pulse/2018-04-17T13:51:00Z", "h1/pulse/2018-04-17T14:06:00Z",
      ])
    #expect(observations.map { $0["valueQuantity"]["value"].number } == [71, 74.5])
    #expect(
      observations.map { $0["effectiveDateTime"].text } == [
        "2018-04-17T15:51:00+02:00", "2018-04-17T16:06:00+02:00",
      ])
    #expect(
      observations.allSatisfy {
        $0["meta"]["profile"][0].text == "http://hl7.org/fhir/StructureDefinition/heartrate"
      })
  }

  private func recording(
    _ values: [Double?], every granularity: Granularity
  ) -> HealthRecord {
    let step = granularity.unit == "s" ? granularity.interval : granularity.interval * 60
    let series = [(MetricType.oxygenSaturation, 0.0), (.pulse, 1000)].map { type, more in
      MetricSeries(
        type,
        values.enumerated().compactMap { index, value in
          value.map {
            DataPoint(
              time: FHIRExample.instant.addingTimeInterval(Double(index * step)), value: $0 + more)
          }
        })
    }
    var record = FHIRExample.measurement(
      [], device: SourceDevice(id: "7", manufacturer: "V", model: "O2"))
    record.kind = .intraday
    record.series = series
    record.granularity = granularity
    return record
  }

  @Test func `is sampled data for a vital sign every few seconds, apart from its profile`() throws {
    let recording = recording([97, 96.5, nil, 95], every: Granularity(interval: 4, unit: "s"))
    let observations = try FHIRExample.objects(recording)
    #expect(
      observations.map { $0["identifier"][0]["value"].text } == [
        "m1/spo2/series", "m1/pulse/series",
      ])
    #expect(
      observations.map { $0["code"].codes } == [
        ["urn:iso:std:iso:11073:10101|150456", "urn:santorio:metric|spo2"],
        ["urn:iso:std:iso:11073:10101|149530", "urn:santorio:metric|pulse"],
      ])
    #expect(
      observations.map { $0["valueSampledData"]["data"].text } == [
        "97 96.5 E 95", "1097 1096.5 E 1095",
      ])
    let samples = observations[0]["valueSampledData"]
    #expect(samples["period"].number == 4000)
    #expect(samples["factor"].number == 1)
    #expect(samples["origin"]["code"].text == "%")
    for observation in observations {
      #expect(!observation["meta"].exists)
      #expect(observation["category"][0].codes.map { $0.split(separator: "|").last } == ["exam"])
      #expect(observation["effectivePeriod"]["end"].text == "2018-04-17T15:51:16+02:00")
    }
  }

  @Test(arguments: [
    (Granularity(interval: 59, unit: "s"), 1), (Granularity(interval: 60, unit: "s"), 3),
    (.minutes(1), 3),
  ])
  func `is sampled data for a vital sign below a minute only, however many points there are`(
    granularity: Granularity, count: Int
  ) throws {
    var recording = recording([97, 96, 95], every: granularity)
    recording.series.removeLast()
    #expect(try FHIRExample.objects(recording).count == count)
    recording.granularity = nil
    #expect(try FHIRExample.objects(recording).count == 3)
  }

  @Test func `keeps the points of a vital sign that fit no samples as vital signs`() throws {
    var recording = recording([97, 96], every: Granularity(interval: 4, unit: "s"))
    recording.series[0].dataPoints[1].time = recording.series[0].dataPoints[0].time
    let observations = try FHIRExample.objects(recording).filter { $0["valueQuantity"].exists }
    #expect(observations.map { $0["valueQuantity"]["value"].number } == [97, 96])
    #expect(
      observations.allSatisfy {
        $0["meta"]["profile"][0].text == "http://hl7.org/fhir/StructureDefinition/oxygensat"
          && $0["effectiveDateTime"].exists
      })
  }

  @Test(arguments: [([97, 96.5, 95], true), ([97, nil, 95], false)] as [([Double?], Bool)])
  func `is a recording of the guide for personal health devices where it has no gap`(
    values: [Double?], isOfGuide: Bool
  ) throws {
    let recording = recording(values, every: Granularity(interval: 4, unit: "s"))
    let encoder = FHIREncoder(subject: "Patient/123", profile: .phd)
    let entries = try FHIRObject(encoder.bundle(of: [recording]))["entry"].elements
    for resource in entries.map({ $0["resource"] }) where resource["valueSampledData"].exists {
      let profiles = resource["meta"]["profile"].elements.compactMap { $0.text }
      #expect(
        profiles
          == (isOfGuide
            ? ["http://hl7.org/fhir/uv/phd/StructureDefinition/PhdRtsaObservation"] : []))
      #expect(resource["code"].codes.count == 2)
      #expect(resource["code"].codes[0].hasPrefix("urn:iso:std:iso:11073:10101|"))
    }
  }

  @Test func `names a point of a device by its distance, which reading it again does not change`()
    throws
  {
    var record = intraday(MetricSeries(.pulse, points([(0, 71), (0.0125, 72), (15, 74.5)])))
    record.source.type = .bluetooth
    let names = ["0ms", "750ms", "900000ms"]
    for moved in [0, 7200.5, -86_400, 0.1234567] {
      var again = record
      again.time.start += moved
      again.time.end += moved
      for index in again.series[0].dataPoints.indices {
        again.series[0].dataPoints[index].time += moved
      }
      let identifiers = { (record: HealthRecord) in
        try FHIRExample.objects(record).map { $0["identifier"][0]["value"].text }
      }
      #expect(try identifiers(again) == names.map { "h1/pulse/\($0)" })
      let read = try HealthRecord(informJSON: try again.informJSON())
      #expect(try identifiers(read) == names.map { "h1/pulse/\($0)" })
    }
  }

  @Test func `names a point of another source by its time, however the record grows`() throws {
    var record = intraday(MetricSeries(.pulse, points([(0, 71)])))
    record.time.start -= 600
    record.series[0].dataPoints.insert(
      DataPoint(time: record.time.start, value: 68), at: 0)
    #expect(
      try FHIRExample.objects(record).map { $0["identifier"][0]["value"].text } == [
        "h1/pulse/2018-04-17T13:41:00Z", "h1/pulse/2018-04-17T13:51:00Z",
      ])
  }

  @Test func `keeps the name of a point apart from the number of a second value`() throws {
    var record = intraday(MetricSeries(.pulse, points([(2.0 / 60_000, 71)])))
    record.source.type = .bluetooth
    record.metrics = [Metric(.pulse, 60), Metric(.pulse, 61)]
    #expect(
      try FHIRExample.objects(record).map { $0["identifier"][0]["value"].text } == [
        "h1/pulse", "h1/pulse/2", "h1/pulse/2ms",
      ])
  }

  @Test func `stays one Observation, in finer steps, when a point comes between the others`() throws
  {
    let uneven = points([(0, 1), (15, 2), (20, 3)])
    for points in [uneven, uneven.reversed()] {
      let observations = try FHIRExample.objects(intraday(MetricSeries(.steps, points)))
      #expect(observations.map { $0["identifier"][0]["value"].text } == ["h1/steps/series"])
      let samples = observations[0]["valueSampledData"]
      #expect(samples["period"].number == 300_000)
      #expect(samples["data"].text == "1 E E 2 3")
      #expect(observations[0]["effectivePeriod"]["start"].text == "2018-04-17T15:51:00+02:00")
      #expect(observations[0]["effectivePeriod"]["end"].text == "2018-04-17T16:26:00+02:00")
    }
    let half = points([(0, 1), (0.025, 2)])
    let samples = try FHIRExample.objects(intraday(MetricSeries(.steps, half)))[0]
    #expect(samples["valueSampledData"]["period"].number == 1500)
    #expect(samples["valueSampledData"]["data"].text == "1 2")
  }

  @Test func `is an Observation a point where the granularity is unknown`() throws {
    let uneven = points([(0, 1), (7, 2)])
    let unknown = try FHIRExample.objects(
      intraday(MetricSeries(.steps, uneven), granularity: nil))
    #expect(
      unknown.map { $0["effectiveDateTime"].text?.suffix(14) } == [
        "15:51:00+02:00", "15:58:00+02:00",
      ])
  }

  @Test(
    arguments: [
      (Granularity(interval: 1, unit: "hour"), [(0.0, 1.0), (120, 2)], "1 E 2"),
      (Granularity(interval: 30, unit: "s"), [(0, 1), (1, 2)], "1 E 2"),
      (Granularity(interval: 5, unit: "min"), [(0, 1e-7)], "1e-07"),
    ] as [(Granularity, [(Double, Double)], String)])
  func `knows the units of time`(
    granularity: Granularity, values: [(Double, Double)], data: String
  ) throws {
    let series = MetricSeries(.steps, points(values.map { ($0.0, $0.1) }))
    #expect(try self.values(intraday(series, granularity: granularity)) == [data])
  }

  @Test(
    arguments: [
      (Granularity(interval: 1, unit: "fortnight"), 1.0),
      (Granularity(interval: 1, unit: "s"), 1441),
      (Granularity(interval: 1, unit: "min"), 0),
    ] as [(Granularity, Double)])
  func `keeps every point when they fit no samples`(
    granularity: Granularity, minute: Double
  ) throws {
    let series = MetricSeries(.steps, points([(0, 1), (minute, 2)]))
    let observations = try FHIRExample.objects(intraday(series, granularity: granularity))
    #expect(observations.map { $0["valueQuantity"]["value"].number } == [1, 2])
    let identifiers = Set(observations.map { $0["identifier"][0]["value"].text })
    #expect(identifiers.count == 2)
  }

  @Test func `is an Observation a point where one ends otherwise than the granularity says`() throws
  {
    let instant = FHIRExample.instant
    var record = intraday(
      MetricSeries(
        .steps,
        [
          DataPoint(time: instant, end: instant.addingTimeInterval(900), value: 1),
          DataPoint(time: instant.addingTimeInterval(900), value: 2),
        ]))
    #expect(try values(record) == ["1 2"])
    record.series[0].dataPoints[0].end = instant.addingTimeInterval(600)
    let observations = try FHIRExample.objects(record)
    #expect(observations.map { $0["valueQuantity"]["value"].number } == [1, 2])
    #expect(
      observations.map { $0["effectivePeriod"]["end"].text } == [
        "2018-04-17T16:01:00+02:00", "2018-04-17T16:21:00+02:00",
      ])
  }

  @Test func `has the end of a point of a vital sign`() throws {
    let end = FHIRExample.instant.addingTimeInterval(30)
    let point = DataPoint(time: FHIRExample.instant, end: end, value: 71)
    let observation = try FHIRExample.objects(intraday(MetricSeries(.pulse, [point])))[0]
    #expect(observation["effectivePeriod"]["end"].text == "2018-04-17T15:51:30+02:00")
    #expect(observation["valueQuantity"]["value"].number == 71)
  }

  @Test func `is sampled in the unit that goes with its code`() throws {
    let series = MetricSeries(.bodyFatMass, points([(0, 10), (30, 20)]), unit: "lb")
    let samples = try #require(try FHIRExample.objects(intraday(series)).first)["valueSampledData"]
    #expect(samples["origin"]["unit"].text == "kg")
    #expect(samples["origin"]["value"].number == 0)
    #expect(samples["data"].text == "4.5359 E 9.0718")
  }

  private func glucose(_ reading: GlucoseReading, unit: String? = nil) -> HealthRecord {
    var record = FHIRExample.hour(.cgm, [])
    record.source.devices = ["a": SourceDevice(id: "a", manufacturer: "Dexcom", model: "G6")]
    record.series = [MetricSeries([reading], unit: unit)]
    return record
  }

  private static let guide = "http://hl7.org/fhir/uv/cgm/StructureDefinition/cgm-sensor-reading-"

  @Test(arguments: [
    (nil, "mass-per-volume", "mg/dl", "mg/dL", "99504-3"),
    ("mmol/L", "moles-per-volume", "mmol/l", "mmol/L", "105272-9"),
  ])
  func `follows the guide for glucose monitors`(
    unit: String?, profile: String, text: String, code: String, loinc: String
  ) throws {
    for form in [FHIRProfile.standard, .phd] {
      let record = glucose(
        GlucoseReading(time: FHIRExample.instant, value: 5.5, deviceID: "a"), unit: unit)
      let encoder = FHIREncoder(subject: "Patient/123", profile: form)
      let bundle = try FHIRObject(encoder.bundle(of: [record]))
      let reading = try #require(bundle["entry"].elements.last)["resource"]
      #expect(
        reading["meta"]["profile"].elements.map { $0.text }.contains(Self.guide + profile))
      #expect(reading["valueQuantity"]["unit"].text == text)
      #expect(reading["valueQuantity"]["code"].text == code)
      #expect(reading["code"].codes.contains("http://loinc.org|\(loinc)"))
      #expect(reading["effectiveDateTime"].exists)
    }
  }

  @Test func `claims the guide for a sensor's LOW, and not without a moment`() throws {
    var low = GlucoseReading(time: FHIRExample.instant, value: nil)
    low.absence = .belowRange
    let profile = Self.guide + "mass-per-volume"
    var record = glucose(low)
    #expect(try FHIRExample.objects(record)[0]["meta"]["profile"][0].text == profile)
    record.time.origin = .received
    record.time.deviceTime = LocalDateTime("2015-01-01T00:00:00")
    #expect(try !FHIRExample.objects(record)[0]["meta"].exists)
    // A span of time is no moment, and blood is not what the guide is about.
    var mean = FHIRExample.hour(.measurement, [Metric(.bloodGlucose, 100)])
    mean.tags = [RecordTag(name: "sample_type", value: "interstitial_fluid")]
    #expect(try !FHIRExample.objects(mean)[0]["meta"].exists)
    mean.time.end = mean.time.start
    #expect(try FHIRExample.objects(mean)[0]["meta"]["profile"][0].text == profile)
    mean.tags = [RecordTag(name: "sample_type", value: "capillary_whole_blood")]
    #expect(try !FHIRExample.objects(mean)[0]["meta"].exists)
    #expect(try FHIRExample.objects(mean)[0]["valueQuantity"]["unit"].text == "mg/dL")
  }

  @Test func `names the sensor of each glucose reading`() throws {
    var record = FHIRExample.hour(.cgm, [])
    record.source.devices = ["a": SourceDevice(id: "a", manufacturer: "Dexcom", model: "G6")]
    record.series = [
      MetricSeries([
        GlucoseReading(time: FHIRExample.instant, value: 101, deviceID: "a"),
        GlucoseReading(time: FHIRExample.instant.addingTimeInterval(300), value: 104),
      ])
    ]
    let observations = try FHIRExample.objects(record)
    #expect(observations.map { $0["valueQuantity"]["value"].number } == [101, 104])
    #expect(observations[0]["device"]["identifier"]["value"].text == "Dexcom/a")
    #expect(observations[0]["device"]["display"].text == "Dexcom G6")
    #expect(!observations[1]["device"].exists)
    #expect(observations[0]["code"]["text"].text == "Glucose in interstitial fluid")
  }
}
