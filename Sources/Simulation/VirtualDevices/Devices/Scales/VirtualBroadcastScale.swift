// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
package import HealthGATT

/// A scale that accepts no connections: it broadcasts while a user stands on it.
///
/// The weight changes for two seconds, then settles and is repeated until the user steps off; then
/// the broadcast ends.
package struct VirtualBroadcastScale: VirtualDeviceLogic {
  /// One weighing.
  package struct Weighing: Hashable, Sendable {
    /// Kilograms.
    package var weight: Double
    /// Ω.
    package var impedance: UInt16
  }

  /// Makes the broadcast for a second of a weighing; nil when the weighing is over.
  package typealias Broadcasting =
    @Sendable (_ weighing: Weighing, _ second: Int, _ clock: LocalDateTime) -> VirtualBroadcast?

  private let broadcasting: Broadcasting
  private var clock: VirtualClock
  private var waiting: [Weighing]
  /// The current weighing and its next second; nil when no user stands on the scale.
  private var current: (weighing: Weighing, second: Int, next: Duration)?
  package private(set) var broadcast: VirtualBroadcast? = VirtualBroadcast()

  package init(
    _ weighings: [Weighing], clock: VirtualClock, broadcasting: @escaping Broadcasting
  ) {
    waiting = weighings
    self.clock = clock
    self.broadcasting = broadcasting
  }

  package var services: [VirtualService] { [] }

  package var isAdvertising: Bool { current != nil || !waiting.isEmpty }

  package var deadline: Duration? { current?.next ?? (waiting.isEmpty ? nil : .zero) }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      waiting.append(
        Weighing(weight: 61.2 + Double(number % 40) / 2, impedance: UInt16(480 + number % 90)))
      return []
    case .timeReached: return proceed(at: time)
    case .read, .written: return [.refuse(0x06)]
    default: return []
    }
  }

  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard case .weight(let kilograms, _) = measurement.values, (2...180).contains(kilograms) else {
      return nil
    }
    waiting.append(Weighing(weight: kilograms, impedance: 500))
    return []
  }

  package mutating func eraseMeasurements() { waiting = [] }

  private mutating func proceed(at time: DriverTime) -> [VirtualDeviceOutput] {
    guard let moment = current else {
      guard !waiting.isEmpty else { return [] }
      current = (waiting.removeFirst(), 0, time.elapsed)
      return proceed(at: time)
    }
    guard time.elapsed >= moment.next else { return [] }
    guard let next = broadcasting(moment.weighing, moment.second, clock.time(at: time)) else {
      current = nil
      broadcast = VirtualBroadcast()
      return [.report(.transferred(measurements: 1))]
    }
    broadcast = next
    current = (moment.weighing, moment.second + 1, time.elapsed + .seconds(1))
    return moment.second == 0 ? [.report(.advertising)] : []
  }
}

extension VirtualBroadcastScale.Weighing {
  /// What the scale shows in a second of the weighing, and whether it has settled.
  fileprivate func shown(_ second: Int) -> (kilograms: Double, isSettled: Bool) {
    second < 2 ? (weight - 1.5 + Double(second), false) : (weight, true)
  }
}

extension VirtualDeviceModel {
  static let broadcastScales = [
    miScale, miBodyScale, xiaomiS400, qnBroadcastScale, etekcityFit8S, okokScale,
  ]

  /// The Xiaomi Mi Smart Scale: broadcasts a weight with the time of its clock.
  package static let miScale = VirtualDeviceModel(
    id: "mi-scale", summary: "Xiaomi Mi Scale: broadcasts weights, is never connected.",
    peripheralID: 10500, advertisedName: "MI_SCALE", advertisedServices: ["181D"], readingCount: 1
  ) { clock in
    VirtualBroadcastScale([.init(weight: 86.55, impedance: 0)], clock: clock) {
      weighing, second, clock in
      guard second < 8 else { return nil }
      let (kilograms, isSettled) = weighing.shown(second)
      var advertisement = MiScaleAdvertisement(
        kilograms: kilograms, isSettled: isSettled, timestamp: Timestamp(clock))
      if second > 5 { advertisement.flags |= 0x80 }
      return VirtualBroadcast(serviceData: ["181D": advertisement.payload])
    }
  }

  /// The Xiaomi Mi Body Composition Scale 2: broadcasts a weight, and the impedance after it.
  package static let miBodyScale = VirtualDeviceModel(
    id: "mi-body-scale",
    summary: "Xiaomi Mi Body Composition Scale 2: broadcasts weight and impedance.",
    peripheralID: 10501, advertisedName: "MIBFS", advertisedServices: ["181B"], readingCount: 1
  ) { clock in
    VirtualBroadcastScale([.init(weight: 85.15, impedance: 428)], clock: clock) {
      weighing, second, clock in
      guard second < 11 else { return nil }
      let (kilograms, isSettled) = weighing.shown(second)
      var advertisement = MiBodyScaleAdvertisement(
        kilograms: kilograms, ohms: second > 5 ? weighing.impedance : nil, isSettled: isSettled,
        timestamp: Timestamp(clock))
      if second > 8 { advertisement.flags |= 0x80 }
      return VirtualBroadcast(serviceData: ["181B": advertisement.payload])
    }
  }

  /// The Xiaomi Body Composition Scale S400: broadcasts are encrypted.
  ///
  /// Its bind key and address are those of ``s400Secret``.
  package static let xiaomiS400 = VirtualDeviceModel(
    id: "xiaomi-s400", summary: "Xiaomi S400: encrypted broadcasts; needs its bind key.",
    peripheralID: 10502, advertisedName: "Xiaomi Scale S400", advertisedServices: ["FE95"],
    readingCount: 1
  ) { clock in
    VirtualBroadcastScale([.init(weight: 74.2, impedance: 401)], clock: clock) {
      weighing, second, _ in
      guard second < 8, let secret = BindSecret(s400Secret) else { return nil }
      var object = XiaomiS400Measurement(
        profileID: 1, tenthsOfKilogram: UInt16((weighing.weight * 10).rounded()), heartRate: 72,
        tenthsOfOhm: weighing.impedance * 10)
      // The second object has an impedance at another frequency only.
      if second > 4 { object.word = UInt32(weighing.impedance * 9) << 18 }
      let beacon = try? MiBeacon(
        sealing: object.payload, key: secret.key, address: secret.address,
        productID: XiaomiS400Measurement.productID, counter: UInt32(second / 5 + 1))
      return beacon.map { VirtualBroadcast(serviceData: ["FE95": $0.payload]) }
    }
  }

  /// Bind key and address of the virtual S400: 16 bytes and 6.
  package static let s400Secret: [UInt8] = [
    0x58, 0x30, 0x57, 0x40, 0xB6, 0x4E, 0x4B, 0x42, 0x5E, 0x51, 0x8A, 0xA1, 0xF4, 0xE5, 0x13, 0x39,
    0x84, 0x46, 0x93, 0x64, 0xA5, 0xE6,
  ]

  /// A scale by QN that broadcasts weights without a time.
  package static let qnBroadcastScale = VirtualDeviceModel(
    id: "qn-broadcast", summary: "QN scale (Renpho): broadcasts weights, is never connected.",
    peripheralID: 10503, advertisedName: "Renpho-Scale", advertisedServices: [], readingCount: 1
  ) { clock in
    VirtualBroadcastScale([.init(weight: 70, impedance: 0)], clock: clock) { weighing, second, _ in
      guard second < 8 else { return nil }
      let (kilograms, isSettled) = weighing.shown(second)
      let advertisement = QNAdvertisement(
        isSettled: isSettled, weight: UInt16((kilograms * 100).rounded()))
      return VirtualBroadcast(manufacturerData: [0xFF, 0xFF] + advertisement.payload)
    }
  }

  /// The Etekcity Fit 8S: broadcasts weight and impedance at once; composed frames.
  package static let etekcityFit8S = VirtualDeviceModel(
    id: "etekcity-fit-8s", summary: "Etekcity Fit 8S: broadcasts weight and impedance.",
    peripheralID: 10504, advertisedName: "Etekcity Scale", advertisedServices: ["FFD0"],
    readingCount: 1
  ) { clock in
    VirtualBroadcastScale([.init(weight: 80.55, impedance: 500)], clock: clock) {
      weighing, second, _ in
      guard second < 8 else { return nil }
      let (kilograms, isSettled) = weighing.shown(second)
      let advertisement = EtekcityAdvertisement(
        grams: UInt32((kilograms * 1000).rounded()), ohms: isSettled ? weighing.impedance : nil,
        isSettled: isSettled)
      return VirtualBroadcast(manufacturerData: [0xD0, 0x06] + advertisement.payload)
    }
  }

  /// A scale of the OKOK app, with version 2.0 of its broadcasts; composed frames.
  package static let okokScale = VirtualDeviceModel(
    id: "okok-scale", summary: "Scale of the OKOK app: broadcasts weight and impedance.",
    peripheralID: 10505, advertisedName: "ADV", advertisedServices: [], readingCount: 1
  ) { clock in
    VirtualBroadcastScale([.init(weight: 77.2, impedance: 500)], clock: clock) {
      weighing, second, _ in
      guard second < 8 else { return nil }
      let (kilograms, isSettled) = weighing.shown(second)
      let advertisement = OKOKAdvertisementV20(
        weight: UInt16((kilograms * 100).rounded()),
        tenthsOfOhm: isSettled ? weighing.impedance * 10 : nil, isSettled: isSettled)
      return VirtualBroadcast(manufacturerData: [0xCA, 0x20] + advertisement.payload)
    }
  }
}
