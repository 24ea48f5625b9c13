// SPDX-License-Identifier: Apache-2.0

/// Does one piece of work after the other, in the order in which they were added.
package final class OrderedWork: Sendable {
  private let last = Locked<Task<Void, Never>?>(nil)

  package init() {}

  /// Adds work.
  ///
  /// - Parameter work: What to do when all that was added before is done.
  /// - Returns: The task of it.
  @discardableResult
  package func add<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<
    Value, Never
  > {
    last.withLock { last in
      let task = Task { [last] in
        await last?.value
        return await work()
      }
      last = Task { _ = await task.value }
      return task
    }
  }
}
