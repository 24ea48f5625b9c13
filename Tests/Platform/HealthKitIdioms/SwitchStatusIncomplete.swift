// SPDX-License-Identifier: Apache-2.0

import HealthKit

func mayAsk(_ store: HKHealthStore, _ type: HKObjectType) -> Bool {
  switch store.authorizationStatus(for: type) {
  case .notDetermined: true
  case .sharingDenied: false
  @unknown default: false
  }
}
