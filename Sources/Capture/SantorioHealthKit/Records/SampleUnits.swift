// SPDX-License-Identifier: Apache-2.0

package import HealthKit

/// The units in which samples are read.
package enum SampleUnits {
  /// The unit of a type of quantities.
  ///
  /// - Parameter identifier: The type.
  /// - Returns: The unit; nil for a type of which no record is made.
  package static func unit(ofType identifier: String) -> HKUnit? {
    let type = HKQuantityType.quantityType(forIdentifier: .init(rawValue: identifier))
    return type.flatMap(SampleRole.metric(of:)).flatMap(MetricUnits.init)?.unit
  }
}

extension HKWorkoutActivityType {
  /// The name that records have for it, for instance `running`.
  package var recordName: String { WorkoutActivity(self).name }
}
