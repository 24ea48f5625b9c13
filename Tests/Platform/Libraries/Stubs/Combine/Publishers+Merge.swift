// SPDX-License-Identifier: Apache-2.0

import OpenCombine

// OpenCombine 0.14 does not have it.
extension Publishers {
  /// The elements of two publishers, as they come.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure {
    /// What each of them publishes.
    public typealias Output = A.Output
    /// How each of them fails.
    public typealias Failure = A.Failure

    private let both: [AnyPublisher<Output, Failure>]

    /// Merges the two.
    public init(_ a: A, _ b: B) {
      both = [a.eraseToAnyPublisher(), b.eraseToAnyPublisher()]
    }

    /// Subscribes to both.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      both.publisher.setFailureType(to: Failure.self).flatMap { $0 }
        .receive(subscriber: subscriber)
    }
  }
}
