// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  private struct UnitsKey: EnvironmentKey {
    static let defaultValue: UnitPreferences? = nil
  }

  extension EnvironmentValues {
    /// The units of this package's views; nil for those with which their models were made.
    public var santorioUnits: UnitPreferences? {
      get { self[UnitsKey.self] }
      set { self[UnitsKey.self] = newValue }
    }
  }

  extension View {
    /// Sets the units of this package's views, which change with them: also those that are on the screen.
    ///
    /// - Parameter units: The units, for instance of the state of a `UnitsModel`.
    /// - Returns: The view with these units.
    public func santorioUnits(_ units: UnitPreferences) -> some View {
      environment(\.santorioUnits, units)
    }
  }
#endif
