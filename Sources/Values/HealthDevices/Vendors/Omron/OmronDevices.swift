// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Omron HEM-9200T and HEM-9210T.
  package static let omronHEM9200T = DeviceModel(
    id: 24, type: .bloodPressure, manufacturer: "Omron", model: "HEM-9200T",
    instructions: measureAndWait, pairingInstructions: omronPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"], namePrefixes: ["BLEsmart_0000011"], pairingFlag: .omron),
    drivers: [.omronBloodPressure])

  /// Omron monitors with the Blood Pressure Profile: BP5150, BP5250, BP7900, X2 Smart+, X4 Smart.
  package static let omronProfile = DeviceModel(
    id: 10102, type: .bloodPressure, manufacturer: "Omron", model: "Blood pressure monitor",
    instructions: measureAndWait, pairingInstructions: omronPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"], namePrefixes: ["BLEsmart_", "X4 Smart", "X2 Smart"],
      pairingFlag: .omron),
    drivers: [.omronClassicMemory, .omronBloodPressure])

  /// Omron monitors whose memory is read: M7, M700, EVOLV and other "Intelli IT" and "connect"
  /// models.
  package static let omronMemory = DeviceModel(
    id: 10103, type: .bloodPressure, manufacturer: "Omron", model: "Intelli IT and connect models",
    instructions: "Press the Bluetooth button of the monitor shortly. Keep the phone near.",
    pairingInstructions: omronPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(180),
    advertisementFilter: AdvertisementFilter(
      services: ["ECBE3980-C9A2-11E1-B1BD-0002A5D5C51B", "FE4A"], namePrefixes: ["BLEsmart_"],
      pairingFlag: .omron),
    drivers: [.omronClassicMemory, .omronModernMemory, .omronBloodPressure])

  /// Omron HN-290T.
  package static let omronHN290T = DeviceModel(
    id: 27, type: .weightScale, manufacturer: "Omron", model: "HN-290T",
    instructions: stepOn,
    pairingInstructions: "Hold the Bluetooth button of the scale until its display blinks.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(
      services: ["181D"], namePrefixes: ["BLEsmart_00010105"], pairingFlag: .omron),
    drivers: [.weightScaleProfile])

  private static let omronPairing = """
    Hold the Bluetooth button of the monitor until "P" blinks.
    """
}

extension PairingFlag {
  /// Where Omron's devices say that they wait to be paired, see `OmronAdvertisement`.
  static let omron = PairingFlag(
    company: OmronAdvertisement.company, byte: 1, mask: OmronAdvertisement.Flags.pairing.rawValue)
}

extension Manufacturer {
  static let omron = Manufacturer(
    devices: [.omronHEM9200T, .omronProfile, .omronMemory, .omronHN290T],
    forbidden: ForbiddenCommand.omron)
}
