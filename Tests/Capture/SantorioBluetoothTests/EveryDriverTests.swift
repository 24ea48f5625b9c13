// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import Testing
import VirtualDevices

@testable import SantorioBluetooth

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

/// A device that answers a driver with whatever comes to its mind.
private struct Chaos {
  let attributes: [Attribute]
  var generator: SeededGenerator
  /// Octets that the driver has written, which devices like to repeat.
  var written: [[UInt8]] = []

  /// An answer to what was asked, or anything else.
  mutating func event(after actions: [DriverAction]) -> DriverEvent {
    guard Int.random(in: 0..<8, using: &generator) > 1, let asked = actions.last(where: \.isRequest)
    else { return whatever }
    switch asked {
    case .read(let attribute):
      return Bool.random(using: &generator)
        ? .value(attribute, octets) : .readFailed(attribute, failure)
    case .write(let attribute, _), .writeWithoutResponse(let attribute, _):
      return Int.random(in: 0..<8, using: &generator) == 0
        ? .writeFailed(attribute, failure) : .written(attribute)
    case .subscribe(let attribute): return .subscribed(attribute)
    case .confirmStorage: return .stored
    default: return whatever
    }
  }

  private var whatever: DriverEvent {
    mutating get {
      let attribute = attributes.randomElement(using: &generator) ?? Attribute("180A", "2A25")
      return switch Int.random(in: 0..<10, using: &generator) {
      case 0..<6: .value(attribute, octets)
      case 6: .written(attribute)
      case 7: .subscribed(attribute)
      case 8: .stored
      default: .timeReached
      }
    }
  }

  private var failure: RequestFailure {
    mutating get {
      RequestFailure(
        code: [nil, 0x03, 0x06, 0x80, 0xFD, 0xFE].randomElement(using: &generator) ?? nil)
    }
  }

  /// Octets as devices send them: of some length, beginning as what was written, or of one value.
  private var octets: [UInt8] {
    mutating get {
      let count = Int.random(in: 0...24, using: &generator)
      let random = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      guard let echo = written.randomElement(using: &generator),
        Bool.random(using: &generator)
      else { return random }
      var octets = echo
      if !octets.isEmpty {
        let place = Int.random(in: 0..<octets.count, using: &generator)
        octets[place] = random.first ?? 0
      }
      return octets
    }
  }
}

extension DriverAction {
  fileprivate var isRequest: Bool {
    switch self {
    case .read, .write, .writeWithoutResponse, .subscribe, .confirmStorage: true
    default: false
    }
  }

  fileprivate var writtenOctets: (attribute: Attribute, octets: [UInt8])? {
    switch self {
    case .write(let attribute, let octets), .writeWithoutResponse(let attribute, let octets):
      (attribute, octets)
    default: nil
    }
  }

  fileprivate var isEnd: Bool {
    switch self {
    case .finish, .fail: true
    default: false
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Every driver` {
  static let all: [DriverModel] = {
    var seen: Set<String> = []
    return BluetoothPeripheral.catalogue.flatMap(\.drivers).filter { seen.insert($0.id).inserted }
  }()

  @Test func `is one of many`() {
    #expect(Self.all.count >= 25)
  }

  @Test(arguments: `Every driver`.all)
  func `sends nothing forbidden and never spins, whatever the device does`(
    model: DriverModel
  ) {
    for seed in 0..<200 {
      run(model, seed: UInt64(seed), .read)
      run(model, seed: UInt64(seed), .pair)
    }
  }

  private func run(_ model: DriverModel, seed: UInt64, _ purpose: DriverContext.Purpose) {
    var chaos = Chaos(
      attributes: model.required + model.optional, generator: SeededGenerator(state: seed))
    var context = DriverContext(purpose: purpose, attributes: Set(chaos.attributes))
    context.secrets = [.encryptionKey: Array(1...16), .applicationKey: Array(1...16)]
    context.cryptography = StandInCryptography()
    var driver = model.make(context)
    var time = DriverTime(elapsed: .zero, secondsSince1970: 1_774_785_600, utcOffsetSeconds: 7200)
    var event = DriverEvent.begun
    for _ in 0..<120 {
      let actions = driver.handle(event, at: time)
      if actions.count > 5000 {
        Issue.record("\(actions.count) actions for one event, seed \(seed)")
      }
      for action in actions {
        if let (attribute, octets) = action.writtenOctets {
          chaos.written.append(octets)
          if let forbidden = ForbiddenCommand.first(writing: octets, to: attribute) {
            Issue.record(
              "\(octets) to \(attribute.characteristic) \(forbidden.effect), seed \(seed)")
          }
        }
        // Nothing of what comes after the end is carried out, except for readings.
        if action.isEnd { return }
      }
      event = chaos.event(after: actions)
      if event == .timeReached, let deadline = driver.deadline {
        time.elapsed = max(time.elapsed, deadline)
      }
      time.elapsed += .milliseconds(10)
    }
  }
}

extension DriverModel: CustomTestStringConvertible {
  /// The name.
  package var testDescription: String { id }
}
