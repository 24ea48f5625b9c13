// SPDX-License-Identifier: Apache-2.0

/// Glucose Measurement Context (2A34): what was around a Glucose Measurement.
///
/// It belongs to the measurement with the same sequence number, and may come before or after it.
///
/// ```
/// // FF  1E00  00  04 0FD0  04  12  3C00 32  04 2CA1  59F1
/// // FL  SEQN  EF  CARBOHYD ME  HT  EXERCISE MEDICAT. HBA1
/// ```
///
/// Source: GATT Specification Supplement, Glucose Measurement Context; Glucose Service. Amounts are
/// SFLOATs, kept as sent.
public struct GlucoseMeasurementContext: CharacteristicValue {
  /// The units of a medication on the wire.
  public enum MedicationUnit: String, Hashable, Sendable {
    /// Kilogram.
    case kilogram = "kg"
    /// Litre.
    case liter = "L"
  }

  /// The number of the measurement that this belongs to.
  public var sequenceNumber: UInt16
  /// Extended Flags (Flags bit 7), which the specification keeps for later use.
  public var extendedFlags: UInt8?
  /// What was eaten (Flags bit 0).
  public var carbohydrate: Carbohydrate?
  /// How the measurement lies to meals (Flags bit 1).
  public var meal: Meal?
  /// Who tested, and how the person felt (Flags bit 2).
  public var testerHealth: TesterHealth?
  /// What exercise was taken (Flags bit 3).
  public var exercise: Exercise?
  /// What medication was taken (Flags bit 4).
  public var medication: Medication?
  /// The unit of the medication (Flags bit 5).
  public var medicationUnit: MedicationUnit
  /// HbA1c as sent, in percent (Flags bit 6).
  public var hba1c: MedicalFloat16?
  /// What follows the last field that Flags announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a context.
  public init(
    sequenceNumber: UInt16, carbohydrate: Carbohydrate? = nil, meal: Meal? = nil,
    testerHealth: TesterHealth? = nil, exercise: Exercise? = nil, medication: Medication? = nil,
    medicationUnit: MedicationUnit = .kilogram, hba1c: MedicalFloat16? = nil
  ) {
    self.sequenceNumber = sequenceNumber
    self.carbohydrate = carbohydrate
    self.meal = meal
    self.testerHealth = testerHealth
    self.exercise = exercise
    self.medication = medication
    self.medicationUnit = medicationUnit
    self.hba1c = hba1c
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = GlucoseContextFlags(rawValue: try reader.uint8(field: "Flags"))
    sequenceNumber = try reader.uint16(field: "Sequence Number")
    if flags.contains(.extendedFlagsPresent) {
      extendedFlags = try reader.uint8(field: "Extended Flags")
    }
    if flags.contains(.carbohydratePresent) { carbohydrate = try Carbohydrate(from: &reader) }
    if flags.contains(.mealPresent) { meal = Meal(rawValue: try reader.uint8(field: "Meal")) }
    if flags.contains(.testerHealthPresent) { testerHealth = try TesterHealth(from: &reader) }
    if flags.contains(.exercisePresent) { exercise = try Exercise(from: &reader) }
    if flags.contains(.medicationPresent) { medication = try Medication(from: &reader) }
    medicationUnit = flags.contains(.medicationInLiters) ? .liter : .kilogram
    if flags.contains(.hba1cPresent) { hba1c = try reader.medicalFloat16(field: "HbA1c") }
    trailingBytes = reader.remainingBytes()
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    writer.uint16(sequenceNumber)
    if let extendedFlags { writer.uint8(extendedFlags) }
    carbohydrate?.encode(to: &writer)
    if let meal { writer.uint8(meal.rawValue) }
    testerHealth?.encode(to: &writer)
    exercise?.encode(to: &writer)
    medication?.encode(to: &writer)
    if let hba1c { writer.medicalFloat16(hba1c) }
    writer.append(trailingBytes)
  }

  /// Flags: which fields are there, and the unit of the medication.
  public var flags: GlucoseContextFlags {
    var flags: GlucoseContextFlags = []
    if extendedFlags != nil { flags.insert(.extendedFlagsPresent) }
    if carbohydrate != nil { flags.insert(.carbohydratePresent) }
    if meal != nil { flags.insert(.mealPresent) }
    if testerHealth != nil { flags.insert(.testerHealthPresent) }
    if exercise != nil { flags.insert(.exercisePresent) }
    if medication != nil { flags.insert(.medicationPresent) }
    if medicationUnit == .liter { flags.insert(.medicationInLiters) }
    if hba1c != nil { flags.insert(.hba1cPresent) }
    return flags
  }
}

extension GlucoseMeasurementContext.Carbohydrate {
  init(from reader: inout PayloadReader) throws(PayloadError) {
    occasion = Occasion(rawValue: try reader.uint8(field: "Carbohydrate ID"))
    mass = try reader.medicalFloat16(field: "Carbohydrate")
  }

  func encode(to writer: inout PayloadWriter) {
    writer.uint8(occasion.rawValue)
    writer.medicalFloat16(mass)
  }
}

extension GlucoseMeasurementContext.TesterHealth {
  init(from reader: inout PayloadReader) throws(PayloadError) {
    let byte = try reader.uint8(field: "Tester-Health")
    tester = GlucoseMeasurementContext.Tester(nibble: byte)
    health = GlucoseMeasurementContext.Health(nibble: byte >> 4)
  }

  func encode(to writer: inout PayloadWriter) {
    writer.uint8(health.rawValue << 4 | tester.rawValue)
  }
}

extension GlucoseMeasurementContext.Exercise {
  init(from reader: inout PayloadReader) throws(PayloadError) {
    durationSeconds = try reader.uint16(field: "Exercise Duration")
    intensityPercent = try reader.uint8(field: "Exercise Intensity")
  }

  func encode(to writer: inout PayloadWriter) {
    writer.uint16(durationSeconds)
    writer.uint8(intensityPercent)
  }
}

extension GlucoseMeasurementContext.Medication {
  init(from reader: inout PayloadReader) throws(PayloadError) {
    kind = Kind(rawValue: try reader.uint8(field: "Medication ID"))
    amount = try reader.medicalFloat16(field: "Medication")
  }

  func encode(to writer: inout PayloadWriter) {
    writer.uint8(kind.rawValue)
    writer.medicalFloat16(amount)
  }
}
