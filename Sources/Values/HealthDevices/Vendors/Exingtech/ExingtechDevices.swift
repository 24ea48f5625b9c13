// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import HealthGATT
import HealthRecords

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GATTAttribute {
  /// Where the scale notifies of weight and body composition.
  package static let vScaleResult = GATTAttribute(
    "F433BD80-75B8-11E2-97D9-0002A5D5C51B", "1A2EA400-75B9-11E2-BE05-0002A5D5C51B")
  /// Where the scale is given the user's sex, age and height.
  package static let vScalePerson = GATTAttribute(
    "F433BD80-75B8-11E2-97D9-0002A5D5C51B", "29F11080-75B9-11E2-8BF6-0002A5D5C51B")
}

extension DriverModel {
  /// Exingtech Y1: notifies of the weight, and of the body composition once it knows the user.
  package static let exingtechY1 = DriverModel(
    id: "exingtech-y1", name: "Exingtech Y1 (VScale)", required: [.vScaleResult, .vScalePerson],
    confidence: .agreed,
    sources: ["openScale, BluetoothExingtechY1", "KristianP26/ble-scale-sync, exingtech-y1"]
  ) { context in
    ScaleStreamDriver(
      context, steps: .facts + [.subscribe(.vScaleResult)], sources: [.vScaleResult],
      decoder: VScaleDecoder(user: context.user))
  }
}

/// Gives the scale what it needs to compute the body composition, once for each connection.
private struct VScaleDecoder: ScaleDecoder {
  let user: DeviceUser?
  var hasAnswered = false

  mutating func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning {
    let result = try VScaleResult(payload: bytes)
    let reading = DeviceReading(
      kilograms: result.kilograms,
      [
        (.bodyFat, result.bodyFatPercentage), (.bodyWater, result.bodyWaterPercentage),
        (.bodyBoneMass, result.boneKilograms), (.visceralFat, result.visceralFatScore),
      ], payload: bytes)
    let person = result.isComplete || hasAnswered ? nil : user?.vScalePerson(at: time)
    hasAnswered = hasAnswered || person != nil
    // Public sources do not say whether weights that still rise are sent, too: the last one counts.
    return .init(
      reading.map { WeightSample($0, isSettled: true, isComplete: result.isComplete) },
      answers: person.map { [.write(.vScalePerson, $0)] } ?? [])
  }
}

extension DeviceUser {
  /// User 1 of the scale: sex, age in years, and height in centimetres; nil when one is missing.
  fileprivate func vScalePerson(at time: DriverTime) -> [UInt8]? {
    guard sex != .unspecified, let today = time.local,
      let year = dateOfBirth?.year, let month = dateOfBirth?.month, let day = dateOfBirth?.day,
      let height = heightCentimeters.flatMap({ UInt8(exactly: $0) })
    else { return nil }
    let hadBirthday = (today.month, today.day) >= (month, day)
    guard let age = UInt8(exactly: today.year - year - (hadBirthday ? 0 : 1)) else { return nil }
    return [0x10, 0x01, sex == .male ? 0 : 1, age, height]
  }
}

extension DeviceModel {
  /// Exingtech Y1, ACCUWAY BT908, and other scales that advertise as "VScale".
  package static let exingtechY1 = scale(
    10_562, "Exingtech", "Y1, VScale", [GATTAttribute.vScaleResult.service], ["VScale"],
    [.exingtechY1])
}

extension Manufacturer {
  static let exingtech = Manufacturer(
    devices: [.exingtechY1],
    payloads: [VendorPayload("vscale-result", "Exingtech Y1 scale", VScaleResult.self)])
}
