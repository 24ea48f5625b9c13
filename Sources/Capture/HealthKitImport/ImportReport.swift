// SPDX-License-Identifier: Apache-2.0

package import AppleHealthExport

/// What an import has found and what became of it.
package struct ImportReport: Hashable, Sendable, Codable {
  /// Samples that are new in the store.
  package var added = 0
  /// Samples that the store had before.
  package var known = 0
  /// Samples that say exactly the same as an earlier one of the file; they are kept, and sums leave
  /// them out.
  package var copies = 0
  /// Correlations among the samples that are new.
  package var correlations = 0
  /// Workouts among the samples that are new.
  package var workouts = 0
  /// Days with an activity summary.
  package var activitySummaries = 0
  /// What could not be taken, by reason.
  package var refused: [String: Int] = [:]
  /// What the file has beside, and is not imported, by kind.
  package var notImported: [String: Int] = [:]
  /// Documents of other exports beside the one that was taken, by name.
  package var otherDocuments: [String] = []
  /// What the file's text had wrong.
  package var problems = ExportProblems()
  /// Whether the end of the document was seen.
  package var isComplete = false
}

/// How far an import is.
package struct ImportProgress: Hashable, Sendable {
  /// Bytes of the document that were read.
  package var bytes: Int
  /// Bytes of the document; nil where they are not known.
  package var totalBytes: Int?
  /// Samples that were taken so far.
  package var samples: Int
}
