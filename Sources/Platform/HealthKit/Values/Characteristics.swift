// SPDX-License-Identifier: Apache-2.0

/// The biological sex of a person.
@nonexhaustive
public enum HKBiologicalSex: Int, @unchecked Sendable {
  case notSet = 0
  case female = 1
  case male = 2
  case other = 3
}

/// The blood type of a person.
@nonexhaustive
public enum HKBloodType: Int, @unchecked Sendable {
  case notSet = 0
  case aPositive = 1
  case aNegative = 2
  case bPositive = 3
  case bNegative = 4
  case abPositive = 5
  case abNegative = 6
  case oPositive = 7
  case oNegative = 8
}

/// How a skin reacts to the sun, on Fitzpatrick's scale.
@nonexhaustive
public enum HKFitzpatrickSkinType: Int, @unchecked Sendable {
  case notSet = 0
  case I = 1
  case II = 2
  case III = 3
  case IV = 4
  case V = 5
  case VI = 6
}

/// Whether a person uses a wheelchair.
@nonexhaustive
public enum HKWheelchairUse: Int, @unchecked Sendable {
  case notSet = 0
  case no = 1
  case yes = 2
}

/// What fills a person's move ring.
@nonexhaustive
public enum HKActivityMoveMode: Int, @unchecked Sendable {
  case activeEnergy = 1
  case appleMoveTime = 2
}
