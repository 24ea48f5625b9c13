// SPDX-License-Identifier: Apache-2.0

import HealthKit

func log(_ sample: HKSample, _ type: HKObjectType) {
  NSLog("%@ of %@", sample, type)
}
