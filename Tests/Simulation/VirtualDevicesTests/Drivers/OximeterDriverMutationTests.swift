// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing
import VirtualDevices

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

extension DriverModel: CustomTestStringConvertible {
  /// The name in the table.
  public var testDescription: String { id }
}

extension [UInt8] {
  /// The same with a few octets changed, or with none.
  fileprivate func damaged(using generator: inout SeededGenerator) -> [UInt8] {
    var octets = self
    for _ in 0..<Int.random(in: 0...3, using: &generator) where !octets.isEmpty {
      octets[Int.random(in: 0..<octets.count, using: &generator)] = .random(
        in: 0...255, using: &generator)
    }
    return octets
  }
}

@Suite struct `Drivers of oximeters` {
  private static let live: [[UInt8]] = [
    NoninOximetry(status: [.sensorIsCorrect], saturation: 97, pulseRate: 60).payload,
    PC60Frame(function: 1, octets: [97, 60, 0, 12, 0, 0]).payload,
    JumperOximetry(saturation: 97, pulseRate: 60).payload,
    BerryPacket(saturation: 97, pulseRate: 60).payload,
    ChoiceMMedOximetry(saturation: 97, pulseRate: 60).payload,
    JKS50FFrame(saturation: 97, pulseRate: 60).payload,
    FS20FOximetry(saturation: 97, pulseRate: 60).payload,
    [0xE9, 0, 26, 3, 1, 7, 30, 0, 26, 3, 1, 7, 30, 15, 0, 0, 0, 98, 95, 97, 78, 68, 72, 0],
  ]

  private static let viatom: [[UInt8]] = {
    let contents: [[UInt8]] = [
      [], Array("{\"FileList\":\"20260101000000\"}".utf8), [8, 0, 0, 0],
      [3, 0, 0, 0, 0, 0, 0, 0],
      ViatomWaveReading(saturation: 97, pulseRate: 60, isWorn: true).payload,
    ]
    return contents.map { ViatomFrame(replyWithStatus: 0, data: $0).payload }
      + [ViatomFrame(replyWithStatus: 1).payload]
  }()

  private static let oxyII: [[UInt8]] = {
    let commands: [UInt8] = [0x10, 0xC0, 0x00, 0xF4, 0xE1, 0xF1, 0xF2, 0xF3, 0x04]
    return commands.compactMap { command in
      let list: [UInt8] = [1] + Array("2026010100000000".utf8)
      let content: [UInt8] =
        switch command {
        case 0xF1: list
        case 0xE1, 0x04: [UInt8](repeating: 0, count: 60)
        default: [4, 0, 0, 0]
        }
      return try? LepuFrame(command: command, direction: 1, content: content).payload
    }
  }()

  private static let seeds = live + viatom + oxyII

  /// Some 200 000 events; a trap would end the test process.
  @Test(arguments: [
    DriverModel.nonin, .pc60, .jumperOximeter, .berry, .choiceMMedOximeter, .jks50f, .fs20f, .po60,
    .viatomRing, .oxyIIRing,
  ])
  func `bear any event at any time, and are silent after their end`(model: DriverModel) {
    var generator = SeededGenerator(state: 20_261_121)
    let attributes = model.required + model.optional.filter { !DeviceFact.attributes.contains($0) }
    var ends = 0
    for session in 0..<200 {
      var driver = model.make(
        DriverContext(
          purpose: session % 5 == 0 ? .pair : .read, attributes: Set(attributes)))
      var time = DriverBench.noon
      var answers: [DriverEvent] = [.begun]
      var isOver = false
      for _ in 0..<100 {
        time.elapsed += .milliseconds(Int.random(in: 0...700, using: &generator))
        let isAnswered = !answers.isEmpty && Int.random(in: 0..<4, using: &generator) > 0
        let event =
          isAnswered ? answers.removeFirst() : event(of: attributes, using: &generator)
        let actions = driver.handle(event, at: time)
        #expect(actions.count < 300)
        if isOver { #expect(actions.isEmpty) }
        answers += actions.compactMap(\.answer)
        isOver = isOver || actions.last?.isEnd == true
      }
      ends += isOver ? 1 : 0
    }
    #expect(ends > 20)
  }

  private func event(
    of attributes: [Attribute], using generator: inout SeededGenerator
  ) -> DriverEvent {
    let attribute = attributes[Int.random(in: 0..<attributes.count, using: &generator)]
    let refusal = RequestFailure(code: 0x0E)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: return .written(attribute)
    case 1: return .writeFailed(attribute, refusal)
    case 2: return .readFailed(attribute, refusal)
    case 3: return .subscribed(attribute)
    case 4: return .stored
    case 5: return .timeReached
    case 6: return .begun
    case 7: return .subscriptionFailed(attribute, refusal)
    default:
      let seed = Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &generator)]
      return .value(attribute, seed.damaged(using: &generator))
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

  /// What a device says that grants every request.
  fileprivate var answer: DriverEvent? {
    switch self {
    case .subscribe(let attribute): .subscribed(attribute)
    case .write(let attribute, _), .writeWithoutResponse(let attribute, _): .written(attribute)
    case .confirmStorage: .stored
    default: nil
    }
  }
}
