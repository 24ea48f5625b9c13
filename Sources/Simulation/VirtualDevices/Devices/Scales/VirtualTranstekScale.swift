// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A scale by Transtek: authenticates the central if it has a password, then sends its memory.
package struct VirtualTranstekScale: VirtualDeviceLogic {
  /// What distinguishes one model from another.
  package struct Model: Sendable {
    package var service: String
    package var weight: String
    /// The password that it sends in its pairing mode; nil when it does not authenticate receivers.
    package var password: [UInt8]?
    /// Whether the password is sent in pairing mode.
    package var givesPassword = true
    /// Weights and, if it computes them, body compositions; as payloads.
    package var memory: [(weight: [UInt8], composition: [UInt8]?)]
  }

  private static let challenge: [UInt8] = [0x01, 0x00, 0xB8, 0x99]

  private let model: Model
  private var clock: VirtualClock
  private var memory: [(weight: [UInt8], composition: [UInt8]?)]
  private var isPairing = false
  private var isAuthenticated = false
  private var hasSent = false

  package init(_ model: Model, clock: VirtualClock) {
    self.model = model
    self.clock = clock
    memory = model.memory
  }

  private var measurement: GATTAttribute { GATTAttribute(model.service, model.weight) }
  private var composition: GATTAttribute { GATTAttribute(model.service, "8A22") }
  private var question: GATTAttribute { GATTAttribute(model.service, "8A82") }
  private var command: GATTAttribute { GATTAttribute(model.service, "8A81") }

  package var isAdvertising: Bool { isPairing || !memory.isEmpty }

  package var services: [VirtualService] {
    [
      VirtualService(
        model.service,
        [
          VirtualCharacteristic(model.weight, .indicate), VirtualCharacteristic("8A22", .indicate),
          VirtualCharacteristic("8A82", .indicate), VirtualCharacteristic("8A81", .write),
        ])
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      memory.append((weight(number, at: time), nil))
      return []
    case .remember(let frames):
      memory += frames.map { ($0, nil) }
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .subscribed(question): return requested()
    case .written(command, let bytes): return [.accept] + received(bytes, at: time)
    case .disconnected:
      (isAuthenticated, hasSent) = (false, false)
      return []
    case .read, .written: return [.refuse(0x06)]
    case .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  private func requested() -> [VirtualDeviceOutput] {
    guard let password = model.password else { return [.report(.subscribed)] }
    let sendsPassword = isPairing && model.givesPassword
    let bytes = sendsPassword ? [0xA0] + password : [0xA1] + Self.challenge
    return [.report(.subscribed), .send(question, bytes)]
  }

  private mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    switch bytes.first {
    case 0x20:
      isAuthenticated = bytes.dropFirst().elementsEqual(
        zip(Self.challenge, model.password ?? []).map { $0 ^ $1 })
      return []
    case 0x21:
      isPairing = false
      return []
    case 0x02 where bytes.count == 5 && (isAuthenticated || model.password == nil):
      return setClock(bytes, at: time) + send()
    case 0x22:
      guard hasSent else { return [] }
      defer { memory = [] }
      return [.report(.transferred(measurements: memory.count))]
    default: return []
    }
  }

  private mutating func setClock(_ bytes: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    let seconds = bytes.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) }
    let shown = LocalDateTime(secondsSince1970: seconds + 1_262_304_000)
    guard clock.set(shown, at: time) else { return [] }
    return [.report(.clockSet)]
  }

  private mutating func send() -> [VirtualDeviceOutput] {
    hasSent = true
    return memory.flatMap { weight, body in
      [.send(measurement, weight)] + (body.map { [.send(composition, $0)] } ?? [])
    }
  }

  private func weight(_ number: Int, at time: DriverTime) -> [UInt8] {
    let seconds = UInt32(clamping: clock.secondsSince1970(at: time) - 1_262_304_000)
    guard let kilograms = try? MedicalFloat32(61.2 + Double(number % 40) / 2, exponent: -2) else {
      return []
    }
    return TranstekWeight(weight: kilograms, seconds: seconds).payload
  }
}

extension VirtualDeviceModel {
  static let transtekScales = [trisaScale, welchAllynScale100, adeBA1600, medisanaBS444]

  /// A Trisa scale: sends a password when it is paired, and has two weights stored.
  package static let trisaScale = VirtualDeviceModel(
    id: "trisa", summary: "Trisa body scale: sends a password when it is paired.",
    peripheralID: 10520, advertisedName: "01257B4A6C11", advertisedServices: ["7802"],
    readingCount: 2
  ) { passwordScale($0) }

  /// The Welch Allyn RPM-Scale100: sends a password when it is paired, and has two weights stored.
  package static let welchAllynScale100 = VirtualDeviceModel(
    id: "rpm-scale100", summary: "Welch Allyn RPM-Scale100: sends a password when it is paired.",
    peripheralID: 21, advertisedName: "SC100-4A6C11", advertisedServices: ["7802"],
    readingCount: 2
  ) { passwordScale($0) }

  private static func passwordScale(_ clock: VirtualClock) -> VirtualTranstekScale {
    let weights = [(7520, 510_000_000), (7480, 510_086_400)].compactMap { hundredths, seconds in
      (try? MedicalFloat32(Double(hundredths) / 100, exponent: -2)).map {
        TranstekWeight(weight: $0, seconds: UInt32(seconds), userID: UserID(rawValue: 1)).payload
      }
    }
    return VirtualTranstekScale(
      .init(
        service: "7802", weight: "8A21", password: [0x5A, 0x11, 0x7E, 0x03],
        memory: weights.map { ($0, nil) }), clock: clock)
  }

  /// The ADE BA 1600: authenticates the central with an all-zero password; plays a captured weight.
  package static let adeBA1600 = VirtualDeviceModel(
    id: "ade-ba1600", summary: "ADE BA 1600: plays a captured weight.",
    peripheralID: 10520, advertisedName: "01257B99B800", advertisedServices: ["7802"],
    readingCount: 1
  ) { clock in
    VirtualTranstekScale(
      .init(
        service: "7802", weight: "8A24", password: [0, 0, 0, 0], givesPassword: false,
        memory: [
          (
            [
              0x1F, 0x68, 0x1F, 0x00, 0xFE, 0x65, 0x2A, 0xB2, 0x1E, 0x00, 0x00, 0x00, 0x00, 0x6A,
              0x15, 0x00, 0xFF, 0x01, 0x19, 0x00,
            ], nil
          )
        ]), clock: clock)
  }

  /// The Medisana BS444: weight and body composition; plays captured ones.
  package static let medisanaBS444 = VirtualDeviceModel(
    id: "medisana-bs444", summary: "Medisana BS444: plays a captured weighing.",
    peripheralID: 10522, advertisedName: "0131971A2B3C", advertisedServices: ["78B2"],
    readingCount: 1
  ) { clock in
    VirtualTranstekScale(
      .init(
        service: "78B2", weight: "8A21", password: nil,
        memory: [
          (
            [
              0x1D, 0x80, 0x25, 0x00, 0xFE, 0x80, 0x0F, 0xF4, 0x0D, 0x6A, 0x17, 0x00, 0xFF, 0x01,
              0x09, 0x00, 0x00, 0x00, 0x00,
            ],
            [
              0x6F, 0x80, 0x0F, 0xF4, 0x0D, 0x01, 0x21, 0x0C, 0x57, 0xF1, 0xE3, 0xF1, 0x5B, 0xF1,
              0x23, 0xF0, 0x00, 0x00, 0x00,
            ]
          )
        ]), clock: clock)
  }
}
