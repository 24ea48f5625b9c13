// SPDX-License-Identifier: Apache-2.0

/// Body Composition Measurement (2A9C): one measurement, or one half of it, of a body composition
/// scale.
///
/// Water is a mass here, not a percentage, and the basal metabolism is in kilojoules. Scales that
/// keep weighings without composition fill the fields with zeros: see `hasComposition`.
///
/// ```
/// // 9803  C500  A01B  7C01  3C2F  7420  5212
/// // FLAG  FAT%  BMR   MUS%  SLM   WATR  IMPE
/// ```
///
/// Source: GATT Specification Supplement, Body Composition Measurement. The words are kept as sent.
public struct BodyCompositionMeasurement: CharacteristicValue {
  /// Units and steps of masses and height (Flags bit 0).
  public var units: MeasurementUnits
  /// Body Fat Percentage as sent, in steps of 0.1 %; 0xFFFF for a failed measurement.
  public var rawBodyFatPercentage: UInt16
  /// The time on the device's clock (Flags bit 1).
  public var timestamp: Timestamp?
  /// Who was measured (Flags bit 2).
  public var userID: UserID?
  /// The other fields as sent (Flags bits 3...11).
  public var components: Components
  /// Whether the measurement is cut into two packets (Flags bit 12); both have the bit.
  public var isMultiplePacketMeasurement: Bool
  /// The reserved bits 13...15 of Flags as sent.
  public package(set) var reservedFlags: BodyCompositionFlags = []
  /// What follows the last field that Flags announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a measurement from its wire words; `MeasurementUnits.steps` makes masses and heights.
  public init(
    units: MeasurementUnits = .si, rawBodyFatPercentage: UInt16, timestamp: Timestamp? = nil,
    userID: UserID? = nil, components: Components = Components(),
    isMultiplePacketMeasurement: Bool = false
  ) {
    self.units = units
    self.rawBodyFatPercentage = rawBodyFatPercentage
    self.timestamp = timestamp
    self.userID = userID
    self.components = components
    self.isMultiplePacketMeasurement = isMultiplePacketMeasurement
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = BodyCompositionFlags(rawValue: try reader.uint16(field: "Flags"))
    units = flags.contains(.imperial) ? .imperial : .si
    rawBodyFatPercentage = try reader.uint16(field: "Body Fat Percentage")
    if flags.contains(.timestampPresent) {
      timestamp = try reader.timestamp(field: "Time Stamp")
    }
    if flags.contains(.userIDPresent) {
      userID = UserID(rawValue: try reader.uint8(field: "User ID"))
    }
    components = try Components(flags, from: &reader)
    isMultiplePacketMeasurement = flags.contains(.multiplePacketMeasurement)
    reservedFlags = flags.intersection(.reserved)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(flags.rawValue)
    writer.uint16(rawBodyFatPercentage)
    if let timestamp { writer.timestamp(timestamp) }
    if let userID { writer.uint8(userID.rawValue) }
    components.encode(to: &writer)
    writer.append(trailingBytes)
  }

  /// Flags: the units, which fields are there, and the reserved bits.
  public var flags: BodyCompositionFlags {
    var flags = components.flags.union(reservedFlags.intersection(.reserved))
    if units == .imperial { flags.insert(.imperial) }
    if timestamp != nil { flags.insert(.timestampPresent) }
    if userID != nil { flags.insert(.userIDPresent) }
    if isMultiplePacketMeasurement { flags.insert(.multiplePacketMeasurement) }
    return flags
  }
}

extension BodyCompositionMeasurement {
  /// The number of kilojoules in a kilocalorie.
  public static let kilojoulesPerKilocalorie = 4.184

  /// Whether the scale could not measure (Body Fat Percentage is 0xFFFF).
  public var isUnsuccessful: Bool { rawBodyFatPercentage == MeasurementUnits.unsuccessful }

  /// Whether there is a composition: body fat is neither 0xFFFF nor 0.
  public var hasComposition: Bool { !isUnsuccessful && rawBodyFatPercentage != 0 }

  /// The body fat in percent; nil when the scale could not measure.
  public var bodyFatPercentage: Double? {
    isUnsuccessful ? nil : Double(rawBodyFatPercentage) / 10
  }

  /// The basal metabolism in kJ a day.
  public var basalMetabolismKilojoules: Double? { components.basalMetabolism.map { Double($0) } }

  /// The basal metabolism in kcal a day, not rounded.
  public var basalMetabolismKilocalories: Double? {
    basalMetabolismKilojoules.map { $0 / Self.kilojoulesPerKilocalorie }
  }

  /// The muscle in percent of the weight.
  public var musclePercentage: Double? { components.rawMusclePercentage.map { Double($0) / 10 } }
  /// The muscle mass.
  public var muscleMass: Mass? { components.rawMuscleMass.map { units.mass(steps: $0) } }
  /// The mass without fat.
  public var fatFreeMass: Mass? { components.rawFatFreeMass.map { units.mass(steps: $0) } }
  /// The mass without fat and bones.
  public var softLeanMass: Mass? { components.rawSoftLeanMass.map { units.mass(steps: $0) } }
  /// The mass of the body's water.
  public var bodyWaterMass: Mass? { components.rawBodyWaterMass.map { units.mass(steps: $0) } }
  /// The impedance in ohms.
  public var impedanceOhms: Double? { components.rawImpedance.map { Double($0) / 10 } }

  /// The weight; nil when it is not in this packet or could not be measured.
  public var weight: Mass? {
    guard let steps = components.rawWeight, steps != MeasurementUnits.unsuccessful else {
      return nil
    }
    return units.mass(steps: steps)
  }

  /// The height of the user.
  public var height: Length? { components.rawHeight.map { units.height(steps: $0) } }
}
