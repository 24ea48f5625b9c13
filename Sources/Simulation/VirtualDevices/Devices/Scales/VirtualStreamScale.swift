// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A scale that sends weights while a user stands on it, after the central has written the expected
/// commands.
package struct VirtualStreamScale: VirtualDeviceLogic {
  /// One weighing.
  package struct Weighing: Hashable, Sendable {
    /// Kilograms.
    package var weight: Double
    /// Ω.
    package var impedance: UInt16
  }

  /// A command that the central must write, and the scale's answers to it.
  package struct Exchange: Sendable {
    package let attribute: GATTAttribute
    package let isRight: @Sendable ([UInt8]) -> Bool
    package let answers: [[UInt8]]

    package init(
      _ attribute: GATTAttribute, answers: [[UInt8]] = [],
      isRight: @escaping @Sendable ([UInt8]) -> Bool
    ) {
      self.attribute = attribute
      self.isRight = isRight
      self.answers = answers
    }

    /// Exactly these bytes.
    package init(_ attribute: GATTAttribute, _ bytes: [UInt8]) {
      self.init(attribute) { $0 == bytes }
    }
  }

  /// What distinguishes one model from another.
  package struct Model: Sendable {
    package var services: [VirtualService]
    /// The characteristics that must be subscribed to first.
    package var sources: [GATTAttribute]
    /// The scale's first notification, if any.
    package var greeting: [UInt8]?
    /// The commands that it expects then, in this order.
    package var dialogue: [Exchange] = []
    /// The notifications of a weighing, one every half second.
    package var frames: @Sendable (Weighing) -> [(source: GATTAttribute, bytes: [UInt8])]
    /// Whether it accepts a write after the dialogue.
    package var isExpected: @Sendable ([UInt8]) -> Bool = { _ in false }
  }

  private let model: Model
  private var waiting: [Weighing]
  private var subscriptions: Set<GATTAttribute> = []
  private var dialogue: ArraySlice<Exchange> = []
  private var frames: ArraySlice<(source: GATTAttribute, bytes: [UInt8])> = []
  package private(set) var deadline: Duration?

  package init(_ weighings: [Weighing], _ model: Model) {
    waiting = weighings
    self.model = model
  }

  package var services: [VirtualService] { model.services }

  package var isAdvertising: Bool { !waiting.isEmpty }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      waiting.append(
        Weighing(weight: 61.2 + Double(number % 40) / 2, impedance: UInt16(480 + number % 90)))
      stepOn(at: time)
      return []
    case .subscribed(let attribute): return subscribed(attribute, at: time)
    case .unsubscribed(let attribute):
      subscriptions.remove(attribute)
      return []
    case .written(let attribute, let bytes): return written(attribute, bytes, at: time)
    case .timeReached: return proceed(at: time)
    case .disconnected:
      (subscriptions, frames, deadline) = ([], [], nil)
      return []
    case .read: return [.refuse(0x06)]
    case .remember, .pairingMode: return []
    }
  }

  private var isOpen: Bool { subscriptions.isSuperset(of: model.sources) && dialogue.isEmpty }

  private mutating func subscribed(
    _ attribute: GATTAttribute, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard model.sources.contains(attribute) else { return [] }
    subscriptions.insert(attribute)
    guard subscriptions.isSuperset(of: model.sources) else { return [] }
    dialogue = model.dialogue[...]
    stepOn(at: time)
    let greeting = model.greeting.map { [VirtualDeviceOutput.send(model.sources[0], $0)] } ?? []
    return [.report(.subscribed)] + greeting
  }

  private mutating func written(
    _ attribute: GATTAttribute, _ bytes: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard let next = dialogue.first else {
      return [model.isExpected(bytes) ? .accept : .refuse(0x80)]
    }
    guard subscriptions.isSuperset(of: model.sources), next.attribute == attribute,
      next.isRight(bytes)
    else { return [.refuse(0x80)] }
    dialogue.removeFirst()
    stepOn(at: time)
    return [.accept] + next.answers.map { .send(model.sources[0], $0) }
  }

  private mutating func stepOn(at time: DriverTime) {
    guard isOpen, deadline == nil, let weighing = waiting.first else { return }
    frames = model.frames(weighing)[...]
    deadline = time.elapsed + .milliseconds(500)
  }

  private mutating func proceed(at time: DriverTime) -> [VirtualDeviceOutput] {
    guard let deadline, time.elapsed >= deadline else { return [] }
    guard let frame = frames.popFirst() else {
      self.deadline = nil
      waiting.removeFirst()
      stepOn(at: time)
      return [.report(.transferred(measurements: 1))]
    }
    self.deadline = time.elapsed + .milliseconds(500)
    return [.send(frame.source, frame.bytes)]
  }
}

extension VirtualStreamScale.Weighing {
  /// Tenths of a kilogram; a little less at first.
  func tenths(rising: Bool = false) -> UInt16 {
    UInt16(((weight - (rising ? 1.5 : 0)) * 10).rounded())
  }

  /// Hundredths of a kilogram; a little less at first.
  func hundredths(rising: Bool = false) -> UInt16 {
    UInt16(((weight - (rising ? 1.5 : 0)) * 100).rounded())
  }

  /// Grams, most significant byte first; a little less at first.
  func grams(rising: Bool = false) -> [UInt8] {
    let grams = Int(((weight - (rising ? 1.5 : 0)) * 1000).rounded())
    return [16, 8, 0].map { UInt8(truncatingIfNeeded: grams >> $0) }
  }
}
