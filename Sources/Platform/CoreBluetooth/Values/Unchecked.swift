// SPDX-License-Identifier: Apache-2.0

/// Passes a value across queues; the user ensures that only one queue uses it at a time.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
