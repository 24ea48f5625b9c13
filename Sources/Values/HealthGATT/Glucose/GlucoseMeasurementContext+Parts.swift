// SPDX-License-Identifier: Apache-2.0

extension GlucoseMeasurementContext {
  /// Carbohydrate: what was eaten and how much of it.
  public struct Carbohydrate: Hashable, Sendable {
    /// Carbohydrate ID; values without a name are reserved and kept.
    public struct Occasion: RawRepresentable, Hashable, Sendable {
      /// The byte.
      public let rawValue: UInt8

      /// Takes any byte.
      public init(rawValue: UInt8) {
        self.rawValue = rawValue
      }

      /// Breakfast.
      public static let breakfast = Occasion(rawValue: 1)
      /// Lunch.
      public static let lunch = Occasion(rawValue: 2)
      /// Dinner.
      public static let dinner = Occasion(rawValue: 3)
      /// A snack.
      public static let snack = Occasion(rawValue: 4)
      /// A drink.
      public static let drink = Occasion(rawValue: 5)
      /// Supper.
      public static let supper = Occasion(rawValue: 6)
      /// Brunch.
      public static let brunch = Occasion(rawValue: 7)
    }

    /// At what meal.
    public var occasion: Occasion
    /// The mass as sent, in kilograms.
    public var mass: MedicalFloat16

    /// Creates a carbohydrate.
    public init(occasion: Occasion, mass: MedicalFloat16) {
      self.occasion = occasion
      self.mass = mass
    }

    /// The mass in grams; nil when the device sent a special value.
    public var grams: Double? { mass.number.shifted(by: 3).double }
  }

  /// Meal: before or after which meal it was measured; values without a name are reserved and kept.
  public struct Meal: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Before a meal.
    public static let preprandial = Meal(rawValue: 1)
    /// After a meal.
    public static let postprandial = Meal(rawValue: 2)
    /// Fasting.
    public static let fasting = Meal(rawValue: 3)
    /// Casual: a snack, a drink, or the like.
    public static let casual = Meal(rawValue: 4)
    /// At bedtime.
    public static let bedtime = Meal(rawValue: 5)
  }

  /// Tester: who made the measurement; values without a name are reserved and kept.
  public struct Tester: RawRepresentable, Hashable, Sendable {
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

    /// Self: the person whose glucose it is.
    public static let patient = Tester(nibble: 1)
    /// A health-care professional.
    public static let healthCareProfessional = Tester(nibble: 2)
    /// A laboratory.
    public static let laboratory = Tester(nibble: 3)
    /// The device does not say.
    public static let notAvailable = Tester(nibble: 15)
  }

  /// Health: how the person felt; values without a name are reserved and kept.
  public struct Health: RawRepresentable, Hashable, Sendable {
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

    /// Minor health issues.
    public static let minorIssues = Health(nibble: 1)
    /// Major health issues.
    public static let majorIssues = Health(nibble: 2)
    /// During menses.
    public static let duringMenses = Health(nibble: 3)
    /// Under stress.
    public static let underStress = Health(nibble: 4)
    /// No health issues.
    public static let noIssues = Health(nibble: 5)
    /// The device does not say.
    public static let notAvailable = Health(nibble: 15)
  }

  /// Tester and Health, which share a byte: the tester is its low half.
  public struct TesterHealth: Hashable, Sendable {
    /// Who made the measurement.
    public var tester: Tester
    /// How the person felt.
    public var health: Health

    /// Creates the pair.
    public init(tester: Tester, health: Health) {
      self.tester = tester
      self.health = health
    }
  }

  /// Exercise: how long and how hard.
  public struct Exercise: Hashable, Sendable {
    /// Exercise Duration as sent: seconds, 65535 for an overrun.
    public var durationSeconds: UInt16
    /// Exercise Intensity as sent: percent.
    public var intensityPercent: UInt8

    /// Creates an exercise.
    public init(durationSeconds: UInt16, intensityPercent: UInt8) {
      self.durationSeconds = durationSeconds
      self.intensityPercent = intensityPercent
    }

    /// How long it took; nil for an overrun (65535).
    public var duration: Duration? {
      durationSeconds == .max ? nil : .seconds(Int(durationSeconds))
    }
  }

  /// Medication: which, and how much of it.
  public struct Medication: Hashable, Sendable {
    /// Medication ID; values without a name are reserved and kept.
    public struct Kind: RawRepresentable, Hashable, Sendable {
      /// The byte.
      public let rawValue: UInt8

      /// Takes any byte.
      public init(rawValue: UInt8) {
        self.rawValue = rawValue
      }

      /// Rapid-acting insulin.
      public static let rapidActingInsulin = Kind(rawValue: 1)
      /// Short-acting insulin.
      public static let shortActingInsulin = Kind(rawValue: 2)
      /// Intermediate-acting insulin.
      public static let intermediateActingInsulin = Kind(rawValue: 3)
      /// Long-acting insulin.
      public static let longActingInsulin = Kind(rawValue: 4)
      /// Pre-mixed insulin.
      public static let preMixedInsulin = Kind(rawValue: 5)
    }

    /// Which.
    public var kind: Kind
    /// The amount as sent, in kilograms or litres (see `GlucoseMeasurementContext.medicationUnit`).
    ///
    /// The profile has no international units: a meter that means them says something else.
    public var amount: MedicalFloat16

    /// Creates a medication.
    public init(kind: Kind, amount: MedicalFloat16) {
      self.kind = kind
      self.amount = amount
    }
  }
}
