// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

/// The second of the reading, and its saturation and pulse rate; nil when there was none.
private struct Outcome: Equatable {
  let second: Int
  let saturation: Double
  let pulseRate: Double
}

/// A live measurement drawn as text: a saturation a second, `-` for a second without a finger, `.`
/// for a second in which nothing came.
private func outcome(
  of diagram: String, pulse: [Int: Int] = [:], rule: StableValue<OximetrySample>.Rule = .init()
) -> Outcome? {
  var stable = StableValue<OximetrySample>(rule: rule)
  for (second, word) in diagram.split(separator: " ").enumerated() where word != "." {
    let sample = OximetrySample(saturation: Int(word), pulseRate: pulse[second] ?? 72)
    if let reading = stable.received(sample, at: .seconds(second)) {
      return Outcome(
        second: second, saturation: reading.saturation, pulseRate: reading.pulseRate)
    }
  }
  return nil
}

@Suite struct `Stable value` {
  @Test func `is the sample after five seconds without a change`() {
    #expect(
      outcome(of: "97 97 97 97 97 97 97")
        == Outcome(second: 5, saturation: 97, pulseRate: 72))
  }

  @Test func `does not come before the five seconds are over`() {
    #expect(outcome(of: "97 97 97 97 97") == nil)
  }

  @Test func `lets the last digit flicker`() {
    #expect(
      outcome(of: "96 97 96 97 96 97") == Outcome(second: 5, saturation: 97, pulseRate: 72))
  }

  @Test func `does not take a slow drift for a steady value`() {
    #expect(outcome(of: "90 91 92 93 94 95 96 97 98 99") == nil)
  }

  @Test func `waits again from the last sample that was different`() {
    #expect(
      outcome(of: "88 95 95 95 91 95 95 95 95 95 95")
        == Outcome(second: 10, saturation: 95, pulseRate: 72))
  }

  @Test func `waits again when the finger was out`() {
    #expect(
      outcome(of: "97 97 97 97 - 97 97 97 97 97 97")
        == Outcome(second: 10, saturation: 97, pulseRate: 72))
  }

  @Test func `waits again after a silence of more than three seconds`() {
    #expect(
      outcome(of: "97 97 . . . 97 97 97 97 97 97")
        == Outcome(second: 10, saturation: 97, pulseRate: 72))
    #expect(
      outcome(of: "97 97 . . 97 97") == Outcome(second: 5, saturation: 97, pulseRate: 72))
  }

  @Test func `waits for the pulse rate, too`() {
    #expect(
      outcome(of: "97 97 97 97 97 97 97 97 97", pulse: [0: 140, 1: 110, 2: 90])
        == Outcome(second: 8, saturation: 97, pulseRate: 72))
  }

  @Test func `comes once`() {
    var stable = StableValue<OximetrySample>()
    let sample = OximetrySample(saturation: 97, pulseRate: 72)
    let readings = (0..<60).compactMap { stable.received(sample, at: .seconds($0)) }

    #expect(readings.count == 1)
    #expect(stable.isFinished)
  }

  @Test func `of a device that sends a hundred samples a second comes after five seconds`() {
    var stable = StableValue<OximetrySample>()
    let sample = OximetrySample(saturation: 97, pulseRate: 72)
    let first = (0..<1000).first { stable.received(sample, at: .milliseconds(10 * $0)) != nil }

    #expect(first == 500)
  }

  @Test func `holds for as long as its rule says`() {
    #expect(
      outcome(of: "97 97 97", rule: .init(holdTime: .seconds(2)))
        == Outcome(second: 2, saturation: 97, pulseRate: 72))
  }
}

@Suite struct `Oximetry sample` {
  @Test(arguments: [
    (0, 72), (101, 72), (127, 72), (255, 72), (97, 0), (97, 511), (-1, 72), (97, -1),
  ])
  func `is refused where no finger has such values`(saturation: Int, pulseRate: Int) {
    #expect(OximetrySample(saturation: saturation, pulseRate: pulseRate) == nil)
  }

  @Test func `is refused without a saturation or a pulse rate`() {
    #expect(OximetrySample(saturation: nil as Int?, pulseRate: 72) == nil)
    #expect(OximetrySample(saturation: 97, pulseRate: nil as Int?) == nil)
    #expect(OximetrySample(saturation: Double.nan, pulseRate: 72.0) == nil)
  }

  @Test func `keeps the extremes`() {
    #expect(OximetrySample(saturation: 100, pulseRate: 300)?.saturation == 100)
    #expect(OximetrySample(saturation: 1, pulseRate: 1)?.pulseRate == 1)
  }
}
