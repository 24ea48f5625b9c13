// SPDX-License-Identifier: Apache-2.0

/// When frames agree.
public struct ConvergenceRules: Hashable, Sendable {
  /// How many frames have to say the same.
  public var leastFrames = 4
  /// How far apart the first and the last of them are at least: a display that changes shows two values
  /// over each other for up to a fifth of a second.
  public var leastTime = Duration.milliseconds(350)
  /// The same where the unit is not known: it may be read yet.
  public var leastTimeWithoutUnit = Duration.milliseconds(800)
  /// Older frames count no more.
  public var window = Duration.milliseconds(2500)
  /// From which mean confidence on frames that say the same are believed.
  public var leastConfidence = 0.75
  /// How much of all votes the others may have at most.
  public var mostDissent = 0.2

  /// Rules with the usual numbers.
  public init() {}

  /// The rules for a layout: a scale settles, so its value has to stay for 0.8 s.
  public static func usual(for layout: DisplayLayout) -> ConvergenceRules {
    var rules = ConvergenceRules()
    if layout.settles { rules.leastTime = .milliseconds(800) }
    return rules
  }
}

/// Values on which frames agree.
public struct FinalReading: Hashable, Sendable {
  /// The values in the layout's order, placed as in the last of the frames.
  public let values: [DisplayReading.Value]
  /// The mean confidence of the frames that say so, and how many say so of all that say something.
  public let confidence: Double
  /// How many frames say so.
  public let frames: Int
}

/// The votes of frames.
struct Convergence {
  let layout: DisplayLayout
  let rules: ConvergenceRules
  private(set) var final: FinalReading?
  private var votes: [Vote] = []

  private struct Vote {
    let time: Duration
    let texts: [String]
    let unit: DisplayUnit?
    let confidence: Double
    let values: [DisplayReading.Value]
  }

  init(_ layout: DisplayLayout, _ rules: ConvergenceRules) {
    (self.layout, self.rules) = (layout, rules)
  }

  /// Counts what a frame says: nothing, unless it shows all values and none that cannot be.
  mutating func add(_ reading: DisplayReading, at time: Duration) {
    guard final == nil else { return }
    votes.removeAll { time - $0.time > rules.window || $0.time > time }
    guard !reading.values.isEmpty, reading.doubt == nil || reading.doubt == .unclear,
      reading.confidence > Self.leastVote
    else { return }
    votes.append(
      Vote(
        time: time, texts: reading.values.map(\.text), unit: reading.values[0].unit,
        confidence: reading.confidence,
        values: reading.values))
    final = agreement()
  }

  /// Less sure frames say nothing.
  private static let leastVote = 0.35

  /// What the frames agree on, if they do.
  private func agreement() -> FinalReading? {
    guard let last = votes.last else { return nil }
    let units = votes.filter { $0.texts == last.texts }.compactMap(\.unit)
    // One frame may be mistaken, and two units are none.
    guard Set(units).count < 2 else { return nil }
    let unit = units.count > 1 ? units[0] : nil
    let same = votes.filter { $0.texts == last.texts }
    // Only frames in which nothing else was seen in between say that the value stays.
    let steady = votes.reversed().prefix {
      $0.texts == last.texts || !contradicts($0, same)
    }
    let isUnitKnown = unit != nil || layout.units.count < 2
    let leastTime = isUnitKnown ? rules.leastTime : max(rules.leastTime, rules.leastTimeWithoutUnit)
    guard let first = steady.last, last.time - first.time >= leastTime,
      same.count >= rules.leastFrames
    else { return nil }
    let all = votes.reduce(0) { $0 + $1.confidence }
    let own = same.reduce(0) { $0 + $1.confidence }
    let mean = own / Double(same.count)
    guard own >= (1 - rules.mostDissent) * all, mean >= rules.leastConfidence else { return nil }
    return FinalReading(
      values: last.values.map { $0.with(unit: unit) }, confidence: mean * own / all,
      frames: same.count)
  }

  /// Whether another vote is as sure as those of the value are: that is no slip, but another value.
  private func contradicts(_ vote: Vote, _ same: [Vote]) -> Bool {
    let mean = same.reduce(0) { $0 + $1.confidence } / Double(max(same.count, 1))
    return vote.confidence >= 0.85 * mean
  }

  /// The values as far as the votes agree: of each place the character with most votes, or `·`.
  func partial() -> [String] {
    if let final { return final.values.map(\.text) }
    return layout.fields.indices.map { field in
      let texts = votes.compactMap { vote in
        field < vote.texts.count ? (Array(vote.texts[field]), vote.confidence) : nil
      }
      return Self.agreement(texts)
    }
  }

  private static func agreement(_ texts: [([Character], Double)]) -> String {
    var lengths: [Int: Double] = [:]
    for (text, weight) in texts { lengths[text.count, default: 0] += weight }
    guard let length = lengths.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
      return ""
    }
    let fitting = texts.filter { $0.0.count == length }
    return String(
      (0..<length).map { place in
        var weights: [Character: Double] = [:]
        for (text, weight) in fitting { weights[text[place], default: 0] += weight }
        let all = weights.values.reduce(0, +)
        let best = weights.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let best, fitting.count >= 2, best.value >= 0.75 * all else { return "·" }
        return best.key
      })
  }
}
