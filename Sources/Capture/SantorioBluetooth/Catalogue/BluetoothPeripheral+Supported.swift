// SPDX-License-Identifier: Apache-2.0

// The catalogue. Facts about advertisements and pairing: the makers' manuals and sample code, and
// public captures; the entries' numbers are Validic's.
extension BluetoothPeripheral {
  /// All peripherals that can be read, in the order of their numbers.
  public static let supported: [BluetoothPeripheral] = catalogue.filter { !$0.isDisabled }

  /// All peripherals of one type.
  ///
  /// - Parameter type: What they measure.
  /// - Returns: The entries, in the order of their numbers.
  public static func supported(_ type: PeripheralType) -> [BluetoothPeripheral] {
    supported.filter { $0.type == type }
  }

  /// The peripheral of a number.
  ///
  /// - Parameter id: The number in the catalogue.
  public init?(id: Int) {
    guard let entry = Self.catalogue.first(where: { $0.id == id }) else { return nil }
    self = entry
  }

  /// The entry that fits an advertisement best: one that knows the name before one that takes any.
  package static func best(
    of candidates: [BluetoothPeripheral], name: String?, services: [String]
  ) -> BluetoothPeripheral? {
    let fitting = candidates.filter { $0.recognition.matches(name: name, services: services) }
    return fitting.first { $0.recognition.isSpecific } ?? fitting.first
  }

  /// A&D UA-651BLE: advertises for about a minute after a measurement, and while it pairs.
  public static let aAndDUA651BLE = BluetoothPeripheral(
    id: 2, type: .bloodPressure, manufacturer: "A&D", model: "UA-651BLE", imageURL: nil,
    instructions: """
      Sit down, put on the cuff and press START on the monitor. Keep the phone near.
      """,
    readingInstructions: """
      The monitor is sending its measurements. Keep the phone near until it is done.
      """,
    pairingInstructions: """
      With the cuff off, hold the START button of the monitor until the display shows «Pr».
      """,
    requiresPairing: true, appearsAfterMeasurement: true, isDisabled: false,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    recognition: Recognition(services: ["1810"], namePrefixes: ["A&D_UA-651BLE"]),
    profile: .bloodPressure(clock: .dateTime))

  /// Any monitor that keeps to the Blood Pressure Profile of the Bluetooth SIG.
  public static let genericBloodPressure = BluetoothPeripheral(
    id: 3000, type: .bloodPressure, manufacturer: "", model: "Blood pressure monitor",
    imageURL: nil,
    instructions: "Take a measurement with the monitor. Keep the phone near.",
    readingInstructions: """
      The monitor is sending its measurements. Keep the phone near until it is done.
      """,
    pairingInstructions: """
      Put the monitor into its pairing mode as its manual says. If the phone asks for a code, enter \
      the one that the monitor shows.
      """,
    requiresPairing: true, appearsAfterMeasurement: true, isDisabled: false,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    recognition: Recognition(services: ["1810"]),
    profile: .bloodPressure(clock: .dateTime))

  private static let catalogue: [BluetoothPeripheral] = [.aAndDUA651BLE, .genericBloodPressure]
}
