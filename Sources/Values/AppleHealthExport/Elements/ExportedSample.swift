// SPDX-License-Identifier: Apache-2.0

/// What records, correlations and workouts have in common.
package struct ExportedSample: Hashable, Sendable {
  /// The name of its type, `HKQuantityTypeIdentifierStepCount`; of a workout that of its activity,
  /// `HKWorkoutActivityTypeRunning`.
  package var type = InternedString.empty
  /// The name of the app or the device that saved it.
  package var source = InternedString.empty
  package var sourceVersion: InternedString?
  /// The device's properties as ``ExportedDevice`` reads them, without a pointer.
  package var device: InternedString?
  /// When it was saved.
  package var created: ExportedInstant?
  package var start = ExportedInstant.zero
  package var end = ExportedInstant.zero
  package var metadata: [ExportedMetadata] = []
  /// The offset of its first byte in the document.
  package var offset = 0
}

/// A metadata entry.
package struct ExportedMetadata: Hashable, Sendable {
  package var key: InternedString
  /// The value, with its unit if it has one, as in `418 cm`.
  package var value: String
}

/// An instant with the offset from UTC that the export states.
///
/// The offset is often that of the export and not that of the place where a sample was taken.
package struct ExportedInstant: Hashable, Sendable {
  /// Whole seconds since the beginning of 2001 in UTC; fractions are dropped.
  package var seconds: Int
  /// Local time minus UTC, in seconds.
  package var utcOffsetSeconds: Int

  package init(seconds: Int, utcOffsetSeconds: Int) {
    self.seconds = seconds
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  static let zero = Self(seconds: 0, utcOffsetSeconds: 0)
}
