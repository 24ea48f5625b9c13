// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import HealthKit

/// A time of sleep as one source knows it.
struct SleepSession {
  /// What was known at one time: the more exact knowledge wins.
  private(set) var deep = IntervalSet()
  private(set) var rem = IntervalSet()
  private(set) var light = IntervalSet()
  private(set) var awake = IntervalSet()
  /// Asleep, in which stage is not known.
  private(set) var unstaged = IntervalSet()
  /// In bed, whatever the person did there; nothing but this may come from another source.
  var inBed = IntervalSet()
  /// From the first sample to the end of the last one.
  let span: DateInterval
  let samples: [HKCategorySample]
  private let hasAwake: Bool

  /// - Parameters:
  ///   - span: The time of the session.
  ///   - samples: The samples of one source that touch it, at least one.
  init(_ span: DateInterval, _ samples: [HKCategorySample]) {
    self.span = span
    self.samples = samples
    func times(_ value: HKCategoryValueSleepAnalysis) -> IntervalSet {
      IntervalSet(samples.filter { $0.value == value.rawValue }.map(\.interval))
    }
    let (awakeTimes, asleep) = (times(.awake), times(.asleepUnspecified))
    deep = times(.asleepDeep)
    rem = times(.asleepREM).subtracting(deep)
    light = times(.asleepCore).subtracting(deep.union(rem))
    let staged = deep.union(rem).union(light)
    awake = awakeTimes.subtracting(staged)
    unstaged = asleep.subtracting(staged.union(awake))
    inBed = times(.inBed)
    hasAwake = !awakeTimes.isEmpty
  }

  /// The sessions of one source's samples: what lies closer together than the gap is one.
  static func sessions(
    of samples: [HKCategorySample], joining gap: TimeInterval
  ) -> [SleepSession] {
    let spans = IntervalSet(samples.map(\.interval), joining: gap).intervals
    return spans.map { span in
      SleepSession(
        span, samples.filter { $0.startDate >= span.start && $0.endDate <= span.end })
    }
  }

  var hasStages: Bool { !(deep.isEmpty && rem.isEmpty && light.isEmpty) }
  var asleep: IntervalSet { deep.union(rem).union(light).union(unstaged) }
  var isOfWatch: Bool {
    samples.contains { $0.sourceRevision.productType?.hasPrefix("Watch") ?? false }
  }
  var bundleIdentifier: String { samples[0].sourceRevision.source.bundleIdentifier }

  /// When the person woke up for good; the end where nobody knows whether there was sleep.
  var wakeUp: Date { asleep.end ?? span.end }

  /// Whether the session says more than another one of the same time.
  func isPreferred(to other: SleepSession) -> Bool {
    let (own, others) = (rank, other.rank)
    return own == others ? bundleIdentifier < other.bundleIdentifier : own > others
  }

  private var rank: (Int, Int, Double) {
    (
      hasStages ? 2 : asleep.isEmpty ? 0 : 1, isOfWatch ? 1 : 0,
      asleep.duration + span.duration / 1e6
    )
  }

  /// The metrics in whole seconds; what the source did not watch is none.
  func metrics(_ origin: Metric.Origin) -> [Metric] {
    var values: [(MetricType, Double)] = []
    let asleep = asleep
    if !asleep.isEmpty { values.append((.sleepDuration, asleep.duration)) }
    if hasStages {
      values += [
        (.deepSleep, deep.duration), (.lightSleep, light.duration), (.remSleep, rem.duration),
      ]
    }
    if hasStages || hasAwake {
      values.append((.awakeDuration, awake.duration))
      values.append((.awakeCount, Double(awakenings)))
    }
    if !inBed.isEmpty { values.append((.inBedDuration, inBed.duration)) }
    if let bed = inBed.start, let sleep = asleep.start, bed <= sleep {
      values.append((.timeToFallAsleep, sleep.timeIntervalSince(bed)))
    }
    return values.map { Metric($0, $1.rounded(), origin: origin) }
  }

  /// How often the person was awake between falling asleep and waking up for good.
  private var awakenings: Int {
    guard let start = asleep.start, let end = asleep.end else { return 0 }
    return awake.intervals.filter { $0.start > start && $0.end < end }.count
  }
}

extension HKSample {
  var interval: DateInterval { DateInterval(start: startDate, end: endDate) }
}
