// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Asks for activity summaries.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
  /// The summaries.
  public typealias Output = [HKActivitySummary]
  /// The summaries, again after each change.
  public typealias Sequence = Results

  /// What the summaries must fit to.
  public var predicate: NSPredicate?

  /// Asks for the summaries that fit to a predicate.
  public init(predicate: NSPredicate?) { self.predicate = predicate }

  /// The summaries of a store.
  public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
    let predicate = predicate
    return try await withCheckedThrowingContinuation { continuation in
      healthStore.execute(
        HKActivitySummaryQuery(predicate: predicate) { _, summaries, error in
          if let summaries {
            continuation.resume(returning: summaries)
          } else {
            continuation.resume(throwing: error ?? HKError.unanswered)
          }
        })
    }
  }

  /// The summaries of a store, again after each change.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(predicate: predicate, store: healthStore)
  }

  /// The summaries, as they change.
  public struct Results: AsyncSequence {
    /// The summaries at one time.
    public typealias Element = [HKActivitySummary]
    /// Goes through the results.
    public typealias AsyncIterator = Iterator

    let predicate: NSPredicate?
    let store: HKHealthStore

    /// Goes through the results; the query ends with it.
    public struct Iterator: AsyncIteratorProtocol {
      /// The summaries at one time.
      public typealias Element = Results.Element

      private var updates: QueryUpdates<Element>.Iterator

      init(_ updates: QueryUpdates<Element>) { self.updates = updates.makeAsyncIterator() }

      /// Waits for the next result.
      public mutating func next() async throws -> Results.Element? { try await updates.next() }
    }

    /// Starts the query.
    public func makeAsyncIterator() -> Iterator {
      let predicate = predicate
      return Iterator(
        QueryUpdates(store) { send in
          let handler:
            @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void = {
              _, summaries, error in
              send(summaries.map { .success($0) } ?? .failure(error ?? HKError.unanswered))
            }
          let query = HKActivitySummaryQuery(predicate: predicate, resultsHandler: handler)
          query.updateHandler = handler
          return query
        })
    }
  }
}
