// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing

/// SplitMix64: the same numbers in every run.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

private let models: [DriverModel] = [
  .pulseOximeterSpotCheck, .pulseOximeterContinuous, .thermometerProfile, .weightScaleProfile,
  .bodyCompositionProfile, .renphoESWBE28, .aAndDWeightScale, .heartRateProfile,
]

@Suite struct `Drivers of the profiles` {
  /// A trap would end the test process.
  @Test(arguments: models, [DriverContext.Purpose.read, .pair])
  func `outlive any events in any order, and ask a device for nothing after the end`(
    model: DriverModel, purpose: DriverContext.Purpose
  ) {
    let attributes = model.required + model.optional
    var generator = SeededGenerator(state: 20_261_121)
    var endCount = 0
    for _ in 0..<400 {
      var driver = model.make(DriverContext(purpose: purpose, attributes: Set(attributes)))
      var actions = driver.tell(.begun, at: 0)
      var isOver = false
      for second in 1..<90 {
        // Most often a device does what it is asked for.
        let answer = Int.random(in: 0..<8, using: &generator) > 0 ? actions.last?.answer : nil
        actions = driver.tell(answer ?? event(of: attributes, using: &generator), at: second)
        if isOver, let late = actions.compactMap(\.answer).first {
          Issue.record("\(late) was asked for after the end")
        }
        isOver = isOver || actions.contains(where: \.isEnd)
      }
      if isOver { endCount += 1 }
    }
    // A stream of random numbers never becomes a reading.
    let isStream = [.pulseOximeterContinuous, .heartRateProfile].contains(model)
    #expect(endCount > 20 || isStream && purpose == .read)
  }

  @Test(arguments: models)
  func `never ask for what must never be sent`(model: DriverModel) {
    let attributes = model.required + model.optional
    var generator = SeededGenerator(state: 7)
    var writeCount = 0
    for _ in 0..<400 {
      var driver = model.make(
        DriverContext(
          attributes: Set(attributes), secrets: [.consent: [1, 0x39, 0x30, 2, 0, 0]]))
      var pending = driver.tell(.begun, at: 0)
      for second in 1..<60 {
        for case .write(let attribute, let octets) in pending {
          writeCount += 1
          #expect(ForbiddenCommand.first(writing: octets, to: attribute) == nil)
        }
        let answer = pending.compactMap(\.answer).last
        pending = driver.tell(answer ?? event(of: attributes, using: &generator), at: second)
      }
    }
    let writes = attributes.contains {
      ["2A9F", "2A08", "2A2B", "2A52"].contains($0.characteristic)
    }
    #expect((writeCount > 0) == writes)
  }

  private func event(
    of attributes: [Attribute], using generator: inout SeededGenerator
  ) -> DriverEvent {
    guard let attribute = attributes.randomElement(using: &generator) else { return .timeReached }
    let failure = RequestFailure(code: UInt8.random(in: 0...255, using: &generator))
    let octets = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: return .readFailed(attribute, failure)
    case 1: return .writeFailed(attribute, failure)
    case 2: return .subscriptionFailed(attribute, failure)
    case 3, 4: return .subscribed(attribute)
    case 5, 6: return .written(attribute)
    case 7: return .timeReached
    case 8: return .stored
    default: return .value(attribute, octets)
    }
  }
}

extension DriverAction {
  fileprivate var isEnd: Bool {
    switch self {
    case .finish, .fail: true
    default: false
    }
  }

  /// What a device that agrees to everything answers.
  fileprivate var answer: DriverEvent? {
    switch self {
    case .read(let attribute): .readFailed(attribute, RequestFailure(code: 0x0A))
    case .write(.userControlPoint, let octets):
      .value(.userControlPoint, [0x20, octets.first ?? 0, 0x01, 0x01])
    case .write(let attribute, _): .written(attribute)
    case .subscribe(let attribute): .subscribed(attribute)
    default: nil
    }
  }
}
