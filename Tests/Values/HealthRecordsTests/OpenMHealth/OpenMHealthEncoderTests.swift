// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `Data points of Open mHealth` {
  private typealias Form = OpenMHealthExample

  private func measurement(_ metrics: Metric..., tags: [RecordTag] = []) -> HealthRecord {
    var record = FHIRExample.measurement(metrics)
    record.tags = tags
    return record
  }

  @Test func `hold both pressures in one body, and the pulse in another`() throws {
    #expect(
      try Form.texts(
        measurement(Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.pulse, 61.5)))
        == [
          #"{"header":{"uuid":"4baac4ad-bc1b-8ff1-8877-4461698f35d8","#
            + Form.header("omh", "blood-pressure", "4.0")
            + #"{"systolic_blood_pressure":{"value":120,"unit":"mmHg"},"#
            + #""diastolic_blood_pressure":{"value":80,"unit":"mmHg"},"# + Form.moment,
          #"{"header":{"uuid":"71b7ed60-da14-8c04-a003-91f441d960b9","#
            + Form.header("omh", "heart-rate", "2.0")
            + #"{"heart_rate":{"value":61.5,"unit":"beats/min"},"# + Form.moment,
        ])
  }

  @Test(arguments: [
    (Metric(.bloodGlucose, 104), #""blood_glucose":{"value":104,"unit":"mg/dL"}"#),
    (
      Metric(.bloodGlucose, 5.6, unit: "mmol/L"), #""blood_glucose":{"value":5.6,"unit":"mmol/L"}"#
    ),
    (
      Metric(.averageBloodGlucose, 99),
      #""blood_glucose":{"value":99,"unit":"mg/dL"},"descriptive_statistic":"average""#
    ),
    (Metric(.bodyTemperature, 36.85), #""body_temperature":{"value":36.85,"unit":"C"}"#),
    (
      Metric(.bodyTemperature, 98.6, unit: "°F"), #""body_temperature":{"value":98.6,"unit":"F"}"#
    ),
    (Metric(.bodyWeight, 70.05), #""body_weight":{"value":70.05,"unit":"kg"}"#),
    (Metric(.bodyWeight, 154.3, unit: "lb"), #""body_weight":{"value":154.3,"unit":"lb"}"#),
    (Metric(.bodyWeight, 11.5, unit: "st"), #""body_weight":{"value":73.0284,"unit":"kg"}"#),
    (Metric(.bodyHeight, 178), #""body_height":{"value":178,"unit":"cm"}"#),
    (Metric(.bodyHeight, 70, unit: "in"), #""body_height":{"value":70,"unit":"in"}"#),
    (Metric(.bmi, 22.1), #""body_mass_index":{"value":22.1,"unit":"kg/m^2"}"#),
    (Metric(.bodyFat, 18.2), #""body_fat_percentage":{"value":18.2,"unit":"%"}"#),
    (
      Metric(.restingHeartRate, 58),
      #""heart_rate":{"value":58,"unit":"beats/min"},"#
        + #""temporal_relationship_to_physical_activity":"at rest""#
    ),
    (
      Metric(.maximumHeartRate, 171),
      #""heart_rate":{"value":171,"unit":"beats/min"},"descriptive_statistic":"maximum""#
    ),
    (
      Metric(.oxygenSaturation, 97),
      #""oxygen_saturation":{"value":97,"unit":"%"},"system":"peripheral capillary","#
        + #""measurement_method":"pulse oximetry""#
    ),
    (
      Metric(.oxygenSaturation, 97, origin: .manual),
      #""oxygen_saturation":{"value":97,"unit":"%"}"#
    ),
    (Metric(.respiratoryRate, 14), #""respiratory_rate":{"value":14,"unit":"breaths/min"}"#),
    (
      Metric(.fev1, 3120, unit: "mL"),
      #""forced_expiratory_volume_1_second":{"value":3.12,"unit":"L"}"#
    ),
    (Metric(.fvc, 4.05), #""forced_vital_capacity":{"value":4.05,"unit":"L"}"#),
  ])
  func `hold a metric in the words and units of its schema`(metric: Metric, body: String) throws {
    #expect(try Form.bodies(measurement(metric)) == [body])
    #expect(try Form.omissions(measurement(metric)) == [])
  }

  @Test func `name the statistic of a variability where it is known, and leave others out`() throws
  {
    var record = measurement(Metric(.heartRateVariability, 41.37))
    #expect(try Form.omissions(record).count == 1)
    record.source = RecordSource(type: .appleHealth)
    #expect(
      try Form.bodies(record) == [
        #""rr_interval":{"value":41.37,"unit":"ms"},"descriptive_statistic":"standard deviation""#
      ])
  }

  @Test func `convert kilopascals`() throws {
    let record = measurement(
      Metric(.systolic, 16, unit: "kPa"), Metric(.diastolic, 10.6, unit: "kPa"))
    #expect(
      try Form.bodies(record) == [
        #""systolic_blood_pressure":{"value":120.0099,"unit":"mmHg"},"#
          + #""diastolic_blood_pressure":{"value":79.5066,"unit":"mmHg"}"#
      ])
  }

  @Test(arguments: [
    (Metric.Origin.device, #","modality":"sensed"},"#),
    (.manual, #","modality":"self-reported"},"#), (.unknown, #"+02:00"},"#),
  ])
  func `say who made the values`(origin: Metric.Origin, text: String) throws {
    let record = measurement(Metric(.pulse, 60, origin: origin))
    #expect(try Form.texts(record)[0].contains(text))
  }

  @Test func `say nothing of it where the values of a body differ`() throws {
    let record = measurement(
      Metric(.systolic, 120, origin: .manual), Metric(.diastolic, 80, origin: .device))
    #expect(try Form.texts(record).allSatisfy { !$0.contains("modality") })
  }

  @Test func `say of glucose what it was measured in, and when`() throws {
    var record = measurement(
      Metric(.bloodGlucose, 104),
      tags: [
        RecordTag(name: "sample_type", value: "capillary_whole_blood"),
        RecordTag(name: "meal", value: "bedtime"), RecordTag(name: "tester", value: "self"),
      ])
    record.mealRelationship = .after
    #expect(
      try Form.bodies(record) == [
        #""blood_glucose":{"value":104,"unit":"mg/dL"},"specimen_source":"capillary blood","#
          + #""temporal_relationship_to_meal":"after meal","#
          + #""temporal_relationship_to_sleep":"before sleeping""#
      ])
    #expect(try Form.omissions(record) == ["tags[2] tester no_schema"])
  }

  @Test func `leave out a specimen and a meal that the schema lacks`() throws {
    var record = measurement(
      Metric(.bloodGlucose, 104), tags: [RecordTag(name: "sample_type", value: "venous_plasma")])
    record.mealRelationship = .random
    #expect(try Form.bodies(record) == [#""blood_glucose":{"value":104,"unit":"mg/dL"}"#])
    #expect(
      try Form.omissions(record) == [
        "tags[0] sample_type no_schema", "user_notes[0] relationship_to_meal no_schema",
      ])
  }

  @Test(
    arguments: [
      ("armpit", "axillary"), ("mouth", "oral"), ("tympanum", "tympanic"), ("ear", nil),
      ("forehead", nil),
    ] as [(String, String?)])
  func `say where a temperature was measured`(place: String, word: String?) throws {
    let tag = RecordTag(name: "measurement_location", value: place)
    let record = measurement(Metric(.bodyTemperature, 37), tags: [tag])
    let location = word.map { #","measurement_location":"\#($0)""# } ?? ""
    #expect(
      try Form.bodies(record) == [#""body_temperature":{"value":37,"unit":"C"}"# + location])
    #expect(
      try Form.omissions(record)
        == (word == nil ? ["tags[0] measurement_location no_schema"] : []))
  }

  // MARK: - Several metrics in one body

  @Test func `hold a workout together, and its heart rate apart`() throws {
    var record = FHIRExample.hour(
      .workout,
      [
        Metric(.activeDuration, 3540), Metric(.distance, 8012.5), Metric(.averageHeartRate, 151),
        Metric(.energyBurned, 612), Metric(.activeEnergyBurned, 540), Metric(.averageSpeed, 2.5),
        Metric(.averageCadence, 172), Metric(.elevation, 86.5), Metric(.vo2Max, 46),
      ])
    record.category = "trail_running"
    #expect(
      try Form.bodies(record) == [
        #""activity_name":"trail running","duration":{"value":3540,"unit":"sec"},"#
          + #""distance":{"value":8012.5,"unit":"m"},"kcal_burned":{"value":612,"unit":"kcal"},"#
          + #""average_speed":{"value":2.5,"unit":"m/s"},"#
          + #""average_cadence":{"value":172,"unit":"movements/min"},"#
          + #""cumulative_elevation_gain":{"value":86.5,"unit":"m"}"#,
        #""heart_rate":{"value":151,"unit":"beats/min"},"descriptive_statistic":"average","#
          + #""temporal_relationship_to_physical_activity":"during exercise""#,
      ])
    #expect(
      try Form.omissions(record) == [
        "metrics[4] active_energy_burned occupied", "metrics[8] vo2_max no_schema",
      ])
    #expect(try Form.texts(record).allSatisfy { $0.hasSuffix(Form.hour) })
  }

  @Test(arguments: [
    (Metric.Origin.manual, "vigorous", #","reported_activity_intensity":"vigorous""#),
    (.manual, "extreme", ""), (.device, "vigorous", ""),
  ])
  func `say how hard a person found a workout`(
    origin: Metric.Origin, intensity: String, text: String
  ) throws {
    var record = FHIRExample.hour(.workout, [Metric(.laps, 40, origin: origin)])
    record.intensity = intensity
    #expect(
      try Form.bodies(record) == [
        #""activity_name":"workout","base_movement_quantity":{"value":40,"unit":"laps"}"# + text
      ])
  }

  @Test func `hold the activity of a day together, and all its energy apart`() throws {
    let record = FHIRExample.hour(
      .summary,
      [
        Metric(.steps, 5321), Metric(.veryActiveDuration, 600), Metric(.energyBurned, 2100),
        Metric(.activeEnergyBurned, 438.2), Metric(.floors, 4),
      ])
    #expect(
      try Form.bodies(record) == [
        #""activity_name":"daily activity summary","#
          + #""base_movement_quantity":{"value":5321,"unit":"steps"},"#
          + #""duration_vigorous_activity":{"value":600,"unit":"sec"},"#
          + #""kcal_burned":{"value":438.2,"unit":"kcal"}"#,
        #""kcal_burned":{"value":2100,"unit":"kcal"}"#,
      ])
    #expect(try Form.texts(record)[1].contains(#""name":"calories-burned","version":"2.0""#))
    #expect(try Form.omissions(record) == ["metrics[4] floors_climbed no_schema"])
  }

  @Test func `hold a night together, and the time in bed apart`() throws {
    let record = FHIRExample.hour(
      .sleep,
      [
        Metric(.sleepDuration, 2700), Metric(.deepSleep, 600), Metric(.lightSleep, 1500),
        Metric(.remSleep, 600), Metric(.awakeCount, 2), Metric(.timeToFallAsleep, 120),
        Metric(.awakeDuration, 300), Metric(.inBedDuration, 60, unit: "min"),
        Metric(.averageHeartRate, 52), Metric(.sleepScore, 80),
      ])
    #expect(
      try Form.bodies(record) == [
        #""total_sleep_time":{"value":2700,"unit":"sec"},"#
          + #""deep_sleep_duration":{"value":600,"unit":"sec"},"#
          + #""light_sleep_duration":{"value":1500,"unit":"sec"},"#
          + #""rem_sleep_duration":{"value":600,"unit":"sec"},"number_of_awakenings":2,"#
          + #""latency_to_sleep_onset":{"value":120,"unit":"sec"}"#,
        #""time_in_bed":{"value":60,"unit":"min"}"#,
        #""heart_rate":{"value":52,"unit":"beats/min"},"descriptive_statistic":"average","#
          + #""temporal_relationship_to_sleep":"during sleep""#,
      ])
    #expect(
      try Form.omissions(record) == [
        "metrics[6] awake_duration no_schema", "metrics[9] sleep_score no_schema",
      ])
  }

  @Test func `take whole awakenings only`() throws {
    let record = FHIRExample.hour(.sleep, [Metric(.awakeCount, 2.5)])
    #expect(try Form.bodies(record) == [])
    #expect(try Form.omissions(record) == ["metrics[0] awake_count fraction"])
  }

  // MARK: - Series

  @Test func `hold a point of a series with its span each`() throws {
    #expect(
      try Form.texts(KindExample.intraday.record).map {
        String($0.split(separator: #""body":"#)[1])
      }
        == [
          ("12", "07:00:00", "07:05:00"), ("0", "07:05:00", "07:15:00"),
          ("40.5", "07:10:00.500", "07:15:00.500"),
        ].map { value, start, end in
          #"{"activity_name":"physical activity","#
            + #""base_movement_quantity":{"value":\#(value),"unit":"steps"},"#
            + #""effective_time_frame":{"time_interval":{"#
            + #""start_date_time":"2023-11-21T\#(start)+01:00","#
            + #""end_date_time":"2023-11-21T\#(end)+01:00"}}}}"#
        })
    #expect(try Form.omissions(KindExample.intraday.record) == [])
  }

  @Test
  func `keep the identifier of a device's point when its record is found to be of another time`()
    throws
  {
    var record = FHIRExample.hour(.intraday, [])
    record.source.type = .bluetooth
    record.series = [
      MetricSeries(.pulse, [DataPoint(time: record.time.start.addingTimeInterval(4), value: 60)])
    ]
    let before = try OpenMHealthExample.identifiers(record)
    record.time.start += 90.5
    record.time.end += 90.5
    record.series[0].dataPoints[0].time += 90.5
    #expect(try OpenMHealthExample.identifiers(record) == before)
  }

  @Test func `hold a pulse of a series at its moment`() throws {
    var record = KindExample.intraday.record
    record.series = [MetricSeries(.pulse, [DataPoint(time: KindExample.morning, value: 61)])]
    #expect(
      try Form.texts(record)[0].hasSuffix(
        #"{"heart_rate":{"value":61,"unit":"beats/min"},"#
          + #""effective_time_frame":{"date_time":"2023-11-21T07:00:00+01:00"}}}"#))
  }

  @Test func `leave out amounts of a series without a span, and a series without a schema`() throws
  {
    var record = KindExample.intraday.record
    record.granularity = nil
    record.series.append(
      MetricSeries(.perfusionIndex, [DataPoint(time: KindExample.morning, value: 2)]))
    #expect(try Form.texts(record).count == 1)
    #expect(
      try Form.omissions(record) == [
        "metrics[0].data_points[0] steps no_interval",
        "metrics[0].data_points[2] steps no_interval", "metrics[1] perfusion_index no_schema",
      ])
  }

  @Test func `hold the readings of a glucose monitor in interstitial fluid`() throws {
    var record = KindExample.cgm.record
    record.metrics = []
    record.series[0].readingLog[1].bound = .above
    #expect(
      try Form.texts(record).map { String($0.split(separator: #""body":"#)[1]) }
        == [("104", "07:00:00"), ("111.5", "07:10:00")].map { value, time in
          #"{"blood_glucose":{"value":\#(value),"unit":"mg/dL"},"#
            + #""specimen_source":"interstitial fluid","#
            + #""effective_time_frame":{"date_time":"2023-11-21T\#(time)+01:00"}}}"#
        })
    #expect(try Form.omissions(record) == ["metrics[0].reading_log[1] blood_glucose bound"])
  }
}
