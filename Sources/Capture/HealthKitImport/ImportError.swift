// SPDX-License-Identifier: Apache-2.0

/// Why an export is not imported.
package enum ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The store has the health data of somebody with another date of birth.
  case anotherPerson
  /// Another process imports into the store.
  case underWay

  package var description: String {
    switch self {
    case .anotherPerson:
      "The export is of a person with another date of birth than the one whose data the store has. "
        + "Name another store."
    case .underWay:
      "Another import into this store is under way. Wait until it has ended."
    }
  }
}
