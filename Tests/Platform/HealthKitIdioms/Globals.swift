// SPDX-License-Identifier: Apache-2.0

// Differs: types and stores are Sendable since iOS 18; that SDK is older.
import HealthKit

let store = HKHealthStore()
let steps = HKQuantityType(.stepCount)
let anchor = HKQueryAnchor(fromValue: 0)
