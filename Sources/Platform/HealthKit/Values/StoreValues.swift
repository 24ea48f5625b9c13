// SPDX-License-Identifier: Apache-2.0

/// How often an app is woken at most.
@nonexhaustive
public enum HKUpdateFrequency: Int, @unchecked Sendable {
  case immediate = 1
  case hourly = 2
  case daily = 3
  case weekly = 4
}

/// Whether an app may save objects of a type.
@nonexhaustive
public enum HKAuthorizationStatus: Int, @unchecked Sendable {
  case notDetermined = 0
  case sharingDenied = 1
  case sharingAuthorized = 2
}

/// Whether an app needs to ask the user.
@nonexhaustive
public enum HKAuthorizationRequestStatus: Int, @unchecked Sendable {
  case unknown = 0
  case shouldRequest = 1
  case unnecessary = 2
}

/// What a prescription is for.
@nonexhaustive
public enum HKVisionPrescriptionType: UInt, @unchecked Sendable {
  case glasses = 1
  case contacts = 2
}

/// How steady a person walks.
@nonexhaustive
public enum HKAppleWalkingSteadinessClassification: Int, CaseIterable, @unchecked Sendable {
  case ok = 1
  case low = 2
  case veryLow = 3
}
