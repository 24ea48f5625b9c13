// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A monitor that keeps to the Blood Pressure Profile.
///
/// It can be found after a measurement and in pairing mode, as real ones, and sends what it keeps, oldest
/// first, to whoever subscribes.
package struct VirtualBloodPressureMonitor: VirtualDeviceLogic {
  /// What distinguishes one model from another.
  package struct Model: Hashable, Sendable {
    package var manufacturer: String
    package var model: String
    package var serialNumber: String
    package var firmwareRevision: String
    /// Per cent, 0...100.
    package var batteryPercent: UInt8
    /// Whether measurements and the clock are given to bonded peers only.
    package var demandsBond: Bool
    /// Whether there is a clock (2A08) within the Blood Pressure Service.
    package var hasClock: Bool
    /// Whether measurements are forgotten once they were sent; otherwise all are sent each time.
    package var forgetsWhatItSent: Bool
    /// Blood Pressure Measurement payloads (2A35), oldest first.
    package var memory: [[UInt8]]
    /// Whether frames have the layout of Beurer's BM85.
    package var usesBeurerLayout = false
  }

  private static let measurement = Attribute("1810", "2A35")
  private static let dateTime = Attribute("1810", "2A08")

  private let model: Model
  private var clock: VirtualClock
  private var memory: [[UInt8]]
  private var isPairing = false

  package init(_ model: Model, clock: VirtualClock) {
    self.model = model
    self.clock = clock
    memory = model.memory
  }

  package var isAdvertising: Bool { isPairing || !memory.isEmpty }

  package var services: [VirtualService] {
    var bloodPressure = [
      VirtualCharacteristic("2A35", .indicate, isProtected: model.demandsBond),
      VirtualCharacteristic("2A49", value: [0x04, 0x00]),
    ]
    if model.hasClock {
      bloodPressure.append(
        VirtualCharacteristic("2A08", [.read, .write], isProtected: model.demandsBond))
    }
    return [
      VirtualService("1810", bloodPressure),
      .deviceInformation(
        manufacturer: model.manufacturer, model: model.model, serialNumber: model.serialNumber,
        firmwareRevision: model.firmwareRevision),
      .battery(percent: model.batteryPercent),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      memory.append(measurement(number, at: time))
      return []
    case .remember(let frames):
      memory += frames
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .subscribed(Self.measurement):
      return [.tell(.subscribed)] + memory.map { .send(Self.measurement, $0) }
    case .left(let allArrived):
      guard allArrived else { return [] }
      defer {
        if model.forgetsWhatItSent { memory = [] }
        isPairing = false
      }
      return [.tell(.transferred(measurements: memory.count))]
    case .read(Self.dateTime): return [.answer(clock.time(at: time)?.payload ?? [])]
    case .written(Self.dateTime, let octets): return [setClock(octets, at: time)]
    case .read, .written: return [.refuse(0x06)]
    case .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  private mutating func setClock(_ octets: [UInt8], at time: DriverTime) -> VirtualDeviceOutput {
    guard octets.count == 7 else { return .refuse(0x0D) }
    guard let shown = try? DateTime(payload: octets), clock.set(shown, at: time) else {
      return .refuse(0x0E)
    }
    return .tell(.clockSet)
  }

  /// A measurement of this moment with values as of a healthy person.
  private func measurement(_ number: Int, at time: DriverTime) -> [UInt8] {
    let values = SimulatedPressure(number)
    let words = [values.systolic, values.diastolic, values.pulseRate]
      .compactMap { try? MedicalFloat16(Double($0), exponent: 0) }
    guard words.count == 3 else { return [] }
    let measurement = BloodPressureMeasurement(
      systolic: words[0], diastolic: words[1],
      timeStamp: clock.time(at: time).map { TimeStamp($0) }, pulseRate: words[2],
      userID: model.usesBeurerLayout ? UserID(rawValue: 0) : nil, measurementStatus: [])
    guard model.usesBeurerLayout else { return measurement.payload }
    return (try? BeurerMeasurement(asBM85: measurement))?.payload ?? []
  }
}

extension VirtualDeviceModel {
  /// The A&D UA-651BLE: bonds, has a clock, forgets what it sent.
  ///
  /// Services and properties as in the public capture of HEADS-project/ThingML-BLE,
  /// `Documentation/AND_Medical_UA651BLE.md`.
  ///
  /// - Parameters:
  ///   - serialNumber: The serial number, whose last six digits end the advertised name.
  ///   - memory: What it keeps at first: Blood Pressure Measurement payloads (2A35), oldest first.
  /// - Returns: The model.
  public static func ua651BLE(
    serialNumber: String = "5160400123",
    memory: [[UInt8]] = BloodPressureFrames.capturedUA651BLE
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: "ua-651ble",
      summary: "A&D UA-651BLE: bonds, lets its clock be set; plays frames of a real one.",
      peripheralID: 2, advertisedName: "A&D_UA-651BLE_\(serialNumber.suffix(6))",
      advertisedServices: ["1810"], readingCount: BloodPressureFrames.readingCount(memory)
    ) { clock in
      VirtualBloodPressureMonitor(
        .init(
          manufacturer: "A&D Medical", model: "UA-651BLE", serialNumber: serialNumber,
          firmwareRevision: "BLP008_d016", batteryPercent: 90, demandsBond: true, hasClock: true,
          forgetsWhatItSent: true, memory: memory), clock: clock)
    }
  }

  /// The Beurer BM54: no clock that can be set, sends its whole memory each time.
  ///
  /// - Parameter memory: What it keeps at first: Blood Pressure Measurement payloads (2A35), oldest first.
  /// - Returns: The model.
  public static func bm54(
    memory: [[UInt8]] = BloodPressureFrames.composedBM54
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: "bm54", summary: "Beurer BM54: bonds, has two users, sends its whole memory each time.",
      peripheralID: 10100, advertisedName: "BM54", advertisedServices: ["1810"],
      readingCount: BloodPressureFrames.readingCount(memory)
    ) { clock in
      VirtualBloodPressureMonitor(
        .init(
          manufacturer: "Beurer GmbH", model: "BM54", serialNumber: "BM54-000417",
          firmwareRevision: "V1.0", batteryPercent: 75, demandsBond: true, hasClock: false,
          forgetsWhatItSent: false, memory: memory), clock: clock)
    }
  }
}
