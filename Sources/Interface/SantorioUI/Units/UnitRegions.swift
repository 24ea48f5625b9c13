// SPDX-License-Identifier: Apache-2.0

/// Where which unit is usual, by the codes of countries (ISO 3166).
///
/// The tables are those of Unicode CLDR 45, `supplemental/unitPreferenceData`: concentration for
/// `blood-glucose`, mass for `person`, temperature for `weather`. Germany uses both units of glucose;
/// CLDR, as most meters that are sold there, has mg/dL, and a person can choose.
enum UnitRegions {
  /// Where blood glucose is given in mmol/L; in mg/dL elsewhere.
  static let glucoseInMillimoles: Set<String> = [
    "AG", "AI", "AO", "AU", "BA", "BG", "BH", "BM", "BN", "BW", "BY", "CA", "CH", "CM", "CN", "CZ",
    "DK", "DM", "EE", "FI", "FJ", "GB", "GD", "HK", "HR", "HU", "IE", "IM", "IS", "KE", "KN", "KW",
    "KZ", "LC", "LI", "LT", "LU", "LV", "ME", "MG", "MK", "MO", "MS", "MT", "MU", "MY", "MZ", "NA",
    "NL", "NO", "NZ", "OM", "PG", "RS", "RU", "SE", "SG", "SI", "SK", "TC", "TO", "UA", "UG", "VC",
    "VG", "VN", "VU", "ZA",
  ]
  /// Where people weigh themselves in stones and pounds.
  static let stones: Set<String> = ["GB"]
  /// Where people weigh themselves in pounds; in kilograms elsewhere.
  static let pounds: Set<String> = ["HK", "US"]
  /// Where temperatures are given in degrees Fahrenheit; in degrees Celsius elsewhere.
  static let fahrenheit: Set<String> = ["BS", "BZ", "KY", "PR", "PW", "US"]
}
