// SPDX-License-Identifier: Apache-2.0

import HealthKit

func isAsleep(_ value: HKCategoryValueSleepAnalysis) -> Bool {
  switch value {
  case .inBed, .awake: false
  case .asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM: true
  }
}
