// SPDX-License-Identifier: Apache-2.0

/// What was measured in a Glucose Measurement: concentration, kind of fluid and place.
public struct GlucoseSample: Hashable, Sendable {
  /// Type: the fluid that was tested; values without a name are reserved and kept.
  public struct Fluid: RawRepresentable, Hashable, Sendable {
    /// The four bits, 0...15.
    public let rawValue: UInt8

    /// Takes a value of four bits; nil above 15.
    public init?(rawValue: UInt8) {
      guard rawValue <= 0xF else { return nil }
      self.rawValue = rawValue
    }

    init(nibble: UInt8) {
      rawValue = nibble & 0xF
    }

    /// Capillary whole blood.
    public static let capillaryWholeBlood = Fluid(nibble: 1)
    /// Capillary plasma.
    public static let capillaryPlasma = Fluid(nibble: 2)
    /// Venous whole blood.
    public static let venousWholeBlood = Fluid(nibble: 3)
    /// Venous plasma; Accu-Chek meters mark with it a result that they do not list themselves.
    public static let venousPlasma = Fluid(nibble: 4)
    /// Arterial whole blood.
    public static let arterialWholeBlood = Fluid(nibble: 5)
    /// Arterial plasma.
    public static let arterialPlasma = Fluid(nibble: 6)
    /// Whole blood of unknown origin.
    public static let undeterminedWholeBlood = Fluid(nibble: 7)
    /// Plasma of unknown origin.
    public static let undeterminedPlasma = Fluid(nibble: 8)
    /// Interstitial fluid.
    public static let interstitialFluid = Fluid(nibble: 9)
    /// Control solution: a check of the meter, not of a person.
    public static let controlSolution = Fluid(nibble: 10)
  }

  /// Sample Location; values without a name are reserved and kept.
  public struct Location: RawRepresentable, Hashable, Sendable {
    /// The four bits, 0...15.
    public let rawValue: UInt8

    /// Takes a value of four bits; nil above 15.
    public init?(rawValue: UInt8) {
      guard rawValue <= 0xF else { return nil }
      self.rawValue = rawValue
    }

    init(nibble: UInt8) {
      rawValue = nibble & 0xF
    }

    /// A finger.
    public static let finger = Location(nibble: 1)
    /// An alternate site, for instance the forearm.
    public static let alternateSite = Location(nibble: 2)
    /// An earlobe.
    public static let earlobe = Location(nibble: 3)
    /// Control solution: a check of the meter, not of a person.
    public static let controlSolution = Location(nibble: 4)
    /// Tissue under the skin; continuous glucose monitors only.
    public static let subcutaneousTissue = Location(nibble: 5)
    /// The device does not say.
    public static let notAvailable = Location(nibble: 15)
  }

  /// The concentration as sent, in kg/L or mol/L (see `GlucoseMeasurement.unit`).
  public var concentration: MedicalFloat16
  /// The fluid that was tested.
  public var fluid: Fluid
  /// Where it was taken.
  public var location: Location

  /// Creates a sample.
  public init(
    concentration: MedicalFloat16, fluid: Fluid = .capillaryPlasma, location: Location = .finger
  ) {
    self.concentration = concentration
    self.fluid = fluid
    self.location = location
  }

  /// Whether control solution was tested, by either of the two fields that can say so.
  public var isControlSolution: Bool {
    fluid == .controlSolution || location == .controlSolution
  }
}

extension GlucoseSample {
  init(from reader: inout PayloadReader) throws(PayloadError) {
    concentration = try reader.medicalFloat16(field: "Glucose Concentration")
    let byte = try reader.uint8(field: "Type-Sample Location")
    fluid = Fluid(nibble: byte)
    location = Location(nibble: byte >> 4)
  }

  func encode(to writer: inout PayloadWriter) {
    writer.medicalFloat16(concentration)
    writer.uint8(location.rawValue << 4 | fluid.rawValue)
  }
}
