// SPDX-License-Identifier: Apache-2.0

// Differs: Foundation on Linux has no key-value coding.
import HealthKit

func value(_ sample: HKSample) -> Any? { sample.value(forKey: "startDate") }
