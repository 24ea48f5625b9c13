// SPDX-License-Identifier: Apache-2.0

/// A workout of any version of iOS.
package struct ExportedWorkout: Hashable, Sendable {
  /// A number with its unit.
  package struct Quantity: Hashable, Sendable {
    package var value: Double
    package var unit: InternedString?
  }

  /// Something that happened during a workout.
  package struct Event: Hashable, Sendable {
    /// The name of its type, `HKWorkoutEventTypePause`.
    package var type: InternedString
    package var date: ExportedInstant
    package var duration: Quantity?
    package var metadata: [ExportedMetadata] = []
  }

  /// What a workout's samples of one type amount to.
  package struct Statistics: Hashable, Sendable {
    /// The name of the quantity type.
    package var type: InternedString
    package var start: ExportedInstant
    package var end: ExportedInstant
    package var sum: Double?
    package var average: Double?
    package var minimum: Double?
    package var maximum: Double?
    package var unit: InternedString?
  }

  /// A part of a workout with several activities.
  package struct Activity: Hashable, Sendable {
    package var identifier: String
    package var start: ExportedInstant
    package var end: ExportedInstant?
    package var duration: Quantity?
    package var metadata: [ExportedMetadata] = []
    package var events: [Event] = []
    package var statistics: [Statistics] = []
  }

  package var sample = ExportedSample()
  /// The time without pauses.
  package var duration: Quantity?
  // Totals, which exports before iOS 16 state.
  package var totalDistance: Quantity?
  package var totalEnergyBurned: Quantity?
  package var totalFlightsClimbed: Quantity?
  package var totalSwimmingStrokeCount: Quantity?
  package var events: [Event] = []
  /// What exports since iOS 16 state in place of totals.
  package var statistics: [Statistics] = []
  package var activities: [Activity] = []
  /// The paths of its routes' files in the archive.
  package var routePaths: [String] = []
  /// How many positions of routes are in the document itself, as in old exports.
  package var locationCount = 0
}
