// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioHealthKit
import TestSupport
import Testing

/// A phone with an empty health store, its owner's watch, and other apps.
final class HealthFixture {
  let folder: TemporaryFolder
  let phone: SimulatedPhone
  let store: HKHealthStore

  static let app = revision("Readings", "org.example.readings", nil)
  static let watch = revision("Sam's Watch", "com.apple.health.A1", "Watch6,2")
  static let iPhone = revision("Sam's iPhone", "com.apple.health.B2", "iPhone14,5")
  static let diary = revision("Diary", "org.example.diary", nil)

  private static func revision(
    _ name: String, _ bundle: String, _ product: String?
  ) -> HKSourceRevision {
    HKSourceRevision(
      source: HKSource(name: name, bundleIdentifier: bundle), version: "1.2",
      productType: product, operatingSystemVersion: OperatingSystemVersion())
  }

  // The app may read the types, and save the shared ones.
  init(_ types: Set<HKSampleType>, sharing shared: Set<HKSampleType> = []) async throws {
    folder = try TemporaryFolder()
    phone = SimulatedPhone(
      store: folder.url.appendingPathComponent("health.sqlite"), app: Self.app)
    store = phone.makeHealthStore()
    // Correlations need no permission but that for their parts.
    let asked = types.filter { !($0 is HKCorrelationType) }
    try await store.requestAuthorization(toShare: shared, read: asked)
  }

  /// The samples of a type in the order of time.
  func samples(_ type: HKSampleType) async throws -> [HKSample] {
    try await HKSampleQueryDescriptor(
      predicates: [.sample(type: type)], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
  }

  /// The samples as they are read when an app or a device has saved them.
  func saved(_ samples: [HKSample], from source: HKSourceRevision) async throws -> [HKSample] {
    try phone.save(samples, from: source)
    var read: [HKSample] = []
    for type in Set(samples.map(\.sampleType)) { read += try await self.samples(type) }
    return read.sorted { $0.startDate < $1.startDate }
  }

  /// Statistics of a quantity in intervals from an instant on.
  func statistics(
    _ type: HKQuantityTypeIdentifier, from anchor: Date, _ interval: DateComponents,
    _ options: HKStatisticsOptions = .cumulativeSum
  ) async throws -> HKStatisticsCollection {
    try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(type)), options: options, anchorDate: anchor,
      intervalComponents: interval
    ).result(for: store)
  }
}

/// An instant in UTC, for instance `2026-07-14T06:30:00`.
func instant(_ text: String) throws -> Date {
  try #require(LocalDateTime(text)?.date(in: .gmt))
}

func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

extension HKQuantitySample {
  /// A sample of a quantity.
  static func of(
    _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: String, _ start: Date,
    to end: Date? = nil, device: HKDevice? = nil, _ metadata: [String: Any]? = nil
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(type),
      quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: value), start: start,
      end: end ?? start, device: device, metadata: metadata)
  }
}

extension HKCategorySample {
  /// A sample of a category.
  static func of(
    _ type: HKCategoryTypeIdentifier, _ value: Int, _ start: Date, to end: Date? = nil,
    _ metadata: [String: Any]? = nil
  ) -> HKCategorySample {
    HKCategorySample(
      type: HKCategoryType(type), value: value, start: start, end: end ?? start,
      metadata: metadata)
  }
}

extension HealthRecord {
  /// The metrics by name.
  var values: [String: Double] {
    Dictionary(metrics.compactMap { metric in metric.value.map { (metric.type.rawValue, $0) } }) {
      first, _ in first
    }
  }

  /// The findings by name.
  var findings: [String: String] {
    Dictionary(tags.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
