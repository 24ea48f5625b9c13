// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  static let bloodPressureVendors = [
    pylePHBPB20, welchAllynRPMBP100, omronHEM9200T, beurerBM54, beurerBM85, omronProfile,
    omronMemory, viatomBP2, qardioArm, microlife, medisanaBU5xx, yonker, jumperJPDHA120,
    andesFitADFB19,
  ]

  private static let measureAndWait = """
    Put on the cuff and press START on the monitor. Keep the phone near.
    """

  /// Pyle PHBPB20, made by Samico.
  public static let pylePHBPB20 = DeviceModel(
    id: 3, type: .bloodPressure, manufacturer: "Pyle", model: "PHBPB20",
    instructions: "Put on the cuff, switch the monitor on and press START when it is connected.",
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["FFF0"], namePrefixes: ["Samico BP"]),
    drivers: [.samicoBloodPressure])

  /// Welch Allyn RPM-BP100 (Home 1500 and 1700), made by Transtek.
  public static let welchAllynRPMBP100 = DeviceModel(
    id: 22, type: .bloodPressure, manufacturer: "Welch Allyn", model: "RPM-BP100",
    instructions: measureAndWait,
    pairingInstructions: """
      With the cuff off, hold the START button of the monitor until the Bluetooth sign blinks.
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["7809"]),
    drivers: [.transtekBloodPressure])

  /// Omron HEM-9200T and HEM-9210T.
  public static let omronHEM9200T = DeviceModel(
    id: 24, type: .bloodPressure, manufacturer: "Omron", model: "HEM-9200T",
    instructions: measureAndWait, pairingInstructions: omronPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"], namePrefixes: ["BLEsmart_0000011"]),
    drivers: [.omronBloodPressure])

  /// Beurer BM54, BM57, BM64, BM67, BM81, BC54, BC57, BC87 and the Sanitas models built like them.
  public static let beurerBM54 = DeviceModel(
    id: 10100, type: .bloodPressure, manufacturer: "Beurer", model: "BM54 family",
    instructions: "Take a measurement, or press M1 or M2 on the monitor. Keep the phone near.",
    pairingInstructions: """
      Switch Bluetooth on in the monitor's settings and take a measurement. If the phone asks for a \
      code, enter the one that the monitor shows.
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"],
      namePrefixes: ["BM5", "BM6", "BM8", "BM 5", "BM 6", "BM 8", "BC5", "BC8", "SBM", "SBC"]),
    drivers: [.beurerBloodPressure])

  /// Beurer BM85, BM48 and BM59, and Elite 900, whose values have a layout of their own.
  public static let beurerBM85 = DeviceModel(
    id: 10101, type: .bloodPressure, manufacturer: "Beurer", model: "BM85 family",
    instructions: "Take a measurement, or press M1 or M2 on the monitor. Keep the phone near.",
    pairingInstructions: beurerBM54.pairingInstructions,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"],
      namePrefixes: ["Beurer BM", "BM85", "BM 85", "BM48", "BM 48", "BM59", "BM 59", "Elite 900"]),
    drivers: [.beurerBloodPressure])

  /// Omron monitors with the Blood Pressure Profile: BP5150, BP5250, BP7900, X2 Smart+, X4 Smart.
  public static let omronProfile = DeviceModel(
    id: 10102, type: .bloodPressure, manufacturer: "Omron", model: "Blood pressure monitor",
    instructions: measureAndWait, pairingInstructions: omronPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"], namePrefixes: ["BLEsmart_", "X4 Smart", "X2 Smart"]),
    drivers: [.omronClassicMemory, .omronBloodPressure])

  /// Omron monitors whose memory is read: M7, M700, EVOLV and other "Intelli IT" and "connect"
  /// models.
  public static let omronMemory = DeviceModel(
    id: 10103, type: .bloodPressure, manufacturer: "Omron", model: "Intelli IT and connect models",
    instructions: "Press the Bluetooth button of the monitor shortly. Keep the phone near.",
    pairingInstructions: omronPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(180),
    advertisementFilter: AdvertisementFilter(
      services: ["ECBE3980-C9A2-11E1-B1BD-0002A5D5C51B", "FE4A"], namePrefixes: ["BLEsmart_"]),
    drivers: [.omronClassicMemory, .omronModernMemory, .omronBloodPressure])

  private static let omronPairing = """
    Hold the Bluetooth button of the monitor until "P" blinks.
    """

  /// Viatom and Wellue BP2, BP2A, BP2W and Checkme BP2.
  public static let viatomBP2 = DeviceModel(
    id: 10105, type: .bloodPressure, manufacturer: "Viatom", model: "BP2",
    instructions: "Switch the monitor on and measure with its button. Keep the phone near.",
    connectTimeout: .seconds(60), readTimeout: .seconds(300),
    advertisementFilter: AdvertisementFilter(
      services: ["14839AC4-7D7E-415C-9A42-167340CF2339"],
      namePrefixes: ["BP2", "Checkme BP2", "LP-BP2"]),
    drivers: [.viatomBP2])

  /// QardioArm.
  public static let qardioArm = DeviceModel(
    id: 10106, type: .bloodPressure, manufacturer: "Qardio", model: "QardioArm",
    instructions: "Unroll the cuff, put it on and press its button. Keep the phone near.",
    connectTimeout: .seconds(120), readTimeout: .seconds(180),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"], namePrefixes: ["QardioARM", "Qardio"]),
    drivers: [.qardioArm, .bloodPressureProfile])

  /// Microlife monitors with Bluetooth: BP3GY1-2N, BP3GX1 and their like.
  public static let microlife = DeviceModel(
    id: 10107, type: .bloodPressure, manufacturer: "Microlife", model: "BP3 Bluetooth models",
    instructions: "Hold START for about eight seconds, until the Bluetooth sign appears.",
    pairingInstructions: "Hold START for about eight seconds, until the Bluetooth sign appears.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(120), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["FFF0"], namePrefixes: ["BP3", "B6 Connect"]),
    drivers: [.microlife])

  /// Medisana BU 530, BU 540 and BU 570 connect.
  public static let medisanaBU5xx = DeviceModel(
    id: 10108, type: .bloodPressure, manufacturer: "Medisana", model: "BU 5xx connect",
    instructions: measureAndWait, pairingInstructions: genericPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["1810"], namePrefixes: ["BU 5", "BU5"]),
    drivers: [.bloodPressureProfile])

  /// Yonker YK-IBPA1 and YK-BPW5, also sold by Yongrow and METIKO.
  public static let yonker = DeviceModel(
    id: 10109, type: .bloodPressure, manufacturer: "Yonker", model: "YK-IBPA1",
    instructions: "Take a measurement first; the phone connects when it is done.",
    connectTimeout: .seconds(120), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["CDEACD80-5235-4C07-8846-93A37EE6B86D"], namePrefixes: ["YK-"]),
    drivers: [.yonkerBloodPressure])

  /// Jumper JPD-HA120.
  public static let jumperJPDHA120 = DeviceModel(
    id: 10110, type: .bloodPressure, manufacturer: "Jumper", model: "JPD-HA120",
    instructions: measureAndWait,
    connectTimeout: .seconds(120), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["FFF0"], namePrefixes: ["JPD-HA"]),
    drivers: [.jumperBloodPressure])

  /// AndesFit ADF-B19 and BPM_01.
  public static let andesFitADFB19 = DeviceModel(
    id: 10111, type: .bloodPressure, manufacturer: "AndesFit", model: "ADF-B19",
    instructions: measureAndWait,
    connectTimeout: .seconds(120), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["FFF0"], namePrefixes: ["ADF-B", "BPM_01"]),
    drivers: [.andesFitBloodPressure])
}
