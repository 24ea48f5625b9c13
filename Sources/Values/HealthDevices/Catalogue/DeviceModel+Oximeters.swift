// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// Pulse oximeters with protocols of their own. Most advertise a name and no service that a scan
// could ask for, so that they are found in the foreground only.
extension DeviceModel {
  /// Nonin 3230, and 3231: advertises as long as a finger is in it.
  public static let nonin3230 = DeviceModel(
    id: 13, type: .pulseOximeter, manufacturer: "Nonin", model: "3230",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(
      services: [Attribute.noninOximetry.service], namePrefixes: ["Nonin3230", "Nonin3231"]),
    drivers: [.nonin])

  /// ChoiceMMed MD300C228 and MD300C208, sold as "iChoice".
  public static let choiceMMedMD300C228 = DeviceModel(
    id: 25, type: .pulseOximeter, manufacturer: "ChoiceMMed", model: "MD300C228",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(30),
    // Its service ends in the device's address: no scan can ask for it.
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["iChoice"]),
    drivers: [.choiceMMedOximeter])

  /// Nonin 3150 BLE (WristOx2), worn on the wrist.
  public static let nonin3150 = DeviceModel(
    id: 10300, type: .pulseOximeter, manufacturer: "Nonin", model: "WristOx2 3150 BLE",
    instructions: "Put the sensor on a finger. The oximeter switches itself on.",
    readingInstructions: holdStill,
    pairingInstructions: """
      Take the batteries out and put them in again: for two minutes the oximeter accepts a new phone.
      """,
    requiresPairing: true, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: [Attribute.noninOximetry.service], namePrefixes: ["Nonin3150"]),
    drivers: [.nonin])

  // A ring may have many nights to tell, half a minute each.

  /// Viatom (Wellue) O2Ring, Checkme O2, SleepU, KidsO2, O2 Max: rings that record the night.
  public static let viatomO2Ring = DeviceModel(
    id: 10301, type: .pulseOximeter, manufacturer: "Viatom", model: "O2Ring",
    instructions: ring, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(600),
    advertisementFilter: AdvertisementFilter(
      services: [],
      namePrefixes: [
        "O2Ring", "Checkme O2", "CheckO2", "SleepO2", "SleepU", "KidsO2", "O2NCI",
        "O2M", "CMRing",
      ]),
    drivers: [.viatomRing])

  /// Viatom (Wellue) O2Ring-S, S8-AW, SHQO2Pro and Band-WU, as they advertise when they are not
  /// recording.
  public static let viatomO2RingS = DeviceModel(
    id: 10302, type: .pulseOximeter, manufacturer: "Viatom", model: "O2Ring-S",
    instructions: ring, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(600),
    advertisementFilter: AdvertisementFilter(
      services: [], namePrefixes: ["S8-AW", "SHQO2Pro", "Band-WU"]),
    drivers: [.oxyIIRing])

  /// Viatom PC-60FW, PC-60NW and POD.
  public static let viatomPC60FW = DeviceModel(
    id: 10303, type: .pulseOximeter, manufacturer: "Viatom", model: "PC-60FW",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: [], namePrefixes: ["PC-60FW", "PC-60NW", "POD"]),
    drivers: [.pc60])

  /// Jumper JPD-500E/F/G and the many oximeters built alike, whatever their name.
  public static let jumperJPD500 = DeviceModel(
    id: 10304, type: .pulseOximeter, manufacturer: "Jumper", model: "JPD-500",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [Attribute.jumperOximetry.service]),
    drivers: [.jumperOximeter])

  /// Berry BM1000, BM1000B, BM1000C and BM1000E.
  public static let berryBM1000 = DeviceModel(
    id: 10305, type: .pulseOximeter, manufacturer: "Berry", model: "BM1000",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: [Attribute.berryPackets.service], namePrefixes: ["BerryMed", "BM1000"]),
    drivers: [.berry])

  /// Beurer PO60, which keeps its measurements.
  public static let beurerPO60 = DeviceModel(
    id: 10306, type: .pulseOximeter, manufacturer: "Beurer", model: "PO60",
    instructions: "Measure with the oximeter, then keep it near the phone.",
    appearsAfterMeasurement: true,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["PO60"]),
    drivers: [.po60])

  /// JKS50F and oximeters built alike, which call themselves "OXIMETER".
  public static let jks50f = DeviceModel(
    id: 10307, type: .pulseOximeter, manufacturer: "Guangdong Health", model: "JKS50F",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["OXIMETER"]),
    drivers: [.jks50f])

  /// FS20F and oximeters built alike.
  public static let fs20f = DeviceModel(
    id: 10308, type: .pulseOximeter, manufacturer: "", model: "FS20F",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: [], namePrefixes: ["FS20F", "VTM 20F", "Tv221u", "Medical"]),
    drivers: [.fs20f])

  /// Masimo MightySat Rx.
  public static let masimoMightySat = DeviceModel(
    id: 10309, type: .pulseOximeter, manufacturer: "Masimo", model: "MightySat Rx",
    instructions: clip, readingInstructions: holdStill,
    // What is public of its protocol goes back to a confidential document of the manufacturer's.
    isDisabled: true, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["54C21000-A720-4B4F-11E4-9FE20002A5D5"], namePrefixes: ["MightySat"]))

  /// Contec CMS50D-BT, CMS50F, CMS50K and relatives.
  public static let contecCMS50 = DeviceModel(
    id: 10310, type: .pulseOximeter, manufacturer: "Contec", model: "CMS50D-BT",
    instructions: clip, readingInstructions: holdStill,
    // The commands of its protocol are known, the layout of its answers is not public.
    isDisabled: true, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["SpO2"]))

  static let oximeters = [
    nonin3230, choiceMMedMD300C228, nonin3150, viatomO2Ring, viatomO2RingS, viatomPC60FW,
    jumperJPD500, berryBM1000, beurerPO60, jks50f, fs20f, masimoMightySat, contecCMS50,
  ]

  private static let clip = """
    Sit quietly for a few minutes, warm your hand, and put a finger into the oximeter.
    """
  private static let ring = """
    Take the ring off and wait until its recording is over, or wear it for a value of the moment.
    """
  private static let holdStill = """
    Keep the hand still until the values have settled; this takes at least ten seconds.
    """
}
