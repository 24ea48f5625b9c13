// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// TaiDoc makes the devices that ForaCare and others sell. All of them have one protocol, whatever
// service they advertise; some keep to a profile of the Bluetooth SIG, too.
extension DeviceModel {
  /// The FORA IR20b, an ear thermometer.
  package static let foraIR20b = DeviceModel(
    id: 18, type: .thermometer, manufacturer: "ForaCare", model: "IR20b",
    instructions: "Take your temperature with the thermometer. Keep the phone near.",
    connectTimeout: .seconds(30), readTimeout: .seconds(30),
    advertisementFilter: taiDoc("1809", ["FORA IR20"]), drivers: [.taiDoc, .thermometerProfile])

  /// The FORA P20, a blood pressure monitor.
  package static let foraP20 = DeviceModel(
    id: 19, type: .bloodPressure, manufacturer: "ForaCare", model: "P20",
    instructions: "Sit down, put on the cuff and measure. Keep the phone near.",
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: taiDoc("1810", ["FORA P20"]), drivers: [.taiDoc, .bloodPressureProfile])

  /// The FORA 4272, a glucose meter.
  package static let fora4272 = DeviceModel(
    id: 20, type: .glucoseMeter, manufacturer: "ForaCare", model: "4272",
    instructions: testAndLeaveOn, pairingInstructions: enterCode, requiresPairing: true,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: taiDoc("1808", ["FORA MD"]), drivers: [.taiDoc, .glucoseProfile])

  /// Blood pressure monitors with TaiDoc's protocol: TD-3128, TD-3140, FORA P30, D40 and TN'G BP.
  package static let taiDocBloodPressure = DeviceModel(
    id: 10_150, type: .bloodPressure, manufacturer: "TaiDoc", model: "TD-31xx",
    instructions: "Sit down, put on the cuff and measure. Keep the phone near.",
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: taiDoc("1810", ["TAIDOC TD31", "FORA P30", "FORA D40", "TNG BP"]),
    drivers: [.taiDoc, .bloodPressureProfile])

  /// Glucose meters with TaiDoc's protocol: TD-4255, TD-4257, TD-4272, FORA GD40, TN'G, DIAMOND.
  package static let taiDocGlucose = DeviceModel(
    id: 10_253, type: .glucoseMeter, manufacturer: "TaiDoc", model: "TD-42xx",
    instructions: testAndLeaveOn, pairingInstructions: enterCode, requiresPairing: true,
    connectTimeout: .seconds(60), readTimeout: .seconds(120),
    advertisementFilter: taiDoc("1808", ["TAIDOC TD42", "FORA GD", "TNG", "DIAMOND"]),
    drivers: [.taiDoc, .glucoseProfile])

  /// Oximeters with TaiDoc's protocol: TD-8201, TD-8255.
  package static let taiDocOximeter = DeviceModel(
    id: 10_350, type: .pulseOximeter, manufacturer: "TaiDoc", model: "TD-82xx",
    instructions: "Put your finger into the oximeter and keep still.",
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: taiDoc("1822", ["TAIDOC TD82"]),
    drivers: [.taiDoc, .pulseOximeterSpotCheck])

  /// Thermometers with TaiDoc's protocol: TD-1241, TD-1261, TD-1035, FORA IR40 and IR42.
  package static let taiDocThermometer = DeviceModel(
    id: 10_404, type: .thermometer, manufacturer: "TaiDoc", model: "TD-12xx",
    instructions: "Take your temperature with the thermometer. Keep the phone near.",
    connectTimeout: .seconds(30), readTimeout: .seconds(30),
    advertisementFilter: taiDoc("1809", ["TAIDOC TD12", "TAIDOC TD10", "FORA IR4"]),
    drivers: [.taiDoc, .thermometerProfile])

  private static let testAndLeaveOn =
    "Test your blood glucose. The meter sends its results when it is switched off."
  private static let enterCode = """
    Switch on the Bluetooth of the meter as its manual says. If the phone asks for a code, enter the \
    one on the meter's label.
    """

  private static func taiDoc(_ service: String, _ namePrefixes: [String]) -> AdvertisementFilter {
    AdvertisementFilter(
      services: [GATTAttribute.taiDoc.service, service], namePrefixes: namePrefixes)
  }
}

extension Manufacturer {
  static let taiDoc = Manufacturer(
    devices: [
      .foraIR20b, .foraP20, .fora4272, .taiDocBloodPressure, .taiDocGlucose, .taiDocOximeter,
      .taiDocThermometer,
    ], forbidden: ForbiddenCommand.taiDoc)
}
