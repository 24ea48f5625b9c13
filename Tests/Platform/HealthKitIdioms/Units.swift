// SPDX-License-Identifier: Apache-2.0

@preconcurrency import HealthKit

let perMinute = HKUnit.count().unitDivided(by: .minute())
let glucose = HKUnit.moleUnit(
  with: .milli, molarMass: HKUnitMolarMassBloodGlucose
).unitDivided(by: .liter())
let texts = [HKUnit(from: "mg/dL"), HKUnit(from: .kilogram), HKUnit.gramUnit(with: .kilo)].map(
  \.unitString)
let converted: Double = HKQuantity(unit: .mile(), doubleValue: 1).doubleValue(for: .meter())
let isNull: Bool = perMinute.isNull()
let order: ComparisonResult = HKQuantity(unit: .mile(), doubleValue: 1)
  .compare(HKQuantity(unit: .meter(), doubleValue: 1))
