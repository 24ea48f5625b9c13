// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import VirtualDevices

/// A device that answers a driver as a virtual one does, mostly, or with whatever comes to its
/// mind.
struct UnreliableDevice {
  private let attributes: [GATTAttribute]
  private var device: (any VirtualDeviceLogic)?
  /// The device's own addresses of the driver's attributes.
  private var own: [GATTAttribute: GATTAttribute] = [:]
  private var values: [GATTAttribute: [UInt8]] = [:]
  private var generator: SeededGenerator
  private var pending: [DriverEvent] = []
  /// How many times things go well for each time that they do not.
  private let calm: Int
  /// Bytes that the driver has written, which devices like to repeat.
  private var written: [[UInt8]] = []

  /// A device for a driver with these attributes; on a good day it is the virtual one, if there is
  /// one.
  init(_ attributes: [GATTAttribute], _ model: VirtualDeviceModel?, seed: UInt64) {
    self.attributes = attributes
    device = model?.make(VirtualClock())
    calm = seed.isMultiple(of: 2) ? 10 : 200
    generator = SeededGenerator(seed: seed)
    for service in device?.services ?? [] {
      for characteristic in service.characteristics {
        let address = GATTAttribute(service.uuid, characteristic.uuid)
        for attribute in attributes
        where attribute.matches(service: service.uuid, characteristic: characteristic.uuid) {
          own[attribute] = address
          values[attribute] = characteristic.value
        }
      }
    }
  }

  /// Somebody wants it to be paired, or has left it.
  mutating func press(_ input: VirtualDeviceInput, at time: DriverTime) {
    pending = []
    _ = device?.handle(input, at: time)
  }

  /// When it does something by itself.
  var deadline: Duration? { device?.deadline }

  /// What the driver hears next, an answer to what it did last or anything else.
  mutating func event(after actions: [DriverAction], at time: DriverTime) -> DriverEvent {
    for action in actions { answer(action, at: time) }
    if let deadline = device?.deadline, deadline <= time.elapsed { report(.timeReached, at: time) }
    guard !isStruck() else { return whatever }
    return pending.isEmpty ? .timeReached : damaged(pending.removeFirst())
  }

  private mutating func answer(_ action: DriverAction, at time: DriverTime) {
    let fails = isStruck()
    switch action {
    case .read(let attribute) where fails: pending.append(.readFailed(attribute, failure))
    case .read(let attribute): pending.append(read(attribute, at: time))
    case .write(let attribute, _) where fails, .writeWithoutResponse(let attribute, _) where fails:
      pending.append(.writeFailed(attribute, failure))
    case .write(let attribute, let bytes), .writeWithoutResponse(let attribute, let bytes):
      written.append(bytes)
      pending.append(.written(attribute))
      if let own = own[attribute] { report(.written(own, bytes), at: time) }
    case .subscribe(let attribute):
      pending.append(.subscribed(attribute))
      if let own = own[attribute] { report(.subscribed(own), at: time) }
    case .confirmStorage: pending.append(.stored)
    default: break
    }
  }

  private mutating func read(_ attribute: GATTAttribute, at time: DriverTime) -> DriverEvent {
    if let value = values[attribute] { return .value(attribute, value) }
    for output in own[attribute].flatMap({ device?.handle(.read($0), at: time) }) ?? [] {
      if case .answer(let bytes) = output { return .value(attribute, bytes) }
    }
    return Bool.random(using: &generator)
      ? .value(attribute, bytes) : .readFailed(attribute, failure)
  }

  private mutating func report(_ input: VirtualDeviceInput, at time: DriverTime) {
    for output in device?.handle(input, at: time) ?? [] {
      guard case .send(let address, let bytes) = output,
        let attribute = own.first(where: { $0.value == address })?.key
      else { continue }
      pending.append(.value(attribute, bytes))
    }
  }

  /// Whether something goes wrong.
  private mutating func isStruck() -> Bool { Int.random(in: 0..<calm, using: &generator) == 0 }

  /// The same event, or one with a byte changed.
  private mutating func damaged(_ event: DriverEvent) -> DriverEvent {
    guard case .value(let attribute, var bytes) = event, !bytes.isEmpty,
      isStruck()
    else { return event }
    bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
      1
      << UInt8.random(in: 0..<8, using: &generator)
    return .value(attribute, bytes)
  }

  private var whatever: DriverEvent {
    mutating get {
      let attribute = attributes.randomElement(using: &generator) ?? GATTAttribute("180A", "2A25")
      return switch Int.random(in: 0..<12, using: &generator) {
      case 0..<5: .value(attribute, bytes)
      case 5: .written(attribute)
      case 6: .subscribed(attribute)
      case 7: .stored
      case 8: .readFailed(attribute, failure)
      case 9: .subscriptionFailed(attribute, failure)
      default: .timeReached
      }
    }
  }

  private var failure: RequestFailure {
    mutating get {
      RequestFailure(
        code: [nil, 0x03, 0x06, 0x0A, 0x80, 0xFD, 0xFE].randomElement(using: &generator) ?? nil)
    }
  }

  /// Bytes as devices send them: of some length, or nearly what was written.
  private var bytes: [UInt8] {
    mutating get {
      let random = generator.bytes(0...24)
      guard var echo = written.randomElement(using: &generator), !echo.isEmpty,
        Bool.random(using: &generator)
      else { return random }
      echo[Int.random(in: 0..<echo.count, using: &generator)] = random.first ?? 0
      return echo
    }
  }
}
