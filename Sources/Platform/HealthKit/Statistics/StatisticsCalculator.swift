// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Computes statistics.
///
/// A sum counts each moment once: where samples of several sources overlap, those of the preferred
/// one count, and of the others what lies beside them, in proportion to the time. A sample that
/// crosses the border of an interval is divided in the same way. Apple does not publish how the Health
/// app does it; this is a model of what it shows.
struct StatisticsCalculator {
  let input: StatisticsInput
  let options: HKStatisticsOptions

  private var isCumulative: Bool { input.type.aggregationStyle == .cumulative }

  init(_ input: StatisticsInput, _ options: HKStatisticsOptions) {
    self.input = input
    self.options = options
    Self.check(options, input.type)
  }

  /// Apple's framework raises an exception for options that a type does not have.
  static func check(_ options: HKStatisticsOptions, _ type: HKQuantityType) {
    let isCumulative = type.aggregationStyle == .cumulative
    precondition(
      isCumulative
        ? options.isDisjoint(with: [.discreteAverage, .discreteMin, .discreteMax])
        : !options.contains(.cumulativeSum),
      "\(type.identifier) is \(isCumulative ? "cumulative" : "discrete"): its statistics have no "
        + (isCumulative ? "average, minimum or maximum." : "sum."))
  }

  // MARK: - Statistics

  /// The statistics of all samples, for the time from the first start to the last end; nil without
  /// a sample.
  func whole() -> HKStatistics? {
    guard let start = input.samples.first?.start, let end = input.samples.map(\.end).max() else {
      return nil
    }
    return statistics(
      input.samples[...], start..<max(end, start.nextUp), end: end)
  }

  /// The statistics of intervals; those without a sample are left out.
  ///
  /// The borders are the starts of the intervals, ascending, and the end of the last one.
  func intervals(_ borders: [Double]) -> [HKStatistics] {
    guard borders.count > 1 else { return [] }
    var found: [[Int]] = Array(repeating: [], count: borders.count - 1)
    for (index, sample) in input.samples.enumerated() {
      var interval = max(0, Self.interval(of: sample.start, borders))
      while interval < found.count,
        borders[interval] <= sample.start || borders[interval] < sample.end
      {
        if sample.share(of: borders[interval]..<borders[interval + 1]) > 0 {
          found[interval].append(index)
        }
        interval += 1
      }
    }
    return found.indices.compactMap { interval in
      guard !found[interval].isEmpty else { return nil }
      return statistics(
        found[interval].map { input.samples[$0] }[...], borders[interval]..<borders[interval + 1],
        end: borders[interval + 1])
    }
  }

  /// The last interval that starts at or before a time; -1 before the first.
  static func interval(of time: Double, _ borders: [Double]) -> Int {
    var (low, high) = (0, borders.count)
    while low < high {
      let middle = (low + high) / 2
      if borders[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  private func statistics(
    _ samples: ArraySlice<StatisticsSample>, _ window: Range<Double>, end: Double
  ) -> HKStatistics {
    var bySource: [HKSource: HKStatistics.Figures]?
    if options.contains(.separateBySource) {
      bySource = [:]
      for (number, own) in Dictionary(grouping: samples, by: \.source) {
        guard let source = input.sources[number] else { continue }
        bySource?[source] = figures(own[...], window)
      }
    }
    return HKStatistics(
      input.type, Date(timeIntervalSinceReferenceDate: window.lowerBound),
      Date(timeIntervalSinceReferenceDate: end), figures(samples, window), bySource: bySource)
  }

  // MARK: - Figures

  private func figures(
    _ samples: ArraySlice<StatisticsSample>, _ window: Range<Double>
  ) -> HKStatistics.Figures {
    var figures = HKStatistics.Figures()
    func quantity(_ value: Double?) -> HKQuantity? {
      value.map { HKQuantity(unit: input.type.canonicalUnit, doubleValue: $0) }
    }
    if options.contains(.cumulativeSum) { figures.sum = quantity(sum(samples, window)) }
    if options.contains(.discreteAverage) { figures.average = quantity(average(samples, window)) }
    if options.contains(.discreteMin) {
      figures.minimum = quantity(samples.map(\.minimum).min())
    }
    if options.contains(.discreteMax) {
      figures.maximum = quantity(samples.map(\.maximum).max())
    }
    if options.contains(.mostRecent),
      let latest = samples.max(by: { ($0.end, $0.start) < ($1.end, $1.start) })
    {
      figures.mostRecent = quantity(latest.latest)
      figures.mostRecentInterval = DateInterval(
        start: Date(timeIntervalSinceReferenceDate: latest.start),
        end: Date(timeIntervalSinceReferenceDate: latest.end))
    }
    if options.contains(.duration) {
      var covered = TimeCover()
      for sample in samples { covered.add(clipped(sample, window)) }
      figures.duration = HKQuantity(unit: .second(), doubleValue: covered.length)
    }
    return figures
  }

  private func clipped(_ sample: StatisticsSample, _ window: Range<Double>) -> Range<Double> {
    let start = min(max(sample.start, window.lowerBound), window.upperBound)
    return start..<max(start, min(sample.end, window.upperBound))
  }

  private func sum(
    _ samples: ArraySlice<StatisticsSample>, _ window: Range<Double>
  ) -> Double {
    let groups = Dictionary(grouping: samples, by: \.source)
    var sum = 0.0
    var covered = TimeCover()
    for source in input.priority {
      guard let own = groups[source] else { continue }
      for sample in own {
        let share = sample.share(of: window)
        if sample.end > sample.start {
          let time = clipped(sample, window)
          let free = time.upperBound - time.lowerBound - covered.overlap(time)
          sum += sample.value * free / (sample.end - sample.start)
        } else {
          sum += sample.value * share
        }
      }
      for sample in own { covered.add(clipped(sample, window)) }
    }
    return sum
  }

  private func average(
    _ samples: ArraySlice<StatisticsSample>, _ window: Range<Double>
  ) -> Double? {
    var (total, weights) = (0.0, 0.0)
    for sample in samples {
      let time = clipped(sample, window)
      let duration = max(1, time.upperBound - time.lowerBound)
      let weight: Double
      var value = sample.value
      switch input.type.aggregationStyle {
      case .discreteTemporallyWeighted: weight = duration
      case .discreteEquivalentContinuousLevel:
        weight = duration
        value = pow(10, value / 10)
      default: weight = Double(sample.count)
      }
      total += value * weight
      weights += weight
    }
    guard weights > 0 else { return nil }
    let average = total / weights
    return input.type.aggregationStyle == .discreteEquivalentContinuousLevel
      ? 10 * log10(average) : average
  }
}

/// Times that are covered by something, each moment once.
struct TimeCover {
  /// Apart from each other and ascending.
  private(set) var times: [Range<Double>] = []

  /// How long they are together.
  var length: Double { times.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

  /// The first of the times that ends after a moment.
  private func first(endingAfter moment: Double) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle].upperBound <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// How much of a time is covered.
  func overlap(_ time: Range<Double>) -> Double {
    var overlap = 0.0
    var index = first(endingAfter: time.lowerBound)
    while index < times.count, times[index].lowerBound < time.upperBound {
      overlap +=
        min(times[index].upperBound, time.upperBound)
        - max(times[index].lowerBound, time.lowerBound)
      index += 1
    }
    return overlap
  }

  /// Covers a time.
  mutating func add(_ time: Range<Double>) {
    guard !time.isEmpty else { return }
    let begin = first(endingAfter: time.lowerBound.nextDown)
    var (end, joined) = (begin, time)
    while end < times.count, times[end].lowerBound <= time.upperBound {
      joined =
        min(
          joined.lowerBound, times[end].lowerBound)..<max(
          joined.upperBound, times[end].upperBound)
      end += 1
    }
    times.replaceSubrange(begin..<end, with: [joined])
  }
}
