// SPDX-License-Identifier: Apache-2.0

/// How strong a bleeding is.
@nonexhaustive
public enum HKCategoryValueMenstrualFlow: Int, @unchecked Sendable {
  case unspecified = 1
  case light = 2
  case medium = 3
  case heavy = 4
  case none = 5
}

/// The mucus of the cervix, from the least fertile on.
@nonexhaustive
public enum HKCategoryValueCervicalMucusQuality: Int, @unchecked Sendable {
  case dry = 1
  case sticky = 2
  case creamy = 3
  case watery = 4
  case eggWhite = 5
}

/// The result of an ovulation test.
@nonexhaustive
public enum HKCategoryValueOvulationTestResult: Int, @unchecked Sendable {
  case negative = 1
  case luteinizingHormoneSurge = 2
  case indeterminate = 3
  case estrogenSurge = 4

  /// The older name of ``luteinizingHormoneSurge``.
  @available(
    iOS, introduced: 9.0, deprecated: 13.0,
    renamed: "HKCategoryValueOvulationTestResult.luteinizingHormoneSurge"
  )
  public static var positive: HKCategoryValueOvulationTestResult { .luteinizingHormoneSurge }
}

/// The result of a pregnancy test.
@nonexhaustive
public enum HKCategoryValuePregnancyTestResult: Int, @unchecked Sendable {
  case negative = 1
  case positive = 2
  case indeterminate = 3
}

/// The result of a progesterone test.
@nonexhaustive
public enum HKCategoryValueProgesteroneTestResult: Int, @unchecked Sendable {
  case negative = 1
  case positive = 2
  case indeterminate = 3
}

/// A kind of contraceptive.
@nonexhaustive
public enum HKCategoryValueContraceptive: Int, @unchecked Sendable {
  case unspecified = 1
  case implant = 2
  case injection = 3
  case intrauterineDevice = 4
  case intravaginalRing = 5
  case oral = 6
  case patch = 7
}

/// How heavy a bleeding is; since iOS 18 in place of ``HKCategoryValueMenstrualFlow``.
@nonexhaustive
public enum HKCategoryValueVaginalBleeding: Int, @unchecked Sendable {
  case unspecified = 1
  case light = 2
  case medium = 3
  case heavy = 4
  case none = 5
}
