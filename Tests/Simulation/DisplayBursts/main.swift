// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SyntheticDisplays

// Reads bursts of rendered frames, and says how often the frames agree on what the display shows, how much
// time a frame takes, and how much memory many of them.
//
//   usage: DisplayBursts COUNT [easy|medium|hard] [--frames N] [--verbose]
//
// The exit status is 1 where a figure is out of its bounds: see Bounds.

/// What is checked.
///
/// Displays whose values cannot be told apart in a frame are left out. The seeds are fixed, so that the
/// shares are the same in each run.
enum Bounds {
  /// What was reached with the weights of today; the goal is 0.97.
  static let leastExact = 0.75
  static let mostWrong = 0.003
  /// Milliseconds of CPU time for a frame of 1280 × 720 in which the display is looked for, and followed.
  ///
  /// The goals are 25 and 8 on a machine that does nothing else; a busy one takes up to half as much more.
  static let search = 37.0
  static let follow = 12.0
  /// Mebibytes that the resident memory may grow over all frames of the second half.
  static let growth = 4.0
}

struct Bursts {
  var count = 0
  var exact = 0
  var wrong = 0
  var (searches, searchTime) = (0, 0.0)
  var (follows, followTime) = (0, 0.0)

  /// Reads fifteen frames, twelve a second, and compares what they agree on with what was drawn.
  mutating func add(
    _ frames: [Scene], _ layout: DisplayLayout, _ reader: FrameReader, isVerbose: Bool
  ) {
    let truth = frames[0].rows.filter { $0.kind == .value }.map { usual($0.text) }
    let isLegible = frames.allSatisfy { frame in
      frame.rows.allSatisfy { $0.kind != .value || $0.isLegible }
    }
    guard isLegible, truth.allSatisfy({ canBeShown($0, layout) }) else { return }
    count += 1
    reader.restart()
    var last: FrameResult?
    var doubts: [String] = []
    for (index, frame) in frames.enumerated() where last?.final == nil {
      let result = timed { reader.read(frame.image, at: .milliseconds(index * 83)) }
      doubts.append(result.reading.doubt?.rawValue ?? "-")
      last = result
    }
    let texts = last?.final?.values.map(\.text)
    if texts == truth { exact += 1 } else if texts != nil { wrong += 1 }
    if isVerbose, texts != truth {
      let seen = last?.reading.rows.map { "\($0.text) \(Int($0.confidence * 100))" } ?? []
      print(layout.name, truth, texts ?? [], last?.partial ?? [], seen, doubts)
    }
  }

  mutating func timed(_ read: () -> FrameResult) -> FrameResult {
    let start = cpuMilliseconds()
    let result = read()
    let time = cpuMilliseconds() - start
    if result.isFollowing {
      (follows, followTime) = (follows + 1, followTime + time)
    } else {
      (searches, searchTime) = (searches + 1, searchTime + time)
    }
    return result
  }

  /// Whether a display of the kind shows such a value: no scale shows 1153.
  private func canBeShown(_ text: String, _ layout: DisplayLayout) -> Bool {
    guard let number = Double(text) else {
      return layout.fields[0].hasBeyond && ["HI", "LO"].contains(text)
    }
    return layout.fields.contains { $0.range.contains(number) }
  }

  private func usual(_ text: String) -> String {
    ["Hi": "HI", "H": "HI", "Lo": "LO", "L": "LO"][text] ?? text
  }
}

func cpuMilliseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

/// The resident memory in mebibytes.
func residentMemory() -> Double {
  let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
    .split(separator: " ").dropFirst().first.flatMap { Double($0) }
  return (pages ?? 0) * 4096 / 1_048_576
}

let layouts: [(Scene.Layout, DisplayLayout)] = [
  (.glucose, .glucose), (.bloodPressure, .bloodPressure), (.thermometer, .thermometer),
  (.oximeter, .oximeter), (.scale, .scale),
]
let arguments = CommandLine.arguments.dropFirst()
let wanted = arguments.first.flatMap { Int($0) } ?? 100
let difficulty = arguments.compactMap { SceneDifficulty(rawValue: $0) }.first ?? .medium
let isVerbose = arguments.contains("--verbose")
let frameCount =
  arguments.firstIndex(of: "--frames").flatMap { arguments[($0 + 1)...].first }.flatMap { Int($0) }
  ?? 0
var hasFailed = false

@MainActor func check(_ isRight: Bool, _ text: String) {
  print(isRight ? "ok    " : "FAILED", text)
  if !isRight { hasFailed = true }
}

var all = Bursts()
for (kind, layout) in layouts {
  let reader = try FrameReader(layout)
  var bursts = Bursts()
  var seed: UInt64 = 1
  while bursts.count < max(1, wanted / layouts.count) {
    var generator = SceneGenerator(seed: seed &* 7919 &+ 12345)
    seed += 1
    let frames = try generator.burst(
      15, width: 640, height: 480, difficulty: difficulty, layout: kind)
    bursts.add(frames, layout, reader, isVerbose: isVerbose)
  }
  print("\(layout.name): \(bursts.exact) exact and \(bursts.wrong) wrong of \(bursts.count)")
  all.count += bursts.count
  all.exact += bursts.exact
  all.wrong += bursts.wrong
}
let (exact, wrong) = (Double(all.exact) / Double(all.count), Double(all.wrong) / Double(all.count))
check(exact >= Bounds.leastExact, "exact \(exact), at least \(Bounds.leastExact)")
check(wrong <= Bounds.mostWrong, "wrong \(wrong), at most \(Bounds.mostWrong)")

// Frames of 1280 × 720: a display that comes and goes, so that it is looked for and followed.
if frameCount > 0 {
  var generator = SceneGenerator(seed: 3)
  let scenes = try generator.burst(
    15, width: 1280, height: 720, difficulty: .easy, layout: .bloodPressure)
  let reader = try FrameReader(.bloodPressure)
  var (bursts, half) = (Bursts(), 0.0)
  for index in 0..<frameCount {
    if index % 30 == 0 { reader.restart() }
    if index == frameCount / 2 { half = residentMemory() }
    let image = scenes[index % scenes.count].image
    _ = bursts.timed { reader.read(image, at: .milliseconds(index * 33)) }
  }
  let (search, follow) = (
    bursts.searchTime / Double(max(bursts.searches, 1)),
    bursts.followTime / Double(max(bursts.follows, 1))
  )
  check(
    search <= Bounds.search, "looking for a display takes \(search) ms, \(bursts.searches) frames")
  check(follow <= Bounds.follow, "following it takes \(follow) ms, \(bursts.follows) frames")
  let growth = residentMemory() - half
  check(
    growth <= Bounds.growth, "memory grew by \(growth) MiB in the last \(frameCount / 2) frames")
}
exit(hasFailed ? 1 : 0)
