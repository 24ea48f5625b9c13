// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// What statistics need of a sample; times are seconds since 1 January 2001, UTC.
struct StatisticsSample {
  var start: Double
  var end: Double
  /// In the type's own unit.
  var value: Double
  /// How many values it is made of, and their limits.
  var count = 1
  var minimum: Double
  var maximum: Double
  var latest: Double
  /// The number of its source.
  var source: Int64

  /// How much of the sample lies in a time: 1 for an instant.
  func share(of window: Range<Double>) -> Double {
    guard end > start else { return window.contains(start) ? 1 : 0 }
    return max(0, min(end, window.upperBound) - max(start, window.lowerBound)) / (end - start)
  }
}

/// The samples of a quantity, and whose are preferred where they overlap.
struct StatisticsInput {
  let type: HKQuantityType
  /// In the order of their starts.
  var samples: [StatisticsSample] = []
  /// The sources, by their numbers.
  var sources: [Int64: HKSource] = [:]
  /// The numbers of the sources, the preferred ones first.
  var priority: [Int64] = []
}

extension HealthDatabase {
  /// The samples of a quantity for statistics.
  ///
  /// Of samples that say exactly the same, only the first counts.
  ///
  /// The sources that the user prefers are named by their bundle identifiers, the first ones most. Then
  /// come watches, phones, and everything else: the order of the Health app, in which the user's own
  /// list is, has no interface.
  func statisticsInput(
    _ type: HKQuantityType, _ requests: [SampleRequest], preferred: [String]
  ) throws -> StatisticsInput {
    var input = StatisticsInput(type: type)
    var factors: [Int64: UnitConversion] = [:]
    for (number, unit) in units { factors[number] = UnitConversion(unit, type.canonicalUnit) }
    for var request in requests {
      request.order = .start(ascending: true)
      try rows(request) { (row, residual) throws(SQLiteError) in
        guard row.copy == nil, let factor = row.unit.flatMap({ factors[$0] }) else { return true }
        if let residual {
          guard let sample = try object(of: row), residual.evaluate(with: sample) else {
            return true
          }
        }
        input.samples.append(sample(row, factor))
        return true
      }
    }
    for source in Set(input.samples.map(\.source)) { input.sources[source] = sources[source] }
    input.priority = priority(of: Array(input.sources.keys), preferred)
    return input
  }

  private func sample(_ row: SampleRow, _ factor: UnitConversion) -> StatisticsSample {
    let value = factor.convert(row.value)
    var sample = StatisticsSample(
      start: row.start, end: row.end, value: value, minimum: value, maximum: value, latest: value,
      source: revisionSources[row.revision] ?? 0)
    if let detail = row.detail.flatMap({ try? MetadataCoding.value($0, as: SeriesDetail.self) }) {
      sample.count = max(1, detail.count)
      sample.minimum = detail.minimum.map(factor.convert) ?? value
      sample.maximum = detail.maximum.map(factor.convert) ?? value
      sample.latest = detail.latest.map(factor.convert) ?? value
    }
    return sample
  }

  private func priority(of sources: [Int64], _ preferred: [String]) -> [Int64] {
    var ranks: [Int64: Int] = [:]
    for (number, revision) in revisions {
      guard let source = revisionSources[number] else { continue }
      let product = revision.productType ?? ""
      let rank = product.hasPrefix("Watch") ? 0 : product.hasPrefix("iPhone") ? 1 : 2
      ranks[source] = min(ranks[source] ?? 2, rank)
    }
    func rank(_ number: Int64) -> (Int, Int, Int64) {
      let bundle = self.sources[number]?.bundleIdentifier ?? ""
      return (preferred.firstIndex(of: bundle) ?? preferred.count, ranks[number] ?? 2, number)
    }
    return sources.sorted { rank($0) < rank($1) }
  }
}

/// How values of one unit are put into another.
struct UnitConversion {
  let scale: Double
  let offset: Double

  /// Nil if the units are not compatible.
  init?(_ unit: HKUnit, _ other: HKUnit) {
    guard let factor = unit.factor(to: other) else { return nil }
    (scale, offset) = factor
  }

  func convert(_ value: Double) -> Double { value * scale + offset }
}
