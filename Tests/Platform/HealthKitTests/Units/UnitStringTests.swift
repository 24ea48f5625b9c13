// SPDX-License-Identifier: Apache-2.0

import HealthKit
import Testing

@Test func `a unit prints itself`() {
  #expect(HKUnit(from: "mL/kg.min").unitString == "mL/min·kg")
}
