// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
public import VirtualDevices

/// A coagulation meter that speaks the stand-in protocol of ``CoagulationMeterDriver``.
struct VirtualCoagulationMeter: VirtualDeviceLogic {
  private let key: [UInt8]
  private var records: [CoagulationRecord]
  private var clock: VirtualClock
  private var isPairing = false

  init(key: [UInt8], ratios: [Double], clock: VirtualClock) {
    self.key = key
    self.clock = clock
    records = []
    for (index, ratio) in ratios.enumerated() {
      let day = LocalDateTime(
        year: 2026, month: 3, day: 2 + index * 7, hour: 8, minute: 15, second: 0)
      append(ratio, day)
    }
  }

  private mutating func append(_ ratio: Double, _ time: LocalDateTime, flags: UInt8 = 0) {
    guard let value = try? MedicalFloat16(ratio, exponent: -1) else {
      return
    }
    records.append(
      CoagulationRecord(
        sequenceNumber: UInt16(clamping: records.count + 1), timestamp: Timestamp(time),
        ratio: value, flags: flags))
  }

  var isAdvertising: Bool { true }

  var services: [VirtualService] {
    [
      VirtualService(
        GATTAttribute.coagulationControl.service,
        [
          VirtualCharacteristic(
            GATTAttribute.coagulationMeasurement.characteristic, .notify, isProtected: true),
          VirtualCharacteristic(
            GATTAttribute.coagulationControl.characteristic, [.write, .indicate], isProtected: true),
        ]),
      .deviceInformation(
        manufacturer: "Stand-in", model: "Coagulation meter", serialNumber: "INR-000051",
        firmwareRevision: "1.0"),
    ]
  }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      append(2 + Double(number * 3 % 15) / 10, clock.time(at: time))
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .written(.coagulationControl, let bytes):
      guard bytes.count == 3, bytes[0] == 0x01 else { return [.refuse(0x06)] }
      return send(from: Int(bytes[1]) | Int(bytes[2]) << 8)
    case .read, .written: return [.refuse(0x06)]
    case .disconnected(let allArrived):
      return [.report(.transferred(measurements: allArrived ? records.count : 0))]
    case .remember, .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  private mutating func send(from number: Int) -> [VirtualDeviceOutput] {
    let wanted = records.filter { Int($0.sequenceNumber) >= number }
    let frames = wanted.map { record -> VirtualDeviceOutput in
      .send(.coagulationMeasurement, StandInCryptography(key: key).seal(record.payload))
    }
    let count = UInt16(clamping: frames.count)
    return [.accept] + frames
      + [.send(.coagulationControl, [0x81, UInt8(count & 0xFF), UInt8(count >> 8)])]
  }
}

extension VirtualDeviceModel {
  /// A coagulation meter that speaks the stand-in protocol of the catalogue's entry 51.
  ///
  /// - Parameter key: The meter's key, 16 bytes.
  /// - Returns: The model.
  public static func coagulationMeter(
    key: [UInt8] = StandInCryptography.exampleKey
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: "inr-stand-in",
      summary: "A coagulation meter with encrypted values; a stand-in for Roche's protocol.",
      peripheralID: 51, advertisedName: "CoaguChek 000051",
      advertisedServices: [GATTAttribute.coagulationControl.service], readingCount: 4
    ) { clock in
      VirtualCoagulationMeter(key: key, ratios: [2.1, 2.6, 3.4, 2.8], clock: clock)
    }
  }
}
