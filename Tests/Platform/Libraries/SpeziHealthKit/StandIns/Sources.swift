// SPDX-License-Identifier: Apache-2.0

// In place of a method that Apple does not publish.
import HealthKit
import HealthKitSimulation

extension HKSource {
  static func make(name: String, bundleId: String) -> HKSource? {
    SimulatedPhone.source(named: name, bundleIdentifier: bundleId).source
  }
}
