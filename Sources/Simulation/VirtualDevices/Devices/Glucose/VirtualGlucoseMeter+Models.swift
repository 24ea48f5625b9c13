// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  static let glucoseMeters = [
    glucoseMeter, trueMetrixAir, accuChekGuide, contourNextOne, careSensNPremier, beurerGL49,
  ]

  /// A meter that keeps to the Glucose Profile and has a Current Time Service.
  public static let glucoseMeter = meter(
    "glucose-meter", "Glucose Profile: readings, HI, control solution and an error.", 1000,
    name: "Glucose Meter 0417", readingCount: 4,
    {
      var model = VirtualGlucoseMeter.Model(
        manufacturer: "Santorio", model: "GLP-1", serialNumber: "GLP1-000417",
        firmwareRevision: "1.0", memory: .profile)
      model.clock = .currentTime
      return model
    }())

  /// The Nipro TRUE METRIX AIR: sends no contexts, and only its user can set the clock.
  package static let trueMetrixAir = meter(
    "true-metrix-air", "Nipro TRUE METRIX AIR: one failed test among four.", 15,
    name: "NiproBGM", readingCount: 3,
    VirtualGlucoseMeter.Model(
      manufacturer: "Trividia Health", model: "TRUE METRIX AIR", serialNumber: "TMA0060417",
      firmwareRevision: "1.02", memory: .plain))

  /// The Roche Accu-Chek Guide: HI and LO as numbers, and a result type that the profile lacks.
  package static let accuChekGuide = meter(
    "accu-chek-guide", "Roche Accu-Chek Guide: HI, LO and a result of an unlisted type.", 29,
    name: "meter+06215417", readingCount: 4,
    {
      var model = VirtualGlucoseMeter.Model(
        manufacturer: "Roche", model: "925", serialNumber: "06215417",
        firmwareRevision: "v1.10.8", memory: .accuChek)
      model.clock = .dateTime
      return model
    }())

  /// The Ascensia Contour Next One: a proprietary clock that keeps universal time.
  package static let contourNextOne = meter(
    "contour-next-one", "Ascensia Contour Next One: universal time and separate offset.", 10200,
    name: "Contour7830H6000417", readingCount: 3,
    {
      var model = VirtualGlucoseMeter.Model(
        manufacturer: "Ascensia Diabetes Care", model: "Contour Next One",
        serialNumber: "7830H6000417", firmwareRevision: "01.30", memory: .contour)
      model.clock = .contour
      return model
    }())

  /// The i-SENS CareSens N Premier: a proprietary clock, and ketone tests.
  package static let careSensNPremier = meter(
    "caresens-n-premier", "i-SENS CareSens N Premier: glucose and ketone in one memory.", 10201,
    name: "CareSens 0417", readingCount: 4,
    {
      var model = VirtualGlucoseMeter.Model(
        manufacturer: "i-SENS", model: "CareSens N Premier", serialNumber: "GP02J0000417",
        firmwareRevision: "1.4.0", memory: .careSens)
      model.clock = .careSens
      return model
    }())

  /// The Beurer GL49: ignores requests for two seconds after the subscriptions; mmol/L.
  package static let beurerGL49 = meter(
    "beurer-gl49", "Beurer GL49: mmol/L; ignores requests for two seconds after subscriptions.",
    10202, name: "GL49", readingCount: 2,
    {
      var model = VirtualGlucoseMeter.Model(
        manufacturer: "Beurer GmbH", model: "GL49", serialNumber: "GL49-000417",
        firmwareRevision: "1.0", memory: .european)
      model.setupTime = .seconds(2)
      model.isMetric = true
      return model
    }())

  private static func meter(
    _ id: String, _ summary: String, _ peripheralID: Int, name: String, readingCount: Int,
    _ model: VirtualGlucoseMeter.Model
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: summary, peripheralID: peripheralID, advertisedName: name,
      advertisedServices: ["1808"], readingCount: readingCount
    ) { clock in VirtualGlucoseMeter(model, clock: clock) }
  }
}
