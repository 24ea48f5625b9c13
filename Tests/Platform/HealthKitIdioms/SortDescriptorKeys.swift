// SPDX-License-Identifier: Apache-2.0

// Differs: Foundation on Linux has no keys of sort descriptors. Use key paths.
import HealthKit

let byStart = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
