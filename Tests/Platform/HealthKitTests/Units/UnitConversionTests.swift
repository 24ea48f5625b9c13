// SPDX-License-Identifier: Apache-2.0

import HealthKit
import Testing

/// Whether the values are equal but for rounding.
private func isClose(_ value: Double, _ expected: Double) -> Bool {
  abs(value - expected) <= abs(expected) * 1e-12
}

struct `Unit conversions` {
  @Test(arguments: [
    (1.0, "mi", "m", 1609.344), (1, "lb", "g", 453.59237), (1, "oz", "g", 28.349523125),
    (1, "st", "g", 6350.29318), (1, "in", "m", 0.0254), (1, "ft", "m", 0.3048),
    (1, "yd", "m", 0.9144), (1, "mmHg", "Pa", 133.322387415), (1, "cmAq", "Pa", 98.0665),
    (1, "inHg", "Pa", 3386.38816), (1, "atm", "Pa", 101_325), (1, "fl_oz_us", "L", 0.0295735295625),
    (1, "fl_oz_imp", "L", 0.0284130625), (1, "pt_us", "L", 0.473176473),
    (1, "pt_imp", "L", 0.56826125), (1, "cup_us", "L", 0.2365882365),
    (1, "cup_imp", "L", 0.284130625), (1, "min", "s", 60), (1, "hr", "s", 3600),
    (1, "d", "s", 86400), (1, "cal", "J", 4.184), (1, "kcal", "J", 4184), (1, "Cal", "kcal", 1),
    (187, "cm", "m", 1.87), (0.5, "%", "count", 0.5), (4.7, "m/s^2", "cm/s^2", 470),
    (1.1, "degC·m", "degF·m", 1.98), (1000, "mL", "L", 1),
  ])
  func `are exact`(value: Double, from: String, to: String, expected: Double) {
    let quantity = HKQuantity(unit: HKUnit(from: from), doubleValue: value)

    #expect(quantity.doubleValue(for: HKUnit(from: to)) == expected)
  }

  @Test(arguments: [
    (27.0, "degC", "degF", 80.6), (98.6, "degF", "degC", 37), (0, "degC", "K", 273.15),
    (1, "mmol<180.1558800000541>/L", "mg/dL", 18.015588), (1, "m^3", "L", 1000),
    (5, "mmol<180.1558800000541>/L", "mg/dL", 90.07794), (180, "deg", "rad", .pi),
    (2, "mol<18.02>", "g", 36.04), (72, "count/min", "Hz", 1.2), (72, "count/min", "count/s", 1.2),
    (1, "Pa", "kg/m·s^2", 1), (1, "J", "kg·m^2/s^2", 1), (1, "kPa·L", "J", 1),
    (12.7, "m^4·atm^2·GL/in^2", "in^2·atm^2·GL", 30511872.047366135),
    (12.7, "m^4·atm^2·GL/in^2", "m^4·Pa^2·GL/m^2", 202101488681102.38),
    (12.7, "m^4·atm^2·GL", "m^4·Pa^2·GL", 130387796437.5),
  ])
  func `are right but for rounding`(value: Double, from: String, to: String, expected: Double)
    throws
  {
    let (one, other) = (HKUnit(from: from), HKUnit(from: to))
    let factor = try #require(one.factor(to: other))

    #expect(
      isClose(HKQuantity(unit: one, doubleValue: value).doubleValue(for: other), expected))
    #expect(isClose(HKQuantity(unit: other, doubleValue: expected).doubleValue(for: one), value))
    #expect(isClose(value * factor.scale + factor.offset, expected))
  }

  @Test(arguments: [
    ("%", "count"), ("cm", "m"), ("%/m", "count/ft"), ("m^3", "L"), ("m^2·in", "L"),
    ("m·km·mm", "L"), ("mol", "mol"), ("Gmol", "kmol"), ("mol<123>", "mol<456>"),
    ("mol<123>", "kg"), ("m^4·atm^2·GL/in^2", "in^2·atm^2·GL"), ("degF", "K"), ("lx", "klx"),
  ])
  func `exist between these`(one: String, other: String) {
    let quantity = HKQuantity(unit: HKUnit(from: one), doubleValue: 1)

    #expect(quantity.is(compatibleWith: HKUnit(from: other)))
  }

  @Test(arguments: [
    ("m", "g"), ("%/m", "%/m^2"), ("W", "J/s"), ("mol", "mol<123>"), ("dBASPL", "Pa"),
    ("dBASPL", "dBHL"), ("IU", "count"), ("D", "pD"), ("mmol/L", "mg/dL"), ("S", "V"),
    ("appleEffortScore", "count"), ("count", "min"),
  ])
  func `do not exist between these`(one: String, other: String) {
    let (unit, target) = (HKUnit(from: one), HKUnit(from: other))

    #expect(!HKQuantity(unit: unit, doubleValue: 1).is(compatibleWith: target))
    #expect(unit.factor(to: target) == nil)
    #expect(target.convert(1, to: unit) == nil)
  }
}

struct `Quantities` {
  @Test func `say their value and their unit`() {
    let unit = HKUnit(from: "mmol<180.1558800000541>/L")

    #expect(HKQuantity(unit: unit, doubleValue: 5).description == "5 mmol<180.1558800000541>/L")
    #expect(HKQuantity(unit: .percent(), doubleValue: 0.97).description == "0.97 %")
  }

  @Test func `compare by worth`() {
    let meter = HKQuantity(unit: .meter(), doubleValue: 1)

    #expect(meter.compare(HKQuantity(unit: .inch(), doubleValue: 40)) == .orderedAscending)
    #expect(
      meter.compare(HKQuantity(unit: .meterUnit(with: .centi), doubleValue: 100)) == .orderedSame)
    #expect(meter.compare(HKQuantity(unit: .foot(), doubleValue: 3)) == .orderedDescending)
  }

  @Test func `are equal when they are worth the same`() {
    let kilogram = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 1)
    let grams = HKQuantity(unit: .gram(), doubleValue: 1000)

    #expect(kilogram == grams)
    #expect(kilogram.hash == grams.hash)
    #expect(grams != HKQuantity(unit: .gram(), doubleValue: 1001))
    #expect(grams != HKQuantity(unit: .meter(), doubleValue: 1000))
  }

  @Test func `survive archiving`() throws {
    let quantity = HKQuantity(unit: .millimeterOfMercury(), doubleValue: 121.5)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: quantity, requiringSecureCoding: true)

    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantity.self, from: data)

    #expect(read == quantity)
    #expect(read?.unit == .millimeterOfMercury())
  }

  @Test func `trap when the unit does not fit`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKQuantity(unit: .meter(), doubleValue: 1).doubleValue(for: .gram())
    }
  }
}
