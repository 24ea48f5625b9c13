// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// Asks who saved samples of a type.
open class HKSourceQuery: HKQuery, @unchecked Sendable {
  private let handler: @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void

  /// Asks who saved samples of a type that fit to a predicate.
  public init(
    sampleType: HKSampleType, samplePredicate objectPredicate: NSPredicate?,
    completionHandler: @escaping @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void
  ) {
    handler = completionHandler
    super.init(sampleType, objectPredicate)
  }

  override func run(on system: HealthSystem) {
    guard let objectType else { return }
    deliver {
      try system.read { database in
        try database.sources(
          of: system.requests([SampleRequest(objectType, predicate)], database))
      }
    } to: { [self] in
      handler(self, $0, $1)
    }
  }
}

extension HealthDatabase {
  /// Who saved the samples of some requests.
  func sources(of requests: [SampleRequest]) throws -> Set<HKSource> {
    var sources: Set<HKSource> = []
    for request in requests {
      try rows(request) { (row, residual) throws(SQLiteError) in
        guard let source = revisions[row.revision]?.source, !sources.contains(source) else {
          return true
        }
        if let residual {
          guard let sample = try object(of: row), residual.evaluate(with: sample) else {
            return true
          }
        }
        sources.insert(source)
        return true
      }
    }
    return sources
  }
}

/// Asks for correlations by what their parts must fit to.
open class HKCorrelationQuery: HKQuery, @unchecked Sendable {
  /// The type of the correlations.
  public let correlationType: HKCorrelationType
  /// What the parts of some types must fit to.
  public let samplePredicates: [HKSampleType: NSPredicate]?

  private let handler: @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void

  /// Asks for correlations that fit to a predicate and whose parts fit to others.
  public init(
    type correlationType: HKCorrelationType, predicate: NSPredicate?,
    samplePredicates: [HKSampleType: NSPredicate]?,
    completion: @escaping @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void
  ) {
    self.correlationType = correlationType
    self.samplePredicates = samplePredicates
    handler = completion
    super.init(correlationType, predicate)
  }

  override func run(on system: HealthSystem) {
    deliver {
      try system.read { database in
        let requests = try system.requests(
          [SampleRequest(correlationType, predicate)], database)
        return try requests.flatMap { try database.samples($0) }
          .compactMap { $0 as? HKCorrelation }.filter(fits)
      }
    } to: { [self] in
      handler(self, $0, $1)
    }
  }

  private func fits(_ correlation: HKCorrelation) -> Bool {
    (samplePredicates ?? [:]).allSatisfy { type, predicate in
      let parts = correlation.objects(for: type)
      return !parts.isEmpty && parts.allSatisfy { predicate.evaluate(with: $0) }
    }
  }
}
