// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Asks what the samples of a quantity amount to.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
  private let type: HKQuantityType
  private let options: HKStatisticsOptions
  private let handler: @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

  /// Asks for statistics of the samples that fit to a predicate.
  ///
  /// - Parameters:
  ///   - quantityType: The type of the quantity.
  ///   - quantitySamplePredicate: What the samples must fit to.
  ///   - options: Which figures; by default a sum or an average, as the type has it.
  ///   - handler: Receives the statistics, or an error with the code `errorNoData`.
  public init(
    quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
    options: HKStatisticsOptions = [],
    completionHandler handler:
      @escaping @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void
  ) {
    StatisticsCalculator.check(options, quantityType)
    type = quantityType
    self.options = options
    self.handler = handler
    super.init(quantityType, quantitySamplePredicate)
  }

  override func run(on system: HealthSystem) {
    deliver {
      let statistics = try system.read { database in
        let requests = try system.requests([SampleRequest(type, predicate)], database)
        let input = try database.statisticsInput(
          type, requests, preferred: system.preferredSources)
        return StatisticsCalculator(input, options.orDefault(for: type)).whole()
      }
      guard let statistics else {
        throw HKError.error(.errorNoData, "No samples of \(type.identifier) fit to the query.")
      }
      return statistics
    } to: { [self] in
      handler(self, $0, $1)
    }
  }
}

extension HKStatisticsOptions {
  /// The options, or without any figure the one that a type has in any case.
  func orDefault(for type: HKQuantityType) -> HKStatisticsOptions {
    guard subtracting(.separateBySource).isEmpty else { return self }
    return union(type.aggregationStyle == .cumulative ? .cumulativeSum : .discreteAverage)
  }
}

/// Asks what the samples of a quantity amount to in intervals such as days, and again after changes.
open class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {
  /// Where an interval begins; the others follow from it.
  public let anchorDate: Date
  /// Which figures.
  public let options: HKStatisticsOptions
  /// How long an interval is.
  public let intervalComponents: DateComponents
  /// Receives the first result.
  open var initialResultsHandler:
    (@Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void)?
  /// Receives the statistics that have changed since, and all of them.
  open var statisticsUpdateHandler:
    (
      @Sendable (HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?)
        -> Void
    )?

  private let type: HKQuantityType
  private let intervals: CalendarIntervals
  private var last: [HKStatistics] = []

  /// Asks for statistics of intervals.
  ///
  /// - Parameters:
  ///   - quantityType: The type of the quantity.
  ///   - quantitySamplePredicate: What the samples must fit to.
  ///   - options: Which figures; by default a sum or an average, as the type has it.
  ///   - anchorDate: Where an interval begins, for instance the start of a day.
  ///   - intervalComponents: How long an interval is, for instance one day.
  public init(
    quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
    options: HKStatisticsOptions = [], anchorDate: Date, intervalComponents: DateComponents
  ) {
    StatisticsCalculator.check(options, quantityType)
    type = quantityType
    self.options = options
    self.anchorDate = anchorDate
    self.intervalComponents = intervalComponents
    intervals = CalendarIntervals(anchor: anchorDate, components: intervalComponents)
    super.init(quantityType, quantitySamplePredicate)
  }

  override var goesOn: Bool { statisticsUpdateHandler != nil }

  override func run(on system: HealthSystem) {
    deliver {
      let collection = try collect(system)
      last = collection.statistics()
      return collection
    } to: { [self] in
      initialResultsHandler?(self, $0, $1)
    }
  }

  override func changed(_ types: Set<HKObjectType>, on system: HealthSystem) {
    do {
      let collection = try collect(system)
      let known = Dictionary(last.map { ($0.startDate, $0) }, uniquingKeysWith: { $1 })
      let changed = collection.statistics().filter { known[$0.startDate] != $0 }
      let present = Set(collection.statistics().map(\.startDate))
      let emptied = last.filter { !present.contains($0.startDate) }
        .compactMap { collection.statistics(for: $0.startDate) }
      last = collection.statistics()
      for statistics in (changed + emptied).sorted(by: { $0.startDate < $1.startDate }) {
        deliver { [self] in statisticsUpdateHandler?(self, statistics, collection, nil) }
      }
    } catch {
      deliver { [self] in statisticsUpdateHandler?(self, nil, nil, error) }
    }
  }

  private func collect(_ system: HealthSystem) throws -> HKStatisticsCollection {
    try system.read { database in
      let requests = try system.requests([SampleRequest(type, predicate)], database)
      let input = try database.statisticsInput(type, requests, preferred: system.preferredSources)
      var statistics: [HKStatistics] = []
      if let start = input.samples.first?.start, let end = input.samples.map(\.end).max() {
        let borders = intervals.borders(
          from: Date(timeIntervalSinceReferenceDate: start),
          to: Date(timeIntervalSinceReferenceDate: end))
        statistics = StatisticsCalculator(input, options.orDefault(for: type)).intervals(borders)
      }
      return HKStatisticsCollection(
        statistics, intervals, type, isSeparate: options.contains(.separateBySource))
    }
  }
}
