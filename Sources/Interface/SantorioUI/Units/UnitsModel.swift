// SPDX-License-Identifier: Apache-2.0

public import ClinicalUnits
public import Foundation

/// Lets a person choose units, and keeps the choice.
@MainActor public final class UnitsModel: ViewModel<UnitsModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// The units, with what was chosen.
    public internal(set) var units: UnitPreferences
  }

  private let defaults: UserDefaults

  /// A model with the units that were chosen before.
  ///
  /// - Parameters:
  ///   - locale: The person's region.
  ///   - defaults: Where the choice is kept.
  public init(locale: Locale = .autoupdatingCurrent, defaults: UserDefaults = .standard) {
    self.defaults = defaults
    super.init(State(units: Self.kept(in: defaults, locale)))
  }

  /// The units that were chosen before.
  ///
  /// - Parameters:
  ///   - defaults: Where the choice is kept.
  ///   - locale: The person's region.
  /// - Returns: The units.
  public static func kept(in defaults: UserDefaults, _ locale: Locale) -> UnitPreferences {
    var units = UnitPreferences(locale: locale)
    units.chosenGlucose = defaults.string(forKey: glucoseKey).flatMap(GlucoseUnit.init)
    units.chosenMass = defaults.string(forKey: massKey).flatMap(MassUnit.init)
    units.chosenTemperature = defaults.string(forKey: temperatureKey).flatMap(TemperatureUnit.init)
    units.chosenPressure = defaults.string(forKey: pressureKey).flatMap(PressureUnit.init)
    return units
  }

  private static let glucoseKey = "santorio.units.glucose"
  private static let massKey = "santorio.units.mass"
  private static let temperatureKey = "santorio.units.temperature"
  private static let pressureKey = "santorio.units.pressure"

  /// Chooses the unit of blood glucose.
  ///
  /// - Parameter unit: The unit; nil for that of the region.
  public func choose(glucose unit: GlucoseUnit?) {
    keep(unit?.rawValue, Self.glucoseKey) { $0.chosenGlucose = unit }
  }

  /// Chooses the unit of weight.
  ///
  /// - Parameter unit: The unit; nil for that of the region.
  public func choose(mass unit: MassUnit?) {
    keep(unit?.rawValue, Self.massKey) { $0.chosenMass = unit }
  }

  /// Chooses the unit of temperature.
  ///
  /// - Parameter unit: The unit; nil for that of the region.
  public func choose(temperature unit: TemperatureUnit?) {
    keep(unit?.rawValue, Self.temperatureKey) { $0.chosenTemperature = unit }
  }

  /// Chooses the unit of blood pressure.
  ///
  /// - Parameter unit: The unit; nil for mmHg.
  public func choose(pressure unit: PressureUnit?) {
    keep(unit?.rawValue, Self.pressureKey) { $0.chosenPressure = unit }
  }

  private func keep(_ name: String?, _ key: String, _ change: (inout UnitPreferences) -> Void) {
    if let name { defaults.set(name, forKey: key) } else { defaults.removeObject(forKey: key) }
    update { change(&$0.units) }
  }
}
