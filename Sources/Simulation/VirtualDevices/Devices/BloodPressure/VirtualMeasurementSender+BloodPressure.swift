// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualMeasurementSender.Model {
  /// A monitor that keeps to the Blood Pressure Profile.
  ///
  /// - Parameters:
  ///   - information: Device Information, and the battery.
  ///   - hasClock: Whether there is a clock (2A08) within the Blood Pressure Service.
  ///   - erasesSentMeasurements: Whether measurements are erased once they were sent.
  ///   - usesBeurerLayout: Whether frames have the layout of Beurer's BM85.
  ///   - memory: Blood Pressure Measurement payloads (2A35), oldest first.
  /// - Returns: The model.
  static func bloodPressure(
    _ information: [VirtualService], hasClock: Bool = false, erasesSentMeasurements: Bool = false,
    usesBeurerLayout: Bool = false, memory: [[UInt8]]
  ) -> Self {
    var model = Self(
      information: information, measurement: .bloodPressureMeasurement,
      constants: [VirtualCharacteristic("2A49", value: [0x04, 0x00])],
      clock: hasClock ? GATTAttribute("1810", "2A08") : nil,
      erasesSentMeasurements: erasesSentMeasurements,
      memory: memory
    ) { number, time in
      let values = SimulatedPressure(number)
      guard usesBeurerLayout else { return values.measurement(at: time)?.payload ?? [] }
      let measurement = values.measurement(at: time, userID: UserID(rawValue: 0))
      return measurement.flatMap { try? BeurerMeasurement(asBM85: $0) }?.payload ?? []
    }
    if !usesBeurerLayout { model.encode = { $0.bloodPressurePayload(at: $1) } }
    return model
  }
}

extension VirtualDeviceModel {
  /// The A&D UA-651BLE: bonds, has a clock, erases the measurements that it has sent.
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
      summary: "A&D UA-651BLE: bonds, has a settable clock; replays real frames.",
      peripheralID: 2, advertisedName: "A&D_UA-651BLE_\(serialNumber.suffix(6))",
      advertisedServices: ["1810"], readingCount: BloodPressureFrames.readingCount(memory)
    ) { clock in
      VirtualMeasurementSender(
        .bloodPressure(
          [
            .deviceInformation(
              manufacturer: "A&D Medical", model: "UA-651BLE", serialNumber: serialNumber,
              firmwareRevision: "BLP008_d016"), .battery(percent: 90),
          ], hasClock: true, erasesSentMeasurements: true, memory: memory), clock: clock)
    }
  }

  /// The Beurer BM54: has no settable clock, sends its whole memory each time.
  ///
  /// - Parameter memory: What it keeps at first: Blood Pressure Measurement payloads (2A35), oldest
  ///   first.
  /// - Returns: The model.
  public static func bm54(
    memory: [[UInt8]] = BloodPressureFrames.composedBM54
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: "bm54", summary: "Beurer BM54: bonds, two users; sends its whole memory each time.",
      peripheralID: 10100, advertisedName: "BM54", advertisedServices: ["1810"],
      readingCount: BloodPressureFrames.readingCount(memory)
    ) { clock in
      VirtualMeasurementSender(
        .bloodPressure(
          [
            .deviceInformation(
              manufacturer: "Beurer GmbH", model: "BM54", serialNumber: "BM54-000417",
              firmwareRevision: "V1.0"), .battery(percent: 75),
          ], memory: memory), clock: clock)
    }
  }
}
