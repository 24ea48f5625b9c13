// SPDX-License-Identifier: Apache-2.0

import HealthKit

func describe(_ error: any Error) -> String {
  switch error {
  case HKError.errorDatabaseInaccessible: return "locked"
  case let error as HKError where error.code == .errorNoData: return "no data"
  case let error as HKError: return "\(error.code.rawValue) \(error.localizedDescription)"
  default: break
  }
  let other = error as NSError
  if other.domain == HKErrorDomain, other.code == HKError.Code.errorAuthorizationDenied.rawValue {
    return "denied"
  }
  return "other"
}

func retry(_ body: () throws -> Void) rethrows {
  do { try body() } catch HKError.errorDatabaseInaccessible { try body() }
}
