// SPDX-License-Identifier: Apache-2.0

import HealthKit

let options: HKStatisticsOptions = [.discreteAverage, .discreteMin, .separateBySource]
let strict: HKQueryOptions = .strictStartDate
let both = strict.union(.strictEndDate)
let none: HKQueryOptions = []
