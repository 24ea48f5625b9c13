// SPDX-License-Identifier: Apache-2.0

/// Weight Measurement (2A9D): one weighing.
///
/// ```
/// // 0E  783E  EA07 05 0C 12 35 36  01  EE00 2607
/// // FL  WGHT  YEAR MO DA HH MM SS  US  BMI  HGHT
/// ```
///
/// Source: GATT Specification Supplement, Weight Measurement. The words are kept as sent.
public struct WeightMeasurement: CharacteristicValue {
  /// Flags of the weight measurement.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 0: weight and height are in pounds and inches.
    public static let imperial = Flags(rawValue: 1 << 0)
    /// Bit 1: there is a time stamp.
    public static let timestampPresent = Flags(rawValue: 1 << 1)
    /// Bit 2: there is a user ID.
    public static let userIDPresent = Flags(rawValue: 1 << 2)
    /// Bit 3: there are body mass index and height.
    public static let bmiAndHeightPresent = Flags(rawValue: 1 << 3)

    static let reserved = Flags(rawValue: 0xF0)
  }

  /// Body mass index and height, which come together (Flags bit 3).
  public struct BMIAndHeight: Hashable, Sendable {
    /// BMI as sent, in steps of 0.1 kg/m².
    public var rawBMI: UInt16
    /// Height as sent, in steps of 0.001 m or 0.1 in.
    public var rawHeight: UInt16

    /// Creates the pair from its wire words.
    public init(rawBMI: UInt16, rawHeight: UInt16) {
      self.rawBMI = rawBMI
      self.rawHeight = rawHeight
    }
  }

  /// Units and steps of weight and height (Flags bit 0).
  public var units: MeasurementUnits
  /// Weight as sent, in steps of 0.005 kg or 0.01 lb; 0xFFFF for a failed measurement.
  public var rawWeight: UInt16
  /// The time on the device's clock (Flags bit 1).
  public var timestamp: Timestamp?
  /// Who was weighed (Flags bit 2).
  public var userID: UserID?
  /// Body mass index and height (Flags bit 3).
  public var bmiAndHeight: BMIAndHeight?
  /// The reserved bits 4...7 of Flags as sent.
  public package(set) var reservedFlags: Flags = []
  /// What follows the last field that Flags announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a measurement from its wire words; `MeasurementUnits.steps` makes them.
  public init(
    units: MeasurementUnits = .si, rawWeight: UInt16, timestamp: Timestamp? = nil,
    userID: UserID? = nil, bmiAndHeight: BMIAndHeight? = nil
  ) {
    self.units = units
    self.rawWeight = rawWeight
    self.timestamp = timestamp
    self.userID = userID
    self.bmiAndHeight = bmiAndHeight
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = Flags(rawValue: try reader.uint8(field: "Flags"))
    units = flags.contains(.imperial) ? .imperial : .si
    rawWeight = try reader.uint16(field: "Weight")
    if flags.contains(.timestampPresent) {
      timestamp = try reader.timestamp(field: "Time Stamp")
    }
    if flags.contains(.userIDPresent) {
      userID = UserID(rawValue: try reader.uint8(field: "User ID"))
    }
    if flags.contains(.bmiAndHeightPresent) {
      bmiAndHeight = BMIAndHeight(
        rawBMI: try reader.uint16(field: "BMI"), rawHeight: try reader.uint16(field: "Height"))
    }
    reservedFlags = flags.intersection(.reserved)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    writer.uint16(rawWeight)
    if let timestamp { writer.timestamp(timestamp) }
    if let userID { writer.uint8(userID.rawValue) }
    if let bmiAndHeight {
      writer.uint16(bmiAndHeight.rawBMI)
      writer.uint16(bmiAndHeight.rawHeight)
    }
    writer.append(trailingBytes)
  }

  /// Flags: the units, which fields are there, and the reserved bits.
  public var flags: Flags {
    var flags = reservedFlags.intersection(.reserved)
    if units == .imperial { flags.insert(.imperial) }
    if timestamp != nil { flags.insert(.timestampPresent) }
    if userID != nil { flags.insert(.userIDPresent) }
    if bmiAndHeight != nil { flags.insert(.bmiAndHeightPresent) }
    return flags
  }
}

extension WeightMeasurement {
  /// Whether the scale could not measure (Weight is 0xFFFF).
  public var isUnsuccessful: Bool { rawWeight == MeasurementUnits.unsuccessful }

  /// The weight; nil when the scale could not measure.
  public var weight: Mass? { isUnsuccessful ? nil : units.mass(steps: rawWeight) }

  /// The body mass index in kg/m²; nil when the scale does not know it.
  public var bodyMassIndex: Double? { bmiAndHeight.map { Double($0.rawBMI) / 10 } }

  /// The height of the user; nil when the scale does not know it.
  public var height: Length? { bmiAndHeight.map { units.height(steps: $0.rawHeight) } }
}
