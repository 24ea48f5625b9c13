// SPDX-License-Identifier: Apache-2.0

import HealthKit

func archived(_ anchor: HKQueryAnchor) throws -> Data {
  try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
}

func anchor(_ data: Data) throws -> HKQueryAnchor? {
  try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
}
