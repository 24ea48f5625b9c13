// SPDX-License-Identifier: Apache-2.0

package import DigitReader
package import ValidicCore

extension VLDGlucoseUnit {
  /// The unit as a display shows it.
  package var displayUnit: DisplayUnit {
    self == .MGDL ? .milligramsPerDecilitre : .millimolesPerLitre
  }
}

extension VLDTemperatureUnit {
  /// The unit as a display shows it.
  package var displayUnit: DisplayUnit { self == .celsius ? .celsius : .fahrenheit }
}
