// SPDX-License-Identifier: Apache-2.0

/// Why the file of a health store cannot be used.
package struct HealthStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, where, and what to do.
  package let description: String
}
