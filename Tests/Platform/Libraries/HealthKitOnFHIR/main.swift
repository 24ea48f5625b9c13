// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitOnFHIR
import HealthKitSimulation
import ModelsR4

// A phone gets samples from a watch and a monitor; the app reads them from the store and makes
// observations of them.

struct Failure: Error, CustomStringConvertible {
  let description: String
}

let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let phone = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
let store = phone.makeHealthStore()

func quantity(_ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit) -> HKQuantitySample
{
  HKQuantitySample(
    type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
    end: start)
}

func step(_ name: String, _ body: () async throws -> Bool) async throws {
  guard try await body() else { throw Failure(description: "step \(name) failed") }
  print("step \(name) ok")
}

func observation(_ sample: HKSample) throws -> Observation {
  guard let observation = try sample.resource().get(if: Observation.self) else {
    throw Failure(description: "no observation of \(sample)")
  }
  return observation
}

func codes(_ concept: CodeableConcept) -> Set<String> {
  Set((concept.coding ?? []).compactMap { $0.code?.value?.string })
}

func run() async throws {
  let types: Set<HKSampleType> = [
    HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
    HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis), .workoutType(),
  ]
  try await store.requestAuthorization(toShare: types, read: types)
  let monitor = HKSourceRevision(
    source: HKSource.default(), version: "1", productType: "Monitor",
    operatingSystemVersion: OperatingSystemVersion())

  try await step("pressure") {
    let parts = [
      quantity(.bloodPressureSystolic, 120, .millimeterOfMercury()),
      quantity(.bloodPressureDiastolic, 80, .millimeterOfMercury()),
    ]
    try phone.save(
      [
        HKCorrelation(
          type: HKCorrelationType(.bloodPressure), start: start, end: start, objects: Set(parts))
      ], from: monitor)
    let read = try await HKSampleQueryDescriptor(
      predicates: [.correlation(type: HKCorrelationType(.bloodPressure))], sortDescriptors: []
    ).result(for: store)
    guard let sample = read.first else { return false }
    let made = try observation(sample)
    let values = (made.component ?? []).compactMap { component -> Decimal? in
      guard case .quantity(let quantity) = component.value else { return nil }
      return quantity.value?.value?.decimal
    }
    return codes(made.code).contains("85354-9") && Set(values) == [120, 80]
  }

  try await step("sleep") {
    try phone.save(
      [
        HKCategorySample(
          type: HKCategoryType(.sleepAnalysis),
          value: HKCategoryValueSleepAnalysis.asleepREM.rawValue, start: start,
          end: start + 1800)
      ], from: monitor)
    let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: [.asleepREM])
    let read = try await HKSampleQueryDescriptor(
      predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: asleep)],
      sortDescriptors: []
    ).result(for: store)
    guard let sample = read.first else { return false }
    return try codes(observation(sample).code).contains("HKCategoryTypeIdentifierSleepAnalysis")
  }

  try await step("workout") {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    let builder = HKWorkoutBuilder(
      healthStore: store, configuration: configuration, device: .local())
    try await builder.beginCollection(at: start)
    try await builder.addSamples([quantity(.heartRate, 150, HKUnit(from: "count/min"))])
    try await builder.endCollection(at: start + 600)
    guard let workout = try await builder.finishWorkout() else { return false }
    guard case .codeableConcept(let value) = try observation(workout).value else { return false }
    return codes(value).contains("running")
  }

  try await step("page") {
    for rate in 60..<70 {
      try phone.save([quantity(.heartRate, Double(rate), HKUnit(from: "count/min"))], from: monitor)
    }
    var (anchor, made): (HKQueryAnchor?, Int) = (nil, 0)
    while true {
      let page = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: HKQuantityType(.heartRate))], anchor: anchor, limit: 4
      ).result(for: store)
      if page.newAnchor == anchor { return made == 11 }
      made += try page.addedSamples.mapIntoResourceProxies()
        .compactMap { $0.get(if: Observation.self) }.count
      anchor = page.newAnchor
    }
  }
}

do {
  try await run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
try? FileManager.default.removeItem(at: folder)
