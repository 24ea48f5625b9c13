// SPDX-License-Identifier: Apache-2.0

import HealthKit

func details(_ sample: HKSample) -> [String] {
  let zone = (sample.metadata?[HKMetadataKeyTimeZone] as? String).flatMap(
    TimeZone.init(identifier:))
  let entered = sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool ?? false
  let meal = (sample.metadata?[HKMetadataKeyBloodGlucoseMealTime] as? Int)
    .flatMap(HKBloodGlucoseMealTime.init(rawValue:))
  let product = sample.sourceRevision.productType ?? sample.sourceRevision.source.name
  let system = sample.sourceRevision.operatingSystemVersion.majorVersion
  return ["\(String(describing: zone)) \(entered) \(String(describing: meal)) \(product) \(system)"]
}
