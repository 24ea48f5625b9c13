// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import Testing

@Suite struct `Units of metrics` {
  @Test(
    arguments: [(5.5, 99.1), (7.0, 126.1), (1.1, 19.8), (33.3, 599.9), (0.0, 0.0)])
  func `convert glucose by its molar mass`(millimoles: Double, milligrams: Double) throws {
    let metric = Metric(.bloodGlucose, millimoles, in: .millimolesPerLiter)
    #expect(metric.unit == "mg/dL")
    #expect(try (#require(metric.value) * 10).rounded() / 10 == milligrams)
    let back = try #require(metric.value(in: GlucoseUnit.millimolesPerLiter))
    #expect(abs(back - millimoles) < 1e-12)
  }

  @Test(arguments: [(98.6, 37.0), (32, 0), (212, 100), (-40, -40), (104, 40)])
  func `convert temperature`(fahrenheit: Double, celsius: Double) throws {
    let metric = Metric(.bodyTemperature, fahrenheit, in: .fahrenheit)
    #expect(metric.unit == "°C")
    #expect(try abs(#require(metric.value) - celsius) < 1e-12)
    let back = try #require(metric.value(in: TemperatureUnit.fahrenheit))
    #expect(abs(back - fahrenheit) < 1e-12)
  }

  @Test func `convert weight by the international pound`() {
    #expect(Metric(.bodyWeight, 1, in: .pounds).value == 0.45359237)
    #expect(Metric(.bodyWeight, 1, in: .stones).value == 6.35029318)
    #expect(Metric(.bodyWeight, 14, in: .pounds).value == 6.35029318)
    #expect(Metric(.bodyFatMass, 70, in: .kilograms) == Metric(.bodyFatMass, 70, unit: "kg"))
    let man = Metric(.bodyWeight, 80)
    #expect(man.value(in: MassUnit.pounds).map { ($0 * 100).rounded() } == 17637)
    #expect(man.value(in: MassUnit.stones).map { ($0 * 1000).rounded() } == 12598)
  }

  @Test func `give every value of a display back as it was entered`() throws {
    for tenths in 1...600 {
      let entered = Double(tenths) / 10
      let glucose = Metric(.bloodGlucose, entered, in: .millimolesPerLiter)
      let pounds = Metric(.bodyWeight, entered, in: .pounds)
      let stones = Metric(.bodyWeight, entered, in: .stones)
      let heat = Metric(.bodyTemperature, entered + 70, in: .fahrenheit)
      let back = try [
        #require(glucose.value(in: GlucoseUnit.millimolesPerLiter)),
        #require(pounds.value(in: MassUnit.pounds)),
        #require(stones.value(in: MassUnit.stones)),
        #require(heat.value(in: TemperatureUnit.fahrenheit)) - 70,
      ]
      #expect(back.map { ($0 * 10).rounded() } == [Double](repeating: Double(tenths), count: 4))
    }
  }

  @Test func `leave a value in its own unit bit by bit as it is`() {
    let metric = Metric(.bodyWeight, 0.1, unit: "lb")
    #expect(metric.value(in: MassUnit.pounds) == 0.1)
    #expect(Metric(.bloodGlucose, 5.3, unit: "mmol/L").value(in: .millimolesPerLiter) == 5.3)
  }

  @Test func `do not convert what they do not measure`() {
    let rise = Metric(.bodyTemperatureDeviation, 1.8, in: .fahrenheit)
    #expect(rise == Metric(.bodyTemperatureDeviation, 1.8, unit: "°F"))
    #expect(rise.value(in: TemperatureUnit.celsius) == nil)
    #expect(Metric(.totalCholesterol, 200).value(in: GlucoseUnit.millimolesPerLiter) == nil)
    #expect(Metric(.bloodGlucose, 99, unit: "g/L").value(in: .milligramsPerDeciliter) == nil)
    #expect(Metric(.steps, 5, in: .pounds) == Metric(.steps, 5, unit: "lb"))
  }

  @Test func `are read from a record`() {
    var record = Example.record
    record.metrics = [
      Metric(.bloodGlucose, 5.5, unit: "mmol/L"), Metric(.bodyTemperature, 37),
      Metric(.bodyWeight, 70),
    ]
    #expect(record.value(.bloodGlucose, in: GlucoseUnit.milligramsPerDeciliter) == 5.5 * 18.0156)
    #expect(record.value(.bodyTemperature, in: TemperatureUnit.fahrenheit) == 98.6)
    #expect(record.value(.bodyWeight, in: MassUnit.kilograms) == 70)
    #expect(record.value(.hba1c, in: GlucoseUnit.milligramsPerDeciliter) == nil)
  }
}

@Suite struct `Remarks and findings` {
  @Test func `replace a note in its place`() {
    var record = Example.record
    record.mealRelationship = .fasting
    record.comment = "better"
    #expect(
      record.userNotes == [
        UserNote(type: "message", value: "better"),
        UserNote(type: "relationship_to_meal", value: "fasting"),
      ])
    record.comment = nil
    #expect(record.comment == nil)
    #expect(record.mealRelationship == .fasting)
    record.diabetesEvent = .sick
    #expect(record.userNotes.last == UserNote(type: "diabetes_event", value: "sick"))
  }

  @Test func `are unknown where another word stands`() {
    var record = Example.record
    record.userNotes = [UserNote(type: "relationship_to_meal", value: "during")]
    #expect(record.mealRelationship == nil)
    #expect(record.diabetesEvent == nil)
  }
}
