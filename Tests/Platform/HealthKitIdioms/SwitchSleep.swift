// SPDX-License-Identifier: Apache-2.0

import HealthKit

func name(_ sample: HKCategorySample) -> String {
  guard let value = HKCategoryValueSleepAnalysis(rawValue: sample.value) else { return "new" }
  switch value {
  case .inBed: return "in bed"
  case .asleepUnspecified: return "asleep"
  case .awake: return "awake"
  case .asleepCore: return "core"
  case .asleepDeep: return "deep"
  case .asleepREM: return "REM"
  @unknown default: return "new"
  }
}
