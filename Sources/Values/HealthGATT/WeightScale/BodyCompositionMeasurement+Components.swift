// SPDX-License-Identifier: Apache-2.0

extension BodyCompositionMeasurement {
  /// The optional fields of a body composition as sent; nil for those that are not in the packet.
  public struct Components: Hashable, Sendable {
    /// Basal Metabolism in kilojoules (Flags bit 3).
    public var basalMetabolism: UInt16?
    /// Muscle Percentage in steps of 0.1 % (Flags bit 4).
    public var rawMusclePercentage: UInt16?
    /// Muscle Mass in steps of 0.005 kg or 0.01 lb (Flags bit 5).
    public var rawMuscleMass: UInt16?
    /// Fat Free Mass in steps of 0.005 kg or 0.01 lb (Flags bit 6).
    public var rawFatFreeMass: UInt16?
    /// Soft Lean Mass in steps of 0.005 kg or 0.01 lb (Flags bit 7).
    public var rawSoftLeanMass: UInt16?
    /// Body Water Mass in steps of 0.005 kg or 0.01 lb (Flags bit 8).
    public var rawBodyWaterMass: UInt16?
    /// Impedance in steps of 0.1 Ω (Flags bit 9).
    public var rawImpedance: UInt16?
    /// Weight in steps of 0.005 kg or 0.01 lb (Flags bit 10).
    public var rawWeight: UInt16?
    /// Height in steps of 0.001 m or 0.1 in (Flags bit 11).
    public var rawHeight: UInt16?

    /// Starts with no fields.
    public init() {}
  }
}

extension BodyCompositionMeasurement.Components {
  init(
    _ flags: BodyCompositionFlags, from reader: inout PayloadReader
  ) throws(PayloadError) {
    func word(_ flag: BodyCompositionFlags, _ field: String) throws(PayloadError) -> UInt16? {
      flags.contains(flag) ? try reader.uint16(field: field) : nil
    }
    basalMetabolism = try word(.basalMetabolismPresent, "Basal Metabolism")
    rawMusclePercentage = try word(.musclePercentagePresent, "Muscle Percentage")
    rawMuscleMass = try word(.muscleMassPresent, "Muscle Mass")
    rawFatFreeMass = try word(.fatFreeMassPresent, "Fat Free Mass")
    rawSoftLeanMass = try word(.softLeanMassPresent, "Soft Lean Mass")
    rawBodyWaterMass = try word(.bodyWaterMassPresent, "Body Water Mass")
    rawImpedance = try word(.impedancePresent, "Impedance")
    rawWeight = try word(.weightPresent, "Weight")
    rawHeight = try word(.heightPresent, "Height")
  }

  /// Bits 3...11, in the order of the fields.
  var flags: BodyCompositionFlags {
    var rawValue: UInt16 = 0
    for (position, word) in words.enumerated() where word != nil {
      rawValue |= BodyCompositionFlags.basalMetabolismPresent.rawValue << UInt16(position)
    }
    return BodyCompositionFlags(rawValue: rawValue)
  }

  func encode(to writer: inout PayloadWriter) {
    for case let word? in words { writer.uint16(word) }
  }

  /// The fields, in the order of the specification.
  private var words: [UInt16?] {
    [
      basalMetabolism, rawMusclePercentage, rawMuscleMass, rawFatFreeMass, rawSoftLeanMass,
      rawBodyWaterMass, rawImpedance, rawWeight, rawHeight,
    ]
  }
}
