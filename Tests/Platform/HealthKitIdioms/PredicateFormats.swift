// SPDX-License-Identifier: Apache-2.0

// Differs: Foundation on Linux has no formats of predicates. Use the factories of HKQuery.
import HealthKit

let notEntered = NSPredicate(
  format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
let recent = NSPredicate(
  format: "%K >= %@", HKPredicateKeyPathStartDate, Date.distantPast as NSDate)
