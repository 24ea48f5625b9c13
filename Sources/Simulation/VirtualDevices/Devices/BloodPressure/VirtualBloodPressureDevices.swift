// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  static let bloodPressureDevices = [
    bm85, bu540, hem9200T, bp5250, bp7900, qardioArm, hem7322T, hem7600T, hem7142T2, bp2, bp3GY1,
    rpmBP100, ykIBPA1, phbpb20, jpdHA120, adfB19,
  ]

  /// The Beurer BM85, whose frames have pulse and status with the higher byte first; captured
  /// frames.
  package static let bm85 = VirtualDeviceModel(
    id: "bm85", summary: "Beurer BM85: its own frame layout; replays real frames.",
    peripheralID: 10101, advertisedName: "Beurer BM85", advertisedServices: ["1810"],
    readingCount: BloodPressureFrames.readingCount(BloodPressureFrames.capturedBM85)
  ) { clock in
    VirtualMeasurementSender(
      .bloodPressure(
        [
          .deviceInformation(
            manufacturer: "Beurer GmbH", model: "BM85", serialNumber: "BM85-000932",
            firmwareRevision: "V1.2"), .battery(percent: 60),
        ], usesBeurerLayout: true, memory: BloodPressureFrames.capturedBM85), clock: clock)
  }

  /// The Medisana BU 540 connect, which sends its whole memory; composed frames.
  package static let bu540 = VirtualDeviceModel(
    id: "bu540", summary: "Medisana BU 540 connect: two users; sends its whole memory each time.",
    peripheralID: 10108, advertisedName: "BU 540", advertisedServices: ["1810"],
    readingCount: BloodPressureFrames.readingCount(BloodPressureFrames.composedMedisana)
  ) { clock in
    VirtualMeasurementSender(
      .bloodPressure(
        [
          .deviceInformation(
            manufacturer: "Medisana", model: "BU 540 connect", serialNumber: "51160-0042",
            firmwareRevision: "1.0"), .battery(percent: 85),
        ], memory: BloodPressureFrames.composedMedisana), clock: clock)
  }

  /// The Omron HEM-9200T, which can be set only after its own time was read; composed frames.
  package static let hem9200T = omron(
    id: "hem-9200t",
    summary: "Omron HEM-9200T: follows the profile; its clock is read before it is set.",
    peripheralID: 24, model: "HEM-9200T", name: "BLEsmart_000001160022581F5B6E",
    hasRecordAccess: false)

  /// The Omron BP5250, which can be set only after its own time was read; composed frames.
  package static let bp5250 = omron(
    id: "bp5250",
    summary: "Omron BP5250: follows the profile; its clock is read before it is set.",
    model: "BP5250", name: "BLESmart_000001540022581F3A10", hasRecordAccess: false)

  /// The Omron BP7900, which sends its records on request only; composed frames.
  package static let bp7900 = omron(
    id: "bp7900", summary: "Omron BP7900: sends its memory on a Record Access request.",
    model: "BP7900", name: "BLESmart_000001540022581F7C42", hasRecordAccess: true)

  private static func omron(
    id: String, summary: String, peripheralID: Int = 10102, model: String, name: String,
    hasRecordAccess: Bool
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: summary, peripheralID: peripheralID, advertisedName: name,
      advertisedServices: ["1810"],
      readingCount: BloodPressureFrames.readingCount(BloodPressureFrames.composedOmron)
    ) { clock in
      VirtualOmronMonitor(
        model: model, hasRecordAccess: hasRecordAccess, memory: BloodPressureFrames.composedOmron,
        clock: clock)
    }
  }

  /// The QardioArm, which sends its cuff pressure while it measures; composed frames.
  package static let qardioArm = VirtualDeviceModel(
    id: "qardioarm", summary: "QardioArm: sends its cuff pressure, then a result.",
    peripheralID: 10106, advertisedName: "QardioARM", advertisedServices: ["1810"], readingCount: 1
  ) { clock in
    VirtualOneValueMonitor(
      .bloodPressureMeasurement,
      others: [VirtualCharacteristic(GATTAttribute.qardioControl.characteristic, .write)],
      frames: qardioFrames(SimulatedPressure(2)), clock: clock
    ) { number, _ in qardioFrames(SimulatedPressure(number)) }
  }

  /// Three cuff pressures, a preliminary result, and the final one.
  private static func qardioFrames(_ values: SimulatedPressure) -> [[UInt8]] {
    let cuff = [40, 110, 170].map { [0x00, UInt8($0), 0, 0, 0, 0, 0] }
    let results = [values.systolic + 3, values.systolic].map {
      [0x04, $0, 0, values.diastolic, 0, 0xFF, 0x07, values.pulseRate, 0]
    }
    return cuff + results
  }
}

// MARK: - Omron's memory

extension VirtualDeviceModel {
  /// The Omron HEM-7322T (M700 Intelli IT), paired before; a public record and composed ones.
  package static let hem7322T = omronMemory(
    id: "hem-7322t", name: "HEM-7322T", address: "00B0A1C2D3E4", access: .classic,
    summary: "Omron HEM-7322T: memory opened by a key; four channels, two users.",
    slots: [
      ["5f611575d72207fd000000000000", "56511a4068ea0a1e000000000000"],
      ["5b551a4668ea0a1e000000000000"],
    ])

  /// The Omron HEM-7600T (EVOLV), paired before; a record of a real one.
  package static let hem7600T = omronMemory(
    id: "hem-7600t", name: "HEM-7600T", address: "00B0A1C2E517", access: .classic,
    summary: "Omron HEM-7600T (EVOLV): memory opened by a key; replays a real record.",
    slots: [["5b781a4819d71b42000014006996"]])

  /// The Omron HEM-7142T2, whose memory opens to a bonded host; records of a real one.
  package static let hem7142T2 = omronMemory(
    id: "hem-7142t2", name: "HEM-7142T2", address: "00B0A1C2F62B", access: .modern,
    summary: "Omron HEM-7142T2: memory open to a bonded host; replays real records.",
    slots: [
      [
        "6457431a7316161c000046001900", "6558541a331ade1800004c00ba00",
        "645a611a7219041180000d006699",
      ]
    ])

  private static func omronMemory(
    id: String, name: String, address: String, access: OmronAccess, summary: String,
    slots: [[String]]
  ) -> VirtualDeviceModel {
    let bytes = slots.map { $0.map { [UInt8](frame: $0) } }
    return VirtualDeviceModel(
      id: id, summary: summary, peripheralID: 10103,
      advertisedName: "BLESmart_00000116\(address)",
      advertisedServices: [access.requests[0].service],
      readingCount: slots.map(\.count).reduce(0, +)
    ) { clock in
      let map = OmronMemoryMap.map(of: name) ?? OmronMemoryMap.all[0]
      return VirtualOmronMemory(
        access, model: "\(name)-E", map: map, slots: bytes, clock: clock)
    }
  }
}

// MARK: - Protocols of their own

extension VirtualDeviceModel {
  /// The Viatom BP2; the places of its file were made by a public decoder's tests.
  package static let bp2 = VirtualDeviceModel(
    id: "bp2", summary: "Viatom BP2: a file of measurements with one empty entry.",
    peripheralID: 10105, advertisedName: "BP2 0812",
    advertisedServices: [GATTAttribute.bp2Requests.service], readingCount: 2
  ) { clock in
    let end = String(repeating: "00", count: 16)
    let places = [
      "10a19e69 07000000 01 00000000 8f00 5b00 6c00 4d00",
      "00000000 00000000 00 00000000 0000 0000 0000 0000",
      "f06b9e69 08000000 00 00000000 7600 4a00 5800 3b00",
    ]
    return VirtualBP2(places: places.map { [UInt8](frame: $0 + end) }, clock: clock)
  }

  /// The Microlife BP3GY1-2N; the slots are those of a public decoder's tests.
  package static let bp3GY1 = VirtualDeviceModel(
    id: "bp3gy1-2n", summary: "Microlife BP3GY1-2N: sends its whole memory each time.",
    peripheralID: 10107, advertisedName: "BP3GY1-2N", advertisedServices: ["FFF0"], readingCount: 2
  ) { clock in
    VirtualMicrolife(
      slots: ["78503c18060f0e1e0000", "00000000000000000000", "82554619010203040000"]
        .map { [UInt8](frame: $0) }, clock: clock)
  }

  /// The Welch Allyn RPM-BP100, which erases what is acknowledged; composed records.
  package static let rpmBP100 = VirtualDeviceModel(
    id: "rpm-bp100", summary: "Welch Allyn RPM-BP100: a challenge, then record by record.",
    peripheralID: 22, advertisedName: "BP100 AABBCCDD", advertisedServices: ["7809"],
    readingCount: 2
  ) { clock in
    VirtualTranstekMonitor(
      serialNumber: "8899AABBCCDD", password: TranstekWord(rawValue: 0xDDCC_BBAA),
      memory: ["347c0050000000f0418a1e460000000001", "348000520000004dff8a1e480000040001"]
        .map { [UInt8](frame: $0) }, clock: clock)
  }

  /// The Yonker YK-IBPA1; the frame of a public decoder's tests.
  package static let ykIBPA1 = VirtualDeviceModel(
    id: "yk-ibpa1", summary: "Yonker YK-IBPA1: one value after a measurement.",
    peripheralID: 10109, advertisedName: "YK-IBPA1",
    advertisedServices: [GATTAttribute.yonkerMeasurement.service], readingCount: 1
  ) { clock in
    VirtualOneValueMonitor(
      .yonkerMeasurement, frames: [[UInt8](frame: "81836751 0000 190b181312 00000000")],
      clock: clock
    ) { number, shown in
      let values = SimulatedPressure(number)
      return [
        YonkerMeasurement(
          systolic: values.systolic, diastolic: values.diastolic, pulseRate: values.pulseRate,
          time: shown
        ).payload
      ]
    }
  }

  /// The Pyle PHBPB20, which is made by Samico; composed frames.
  package static let phbpb20 = VirtualDeviceModel(
    id: "phbpb20", summary: "Pyle PHBPB20: sends its cuff pressure, then one result.",
    peripheralID: 3, advertisedName: "Samico BP", advertisedServices: ["FFF0"], readingCount: 1
  ) { clock in
    VirtualOneValueMonitor(
      .samicoMeasurement, frames: samicoFrames(SimulatedPressure(3)), clock: clock
    ) { number, _ in samicoFrames(SimulatedPressure(number)) }
  }

  private static func samicoFrames(_ values: SimulatedPressure) -> [[UInt8]] {
    let result = SamicoMeasurement.result(
      systolic: UInt16(values.systolic), diastolic: UInt16(values.diastolic), unknown: 0,
      pulseRate: UInt16(values.pulseRate), trailingBytes: [])
    return [[0x20, 60], [0x20, 140], result.payload]
  }

  /// The Jumper JPD-HA120; composed frames.
  package static let jpdHA120 = VirtualDeviceModel(
    id: "jpd-ha120", summary: "Jumper JPD-HA120: sends one result, then switches off.",
    peripheralID: 10110, advertisedName: "JPD-HA120", advertisedServices: ["FFF0"], readingCount: 1
  ) { clock in
    VirtualOneValueMonitor(
      .jumperPressure, others: [VirtualCharacteristic("FFF2", .write)],
      frames: jumperFrames(SimulatedPressure(4)), clock: clock
    ) { number, _ in jumperFrames(SimulatedPressure(number)) }
  }

  private static func jumperFrames(_ values: SimulatedPressure) -> [[UInt8]] {
    let result = JumperPressureReply.result(
      systolic: values.systolic, diastolic: values.diastolic, pulseRate: values.pulseRate,
      trailingBytes: [])
    return [result.payload, JumperPressureReply.switchedOff([0x0D, 0x0A]).payload]
  }

  /// The AndesFit ADF-B19; composed frames.
  package static let adfB19 = VirtualDeviceModel(
    id: "adf-b19", summary: "AndesFit ADF-B19: other values, then one result.",
    peripheralID: 10111, advertisedName: "ADF-B19", advertisedServices: ["FFF0"], readingCount: 1
  ) { clock in
    VirtualOneValueMonitor(
      .jumperPressure, frames: andesFitFrames(SimulatedPressure(5)), clock: clock
    ) { number, _ in andesFitFrames(SimulatedPressure(number)) }
  }

  private static func andesFitFrames(_ values: SimulatedPressure) -> [[UInt8]] {
    let result = AndesFitMeasurement(
      systolic: UInt16(values.systolic), diastolic: UInt16(values.diastolic),
      pulseRate: UInt16(values.pulseRate))
    return [[0x20, 0x00, 0x46], result.payload]
  }
}
