// SPDX-License-Identifier: Apache-2.0

/// Takes what a ``HealthExportReader`` finds, in the document's order.
///
/// A handler that cannot go on notes why and ignores the rest of the block.
package protocol HealthExportHandler {
  /// Called once before the first sample, unless the reader continues an earlier one.
  mutating func received(_ header: ExportedHeader)
  /// Called for records at the top level only; those of a correlation come with it.
  mutating func received(_ record: ExportedRecord, strings: InternedStrings)
  mutating func received(_ correlation: ExportedCorrelation, strings: InternedStrings)
  mutating func received(_ workout: ExportedWorkout, strings: InternedStrings)
  mutating func received(_ summary: ExportedActivitySummary, strings: InternedStrings)
}

extension HealthExportHandler {
  package mutating func received(_ header: ExportedHeader) {}
  package mutating func received(_ correlation: ExportedCorrelation, strings: InternedStrings) {}
  package mutating func received(_ workout: ExportedWorkout, strings: InternedStrings) {}
  package mutating func received(_ summary: ExportedActivitySummary, strings: InternedStrings) {}
}
