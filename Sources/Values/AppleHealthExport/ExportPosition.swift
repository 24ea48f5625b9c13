// SPDX-License-Identifier: Apache-2.0

/// A place between two elements of a document, from which another reader can continue.
package struct ExportPosition: Hashable, Sendable, Codable {
  /// How many bytes stand before it.
  package var offset: Int
  /// How many children of `HealthData` stand before it.
  package var elements: Int

  package init(offset: Int, elements: Int) {
    self.offset = offset
    self.elements = elements
  }

  /// The beginning of a document.
  package static let start = Self(offset: 0, elements: 0)
}

/// How many elements a reader has come across.
package struct ExportCounts: Hashable, Sendable, Codable {
  /// Records at the top level that were delivered.
  package var records = 0
  /// Records that were delivered as parts of correlations.
  package var nestedRecords = 0
  package var correlations = 0
  package var workouts = 0
  package var activitySummaries = 0
  /// Samples that could not be read, at the top level and nested; each has a problem.
  package var unread = 0

  // What is counted only.
  package var clinicalRecords = 0
  package var audiograms = 0
  package var visionPrescriptions = 0
  /// References to files with a workout's route.
  package var routes = 0
  /// Positions of routes in the document itself.
  package var locations = 0
  /// Elements that are not known, by name.
  ///
  /// Names are cut after 64 bytes, and those beyond the first hundred are counted as `…`.
  package var unknown: [String: Int] = [:]
}

/// What a reader has found besides the elements that it has delivered.
package struct ExportFindings: Hashable, Sendable, Codable {
  package var counts = ExportCounts()
  package var problems = ExportProblems()

  package init() {}
}
