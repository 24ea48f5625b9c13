// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// What an app calls when it has dealt with the news of an observer query.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// Says that samples were added or deleted, not which.
open class HKObserverQuery: HKQuery, @unchecked Sendable {
  private let descriptors: [HKQueryDescriptor]
  private let handler:
    (
      HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
      (any Error)?
    ) -> Void

  /// Observes a type.
  ///
  /// - Parameters:
  ///   - sampleType: The type of samples.
  ///   - predicate: What they must fit to.
  ///   - updateHandler: Is called when the query starts and after each change. It has to call its
  ///     second argument when the app has dealt with it: see
  ///     ``HKHealthStore/enableBackgroundDelivery(for:frequency:withCompletion:)``.
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?,
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
      ) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
    handler = { query, _, completion, error in updateHandler(query, completion, error) }
    super.init(sampleType, predicate)
  }

  /// Observes several types, and is told which of them have changed.
  public init(
    queryDescriptors: [HKQueryDescriptor],
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
        (any Error)?
      ) -> Void
  ) {
    descriptors = queryDescriptors
    handler = updateHandler
    super.init(nil, nil)
  }

  override var types: Set<HKSampleType> { Set(descriptors.map(\.sampleType)) }
  override var goesOn: Bool { true }

  override func run(on system: HealthSystem) {
    do {
      _ = try system.read { try system.requests(descriptors.map(\.request), $0) }
      notify(types, completion: {})
    } catch {
      deliver { [self] in handler(self, nil, {}, error) }
    }
  }

  override func changed(_ types: Set<HKObjectType>, on system: HealthSystem) {
    notify(self.types.filter(types.contains), completion: {})
  }

  /// Calls the handler, which must call the completion.
  func notify(_ types: Set<HKSampleType>, completion: @escaping @Sendable () -> Void) {
    guard !types.isEmpty else { return }
    deliver { [self] in handler(self, types, completion, nil) }
  }
}
