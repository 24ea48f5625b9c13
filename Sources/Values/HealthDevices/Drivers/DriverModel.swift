// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// One row of the table of drivers: by what a device's protocol is recognised, and how it is
/// driven.
package struct DriverModel: Sendable, Identifiable {
  /// How much is known of the protocol.
  package enum Confidence: String, Hashable, Sendable {
    /// A published specification, or captured traffic that was decoded again.
    case captured
    /// Two or more independent public implementations agree.
    case agreed
    /// One public implementation.
    case single
    /// A stand-in of our own for a protocol that is not public.
    case standIn
  }

  /// The name by which the catalogue refers to it, for instance `omron-memory`.
  package let id: String
  /// The name for a person.
  package let name: String
  /// The attributes without which a device speaks another protocol.
  package let required: [Attribute]
  /// Attributes that are used where they are.
  package let optional: [Attribute]
  package let confidence: Confidence
  /// Public places where the protocol is described.
  package let sources: [String]
  /// Makes a driver for one connection.
  package let make: @Sendable (DriverContext) -> any DeviceDriver

  /// Adds a row; the facts of Device Information and Battery are always asked for, too.
  package init(
    id: String, name: String, required: [Attribute], optional: [Attribute] = [],
    confidence: Confidence, sources: [String],
    make: @escaping @Sendable (DriverContext) -> any DeviceDriver
  ) {
    self.id = id
    self.name = name
    self.required = required
    self.optional = optional + DeviceInformation.attributes.filter { !optional.contains($0) }
    self.confidence = confidence
    self.sources = sources
    self.make = make
  }
}

extension DriverModel: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
