// SPDX-License-Identifier: Apache-2.0

import ClinicalUnits
import Foundation
import HealthRecords
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioUI

@Suite(.timeLimit(.minutes(15))) struct `Units of a person` {
  private func units(_ locale: String) -> UnitPreferences {
    UnitPreferences(locale: Locale(identifier: locale))
  }

  private func text(_ metric: Metric, _ units: UnitPreferences) -> String {
    Texts(language: "en", locale: units.locale)(ShownMetric(metric, in: units).text)
  }

  @Test(arguments: [
    ("en_US", GlucoseUnit.milligramsPerDeciliter, MassUnit.pounds, TemperatureUnit.fahrenheit),
    ("de_DE", .milligramsPerDeciliter, .kilograms, .celsius),
    ("de_CH", .millimolesPerLiter, .kilograms, .celsius),
    ("en_GB", .millimolesPerLiter, .stones, .celsius),
    ("en_CA", .millimolesPerLiter, .kilograms, .celsius),
    ("fr_FR", .milligramsPerDeciliter, .kilograms, .celsius),
    ("es_PR", .milligramsPerDeciliter, .kilograms, .fahrenheit),
    ("en", .milligramsPerDeciliter, .kilograms, .celsius),
  ])
  func `are those of the region`(
    locale: String, glucose: GlucoseUnit, mass: MassUnit, temperature: TemperatureUnit
  ) {
    // A language alone says nothing of the region; `en` may be completed to that of the system.
    let units = units(locale)
    guard units.locale.region != nil || locale == "en" else {
      Issue.record("no region")
      return
    }
    #expect(units.glucose == glucose)
    #expect(units.mass == mass)
    #expect(units.temperature == temperature)
    #expect(units.pressure == .millimetersOfMercury)
  }

  @Test func `are those that were chosen`() {
    var units = units("de_DE")
    units.chosenGlucose = .millimolesPerLiter
    units.chosenMass = .pounds
    units.chosenTemperature = .fahrenheit
    units.chosenPressure = .kilopascals
    #expect(text(Metric(.bloodGlucose, 99), units) == "5,5 mmol/L")
    #expect(text(Metric(.bodyWeight, 70), units) == "154,3 lb")
    #expect(text(Metric(.bodyTemperature, 37), units) == "98,6 °F")
    #expect(text(Metric(.systolic, 120), units) == "16,0 kPa")
    #expect(text(Metric(.pulse, 61), units) == "61 bpm")
  }

  @Test func `have the digits that the device showed`() {
    var glucose = Metric(.bloodGlucose, 5.5, in: .millimolesPerLiter)
    glucose.shown = ShownValue("5.5", unit: "mmol/L")
    #expect(text(glucose, units("de_CH")).hasSuffix(" mmol/L"))
    #expect(text(glucose, units("en_GB")) == "5.5 mmol/L")
    #expect(text(glucose, units("de_DE")) == "99 mg/dL")
    var round = Metric(.bloodGlucose, 2, in: .millimolesPerLiter)
    round.shown = ShownValue("2.0", unit: "mmol/L")
    #expect(text(round, units("en_GB")) == "2.0 mmol/L")
    var temperature = Metric(.bodyTemperature, 98.7, in: .fahrenheit)
    temperature.shown = ShownValue("98.7", unit: "°F")
    #expect(text(temperature, units("en_US")) == "98.7 °F")
    #expect(text(temperature, units("de_DE")) == "37,1 °C")
    var weight = Metric(.bodyWeight, 154.32, in: .pounds)
    weight.shown = ShownValue("154.32", unit: "lb")
    #expect(text(weight, units("en_US")) == "154.32 lb")
  }

  @Test(arguments: 20...600) func `never show another number than the device`(number: Int) {
    // In mmol/L with one digit, as a meter shows it.
    let digits = "\(number / 10).\(number % 10)"
    var metric = Metric(.bloodGlucose, Double(digits) ?? 0, in: .millimolesPerLiter)
    metric.shown = ShownValue(digits, unit: "mmol/L")
    #expect(text(metric, units("en_GB")) == "\(digits) mmol/L")
    #expect(text(Metric(.bloodGlucose, Double(number)), units("en_US")) == "\(number) mg/dL")
    #expect(text(Metric(.bodyWeight, Double(number) / 10), units("en_CA")).hasSuffix(" kg"))
  }

  @Test func `write stones with pounds, and never fourteen of these`() {
    #expect(text(Metric(.bodyWeight, 70), units("en_GB")) == "11 st 0.3 lb")
    // 13.99 pounds are one stone more.
    #expect(text(Metric(.bodyWeight, 69.853), units("en_GB")) == "11 st 0.0 lb")
    #expect(text(Metric(.bodyWeight, 69.8), units("en_GB")) == "10 st 13.9 lb")
  }

  @Test func `say what is no number`() {
    let us = units("en_US")
    #expect(
      text(Metric(.bloodGlucose, absent: .aboveRange), us) == "Above the device's range (HI)")
    #expect(
      text(Metric(.bloodGlucose, absent: .belowRange), us) == "Below the device's range (LO)")
    #expect(text(Metric(.bloodGlucose, absent: .unknown), us) == "No value")
    #expect(text(Metric(.bloodGlucose, 20, bound: .below), us) == "less than 20 mg/dL")
    #expect(text(Metric(.bloodGlucose, 600, bound: .above), us) == "more than 600 mg/dL")
    #expect(text(Metric(.menstrualFlow, 2), us) == "light")
    #expect(text(Metric(.bmi, 22.5), us) == "22.5 kg/m²")
    #expect(text(Metric(.inr, 2.4), us) == "2.4")
  }

  @Test func `are read from what a person types`() {
    let german = Decimals(locale: Locale(identifier: "de_DE"))
    #expect(german.number(in: " 36,7 ") == 36.7)
    #expect(german.number(in: "36.7") == 36.7)
    #expect(german.number(in: "") == nil)
    #expect(german.number(in: "36,7,1") == nil)
    #expect(german.number(in: "abc") == nil)
    #expect(german.number(in: "inf") == nil)
    #expect(german.text(of: 0.25, places: 1) == "0,3")
    #expect(Decimals.places(of: 72.35) == 2)
    #expect(Decimals.places(of: 5.500132) == 3)
  }

  @MainActor @Test func `are changed while readings are shown`() async throws {
    let stage = try await Stage()
    try await stage.session.hold([.sample("a", [Metric(.systolic, 120)])])
    let review = stage.review()
    await review.load()
    #expect(review.state.waiting.first?.values.map(\.text) == [Phrase(english: "120 mmHg")])
    var chosen = units("de_DE")
    chosen.chosenPressure = .kilopascals
    await review.show(in: chosen)
    #expect(review.state.waiting.first?.values.map(\.text) == [Phrase(english: "16,0 kPa")])
    await review.load()
    #expect(review.state.waiting.first?.values.map(\.text) == [Phrase(english: "16,0 kPa")])

    stage.virtual.remember([Frames.first])
    let reading = stage.reading()
    reading.start()
    #expect(await stage.advance { reading.state.step == .review })
    reading.show(in: chosen)
    #expect(reading.state.readings.first?.values.first?.text == Phrase(english: "16,7 kPa"))
    #expect(reading.state.step == .review)
    reading.confirm()
    #expect(await stage.advance { reading.state.step == .sent(1) })
  }

  @MainActor @Test func `are kept where they were chosen`() throws {
    let name = "units-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    let locale = Locale(identifier: "en_US")
    let model = UnitsModel(locale: locale, defaults: defaults)
    #expect(model.state.units == UnitPreferences(locale: locale))
    model.choose(glucose: .millimolesPerLiter)
    model.choose(mass: .stones)
    model.choose(temperature: .celsius)
    model.choose(pressure: .kilopascals)
    let kept = UnitsModel.kept(in: defaults, locale)
    #expect(kept == model.state.units)
    #expect(kept.glucose == .millimolesPerLiter && kept.mass == .stones)
    #expect(kept.temperature == .celsius && kept.pressure == .kilopascals)
    model.choose(glucose: nil)
    #expect(UnitsModel.kept(in: defaults, locale).chosenGlucose == nil)
  }
}
