// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A question that is answered once.
public protocol HKAsyncQuery {
  /// The answer.
  associatedtype Output
  /// Asks a store.
  func result(for healthStore: HKHealthStore) async throws -> Output
}

/// A question that is answered again after each change.
public protocol HKAsyncSequenceQuery {
  /// The answers.
  associatedtype Sequence: AsyncSequence
  /// Asks a store, until the sequence is no longer used.
  func results(for healthStore: HKHealthStore) -> Sequence
}

/// Asks once for samples.
public struct HKSampleQueryDescriptor<Sample: HKSample>: HKAsyncQuery {
  /// The samples.
  public typealias Output = [Sample]

  /// Which samples.
  public var predicates: [HKSamplePredicate<Sample>]
  /// In which order.
  public var sortDescriptors: [SortDescriptor<Sample>]
  /// How many at most; nil for all.
  public var limit: Int?

  /// Asks once for samples.
  public init(
    predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
    limit: Int? = nil
  ) {
    self.predicates = predicates
    self.sortDescriptors = sortDescriptors
    self.limit = limit
  }

  /// The samples of a store.
  public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
    let (order, requests, limit) = (SampleOrder(sortDescriptors), predicates.map(\.request), limit)
    return try await healthStore.ask { database, system in
      try database.samples(system.requests(requests, database), order, limit)
        .compactMap { $0 as? Sample }
    }
  }
}

/// Asks for what was added and deleted after an anchor.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: HKAsyncQuery, HKAsyncSequenceQuery
{
  /// What was added and deleted.
  public struct Result {
    /// What was added.
    public let addedSamples: [Sample]
    /// What was deleted.
    public let deletedObjects: [HKDeletedObject]
    /// How far was read.
    public let newAnchor: HKQueryAnchor

    init(_ changes: HealthDatabase.Changes) {
      addedSamples = changes.added.compactMap { $0 as? Sample }
      deletedObjects = changes.deleted
      newAnchor = HKQueryAnchor(changes.anchor)
    }
  }

  /// What was added and deleted.
  public typealias Output = Result
  /// What is added and deleted.
  public typealias Sequence = Results

  /// Which samples.
  public var predicates: [HKSamplePredicate<Sample>]
  /// How far was read before; nil at first.
  public var anchor: HKQueryAnchor?
  /// How many samples and deleted objects together at most; nil for all.
  public var limit: Int?

  /// Asks for what was added and deleted after an anchor.
  public init(
    predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil
  ) {
    self.predicates = predicates
    self.anchor = anchor
    self.limit = limit
  }

  /// What was added and deleted in a store.
  public func result(for healthStore: HKHealthStore) async throws -> Result {
    let (requests, anchor, limit) = (predicates.map(\.request), anchor?.value ?? 0, limit)
    return try await healthStore.ask { database, system in
      Result(
        try database.changes(system.requests(requests, database), after: anchor, limit: limit))
    }
  }

  /// What was added and deleted in a store, and what is later.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(descriptors: predicates.map(\.descriptor), anchor: anchor, store: healthStore)
  }

  /// What is added and deleted, as it happens.
  public struct Results: AsyncSequence {
    /// What was added and deleted at once.
    public typealias Element = Result
    /// Goes through the results.
    public typealias AsyncIterator = Iterator

    let descriptors: [HKQueryDescriptor]
    let anchor: HKQueryAnchor?
    let store: HKHealthStore

    /// Goes through the results; the query ends with it.
    public struct Iterator: AsyncIteratorProtocol {
      /// What was added and deleted at once.
      public typealias Element = Results.Element

      private var updates: QueryUpdates<Result>.Iterator

      init(_ updates: QueryUpdates<Result>) { self.updates = updates.makeAsyncIterator() }

      /// Waits for the next result.
      public mutating func next() async throws -> Results.Element? { try await updates.next() }
    }

    /// Starts the query.
    public func makeAsyncIterator() -> Iterator {
      let (descriptors, anchor) = (descriptors, anchor)
      return Iterator(
        QueryUpdates(store) { send in
          let handler: HKAnchoredObjectQuery.Handler = { _, added, deleted, anchor, error in
            guard let anchor else { return send(.failure(error ?? HKError.unanswered)) }
            send(
              .success(
                Result(
                  HealthDatabase.Changes(
                    added: added ?? [], deleted: deleted ?? [], anchor: anchor.value))))
          }
          let query = HKAnchoredObjectQuery(
            queryDescriptors: descriptors, anchor: anchor, limit: HKObjectQueryNoLimit,
            resultsHandler: handler)
          query.updateHandler = handler
          return query
        })
    }
  }
}

/// Asks what the samples of a quantity amount to.
public struct HKStatisticsQueryDescriptor: HKAsyncQuery {
  /// The statistics; nil without a sample.
  public typealias Output = HKStatistics?

  /// Which samples.
  public var predicate: HKSamplePredicate<HKQuantitySample>
  /// Which figures.
  public var options: HKStatisticsOptions

  /// Asks what the samples of a quantity amount to.
  public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
    self.predicate = predicate
    self.options = options
  }

  /// The statistics of a store.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
    guard let type = predicate.sampleType as? HKQuantityType else { return nil }
    let (request, options) = (predicate.request, options.orDefault(for: type))
    StatisticsCalculator.check(options, type)
    return try await healthStore.ask { database, system in
      let input = try database.statisticsInput(
        type, system.requests([request], database), preferred: system.preferredSources)
      return StatisticsCalculator(input, options).whole()
    }
  }
}

/// Asks what the samples of a quantity amount to in intervals such as days.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
  /// The statistics.
  public typealias Output = HKStatisticsCollection
  /// The statistics, again after each change.
  public typealias Sequence = Results

  /// Statistics, and which of them have changed.
  public struct Result {
    /// All statistics.
    public let statisticsCollection: HKStatisticsCollection
    /// Those that have changed; nil at first.
    public let updatedStatistics: [HKStatistics]?
  }

  /// Which samples.
  public var predicate: HKSamplePredicate<HKQuantitySample>
  /// Which figures.
  public var options: HKStatisticsOptions
  /// Where an interval begins; the others follow from it.
  public var anchorDate: Date
  /// How long an interval is.
  public var intervalComponents: DateComponents

  /// Asks what the samples of a quantity amount to in intervals.
  public init(
    predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions, anchorDate: Date,
    intervalComponents: DateComponents
  ) {
    self.predicate = predicate
    self.options = options
    self.anchorDate = anchorDate
    self.intervalComponents = intervalComponents
  }

  private var query: HKStatisticsCollectionQuery {
    guard let type = predicate.sampleType as? HKQuantityType else {
      preconditionFailure("\(predicate.sampleType.identifier) is no type of quantities.")
    }
    return HKStatisticsCollectionQuery(
      quantityType: type, quantitySamplePredicate: predicate.nsPredicate, options: options,
      anchorDate: anchorDate, intervalComponents: intervalComponents)
  }

  /// The statistics of a store.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
    let query = query
    return try await withCheckedThrowingContinuation { continuation in
      query.initialResultsHandler = { _, collection, error in
        if let collection {
          continuation.resume(returning: collection)
        } else {
          continuation.resume(throwing: error ?? HKError.unanswered)
        }
      }
      healthStore.execute(query)
    }
  }

  /// The statistics of a store, again after each change.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(query: query, store: healthStore)
  }

  /// The statistics, as they change.
  public struct Results: AsyncSequence {
    /// Statistics, and which of them have changed.
    public typealias Element = Result
    /// Goes through the results.
    public typealias AsyncIterator = Iterator

    let query: HKStatisticsCollectionQuery
    let store: HKHealthStore

    /// Goes through the results; the query ends with it.
    public struct Iterator: AsyncIteratorProtocol {
      /// Statistics, and which of them have changed.
      public typealias Element = Results.Element

      private var updates: QueryUpdates<Result>.Iterator

      init(_ updates: QueryUpdates<Result>) { self.updates = updates.makeAsyncIterator() }

      /// Waits for the next result.
      public mutating func next() async throws -> Results.Element? { try await updates.next() }
    }

    /// Starts the query.
    public func makeAsyncIterator() -> Iterator {
      let query = query
      return Iterator(
        QueryUpdates(store) { send in
          query.initialResultsHandler = { _, collection, error in
            guard let collection else { return send(.failure(error ?? HKError.unanswered)) }
            send(.success(Result(statisticsCollection: collection, updatedStatistics: nil)))
          }
          query.statisticsUpdateHandler = { _, changed, collection, error in
            guard let collection else { return send(.failure(error ?? HKError.unanswered)) }
            send(
              .success(
                Result(
                  statisticsCollection: collection, updatedStatistics: changed.map { [$0] } ?? [])))
          }
          return query
        })
    }
  }
}

/// Asks who saved samples.
public struct HKSourceQueryDescriptor<Sample: HKSample>: HKAsyncQuery {
  /// The sources.
  public typealias Output = [HKSource]

  /// Which samples.
  public var predicate: HKSamplePredicate<Sample>

  /// Asks who saved samples.
  public init(predicate: HKSamplePredicate<Sample>) { self.predicate = predicate }

  /// The sources of a store.
  public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
    let request = predicate.request
    return try await healthStore.ask { database, system in
      try database.sources(of: system.requests([request], database))
        .sorted { $0.bundleIdentifier < $1.bundleIdentifier }
    }
  }
}

// MARK: - Support

/// The results of a query that goes on, and that ends when nobody waits for them any more.
struct QueryUpdates<Element>: AsyncSequence {
  private let stream: AsyncThrowingStream<Element, any Error>

  /// Executes a query that sends its results.
  init(
    _ store: HKHealthStore,
    _ query: (@escaping (Swift.Result<Element, any Error>) -> Void) -> HKQuery
  ) {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self)
    self.stream = stream
    let query = query { result in
      nonisolated(unsafe) let result = result
      continuation.yield(with: result)
    }
    continuation.onTermination = { _ in store.stop(query) }
    store.execute(query)
  }

  typealias Iterator = AsyncThrowingStream<Element, any Error>.Iterator

  func makeAsyncIterator() -> Iterator { stream.makeAsyncIterator() }
}

extension HKHealthStore {
  /// Asks the database on the system's queue.
  func ask<Value>(
    _ question: @escaping (HealthDatabase, HealthSystem) throws -> Value
  ) async throws -> Value {
    let box: UncheckedBox<Value> = try await withCheckedThrowingContinuation { continuation in
      system.async { [system] in
        continuation.resume(
          with: Result {
            UncheckedBox(value: try system.read { try question($0, system) })
          })
      }
    }
    return box.value
  }
}

/// Carries what Apple's classes do not mark as safe from the queue to the task that has asked for it.
private struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
}
