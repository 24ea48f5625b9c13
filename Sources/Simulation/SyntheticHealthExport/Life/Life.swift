// SPDX-License-Identifier: Apache-2.0

/// A made-up life: what happened on each day, as a function of the seed and the day.
struct Life {
  typealias Version = SyntheticHealthExport.Options.DocumentVersion

  let timeline: Timeline
  let seed: UInt64
  let units: UnitNames
  let version: Version
  /// How frequent the watch's records are, in thousandths.
  let density: Int
  let hasControlCharacter: Bool

  init(_ options: SyntheticHealthExport.Options, _ timeline: Timeline, density: Int) {
    self.timeline = timeline
    self.density = density
    seed = options.seed
    units = UnitNames(american: options.units == .american)
    version = options.version
    hasControlCharacter = options.faults.controlCharacter
  }

  func random(_ purpose: SeededRandom.Purpose, _ day: Int) -> SeededRandom {
    SeededRandom(seed, purpose, day)
  }

  /// The third of the history that a day belongs to, 0...2: versions of software change with it.
  func era(_ day: Int) -> Int {
    min(2, max(0, (day - timeline.first) * 3 / timeline.days.count))
  }

  /// A time between two records, for the density of the export.
  func pause(_ random: inout SeededRandom, _ range: ClosedRange<Int>) -> Int {
    random.number(range) * 1000 / density
  }

  /// The hours in which something may happen, none on some days of travel.
  ///
  /// They begin 20 minutes after one rose, and end at the earliest time of going to bed.
  func active(_ day: Int) -> Range<Int> {
    let begin = night(day).rise + 1200
    return begin..<max(begin, timeline.end(day) - 10_200)
  }

  // MARK: - The watch

  func isWatchWorn(_ day: Int) -> Bool {
    var random = random(.wear, day)
    return !random.chance(4)
  }

  /// How long after midnight the watch's records of a day begin, in seconds: one of the day before
  /// lasts until then.
  private func seam(_ day: Int) -> Int {
    var random = random(.seam, day)
    return random.number(0...110)
  }

  /// When the watch was worn, without the time of charging; the last interval ends a little after
  /// midnight.
  func worn(_ day: Int) -> [Range<Int>] {
    guard isWatchWorn(day) else { return [] }
    var random = random(.wear, day)
    _ = random.next()
    var off: [Range<Int>] = []
    let (last, next) = (night(day), night(day + 1))
    if !last.isWatchWorn { off.append(last.bed - 300..<last.rise + 600) }
    if random.chance(60) {
      let begin = timeline.instant(day, random.number(18 * 3600...20 * 3600))
      off.append(begin..<begin + random.number(1800...4200))
    }
    if !next.isWatchWorn { off.append(next.bed - 300..<next.rise + 600) }
    var from = timeline.start(day) + seam(day)
    let until = timeline.end(day) + seam(day + 1)
    var pieces: [Range<Int>] = []
    for gap in off {
      if gap.lowerBound > from { pieces.append(from..<min(gap.lowerBound, until)) }
      from = max(from, min(gap.upperBound, until))
    }
    pieces.append(from..<until)
    return pieces.filter { $0.count >= 600 }
  }

  /// Splits an interval of the watch into samples.
  func samples(
    of interval: Range<Int>, _ random: inout SeededRandom, _ lengths: ClosedRange<Int>
  ) -> [Range<Int>] {
    var (samples, time) = ([Range<Int>](), interval.lowerBound)
    while time < interval.upperBound {
      let end = min(interval.upperBound, time + pause(&random, lengths))
      samples.append(time..<end)
      time = end
    }
    return samples
  }
}
