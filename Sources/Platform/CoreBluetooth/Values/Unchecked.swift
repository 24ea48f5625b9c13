// SPDX-License-Identifier: Apache-2.0

/// Carries something across queues; whoever uses it sees to it that only one queue does at a time.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
