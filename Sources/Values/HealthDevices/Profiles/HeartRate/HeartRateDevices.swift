// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// Of the straps with numbers of their own the names in the air are those of the models, as far as
// they are known; one that advertises another name is recognised as any heart rate sensor.
extension DeviceModel {
  /// Beets BLU HRM1.
  package static let beetsBLU = strap(4, "Beets BLU", "HRM1", ["BEETS BLU", "HRM1"])
  /// GOW HRMBLE.
  package static let gowHRMBLE = strap(5, "GOW", "HRMBLE", ["HRMBLE", "GOW"])
  /// MIO Alpha 53P, worn on the wrist.
  package static let mioAlpha = strap(6, "MIO", "Alpha 53P", ["ALPHA", "MIO"])
  /// Pyle TD00290.
  package static let pyleTD00290 = strap(7, "Pyle", "TD00290", ["TD00290"])
  /// Wahoo TICKR.
  package static let wahooTICKR = strap(8, "Wahoo", "TICKR", ["TICKR"])
  /// Zephyr HXM-2.
  package static let zephyrHXM2 = strap(9, "Zephyr", "HXM-2", ["HXM2", "HXM-2", "Zephyr HXM"])
  /// 60beat BLUE.
  package static let sixtyBeatBLUE = strap(10, "60beat", "BLUE", ["60beat"])
  /// Any heart rate sensor that keeps to the Heart Rate Profile of the Bluetooth SIG: Polar,
  /// Garmin, Coospo and many others.
  public static let genericHeartRate = strap(6000, "", "Heart rate monitor", [])

  static let heartRateSensors = [
    beetsBLU, gowHRMBLE, mioAlpha, pyleTD00290, wahooTICKR, zephyrHXM2, sixtyBeatBLUE,
    genericHeartRate,
  ]

  private static func strap(
    _ id: Int, _ manufacturer: String, _ model: String, _ namePrefixes: [String]
  ) -> DeviceModel {
    DeviceModel(
      id: id, type: .heartRate, manufacturer: manufacturer, model: model,
      instructions: "Put the sensor on; moisten the electrodes of a strap. Sit still.",
      readingInstructions: "Keep still for half a minute, until the heart rate is taken.",
      connectTimeout: .seconds(30), readTimeout: .seconds(120),
      advertisementFilter: AdvertisementFilter(services: ["180D"], namePrefixes: namePrefixes),
      drivers: [.heartRateProfile])
  }
}
