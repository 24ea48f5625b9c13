// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  /// The Beurer BF720: bonds, has users, sends weight and body composition separately.
  ///
  /// Plays the weight frame of a BF720 (KristianP26/ble-scale-sync) and the body composition of a
  /// BF105 (oliexdev/openScale, issue 635) as one weighing, and a composed one in shoes.
  package static let bf720 = VirtualDeviceModel(
    id: "bf720",
    summary: "Beurer BF720 body composition scale: bonds, requires the user's consent code.",
    peripheralID: 10_560, advertisedName: "BF720", advertisedServices: ["181D", "181B"],
    readingCount: 2
  ) { clock in
    VirtualUserScale(
      .init(
        information: [
          .deviceInformation(
            manufacturer: "Beurer GmbH", model: "BF720", serialNumber: "BF720-00815",
            firmwareRevision: "1.4"), .battery(percent: 66),
        ],
        codes: [2: 1234], slots: 8,
        memory: [
          2: [VirtualUserScale.Weighing(weight: [UInt8](frame: "04 B036 02"))],
          0xFF: [
            VirtualUserScale.Weighing(
              weight: [UInt8](frame: "0E783EEA07050C12353601EE002607"),
              composition: [[UInt8](frame: "9803C500A01B7C013C2F74205212")]),
            VirtualUserScale.Weighing(
              weight: [UInt8](frame: "0E 963E EA07 05 0D 07 02 0B 01 EE00 2607")),
          ],
        ],
        weigh: { number, user, time in
          weighing(
            weight: UInt16(15_992 - number * 7 % 150), fat: UInt16(197 + number % 5), water: 8308,
            of: user, at: time)
        }, encode: weighing), clock: clock)
  }

  /// The Renpho ES-WBE28: steps of 0.05 kg, an opening of its own, one fixed user, and no
  /// measurement to who subscribes before the consent.
  ///
  /// Plays the weight frame that KristianP26/ble-scale-sync captured.
  package static let esWBE28 = VirtualDeviceModel(
    id: "es-wbe28", summary: "Renpho ES-WBE28 scale: steps of 0.05 kg; needs a start sequence.",
    peripheralID: 10_561, advertisedName: "RENPHO ES-WBE28", advertisedServices: ["181D", "181B"],
    readingCount: 1
  ) { clock in
    VirtualUserScale(
      .init(
        information: [
          .deviceInformation(
            manufacturer: "Renpho", model: "ES-WBE28", serialNumber: "WBE28-1170",
            firmwareRevision: "2.0")
        ],
        codes: [0xAA: 9999], slots: 0,
        memory: [
          0xAA: [
            VirtualUserScale.Weighing(
              weight: [UInt8](frame: "4E6A07EA0707040C1A06AA00000000"))
          ]
        ],
        opening: [[0x10, 0x01, 0x00, 0x11], [0x03, 0x00, 0x01, 0x04], [0x19, 0x00, 0x19]],
        forgetsEarlySubscriptions: true,
        weigh: { number, user, time in
          let weight = WeightMeasurement(
            rawWeight: UInt16(1898 - number % 20), timestamp: Timestamp(time),
            userID: UserID(rawValue: user))
          return VirtualUserScale.Weighing(weight: weight.payload)
        }), clock: clock)
  }

  /// A weighing of given values; in shoes, without composition.
  private static func weighing(
    _ measurement: VirtualMeasurement, of user: UInt8, at time: LocalDateTime
  ) -> VirtualUserScale.Weighing? {
    guard case .weight(let kilograms, let fat) = measurement.values,
      let weight = measurement.rawWeight
    else { return nil }
    guard let fat else {
      let frame = WeightMeasurement(
        rawWeight: weight, timestamp: Timestamp(time), userID: UserID(rawValue: user))
      return VirtualUserScale.Weighing(weight: frame.payload)
    }
    guard (3...75).contains(fat) else { return nil }
    // Of what is not fat, 73 % are water.
    let water = UInt16(clamping: Int(kilograms * (100 - fat) / 100 * 0.73 * 200))
    return weighing(
      weight: weight, fat: UInt16((fat * 10).rounded()), water: water, of: user, at: time)
  }

  /// A weighing of a moment, in two packets of composition; masses in 0.005 kg, fat in 0.1 %.
  private static func weighing(
    weight: UInt16, fat: UInt16, water: UInt16, of user: UInt8, at time: LocalDateTime
  ) -> VirtualUserScale.Weighing {
    let timestamp = Timestamp(time)
    let userID = UserID(rawValue: user)
    var first = BodyCompositionMeasurement.Components()
    first.basalMetabolism = 7072
    first.rawMusclePercentage = 380
    var second = BodyCompositionMeasurement.Components()
    second.rawBodyWaterMass = water
    second.rawImpedance = 4690
    let packets = [first, second].map {
      BodyCompositionMeasurement(
        rawBodyFatPercentage: fat, timestamp: timestamp, userID: userID,
        components: $0, isMultiplePacketMeasurement: true
      ).payload
    }
    let weight = WeightMeasurement(
      rawWeight: weight, timestamp: timestamp, userID: userID)
    return VirtualUserScale.Weighing(weight: weight.payload, composition: packets)
  }
}
