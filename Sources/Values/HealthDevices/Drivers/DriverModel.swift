// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// A device's protocol: by which attributes it is recognised, and how it is driven.
public struct DriverModel: Sendable, Identifiable {
  /// How much is known of the protocol.
  public enum Confidence: String, Hashable, Sendable {
    /// A published specification, or captured traffic that was decoded again.
    case captured
    /// Two or more independent public implementations agree.
    case agreed
    /// One public implementation.
    case single
    /// The manufacturer's own document.
    case documented
  }

  /// The name by which the catalogue refers to it, for instance `omron-memory`.
  public let id: String
  /// The name to show.
  public let name: String
  /// The attributes without which a device speaks another protocol.
  public let required: [GATTAttribute]
  /// Attributes that are used where they are.
  public let optional: [GATTAttribute]
  /// How much is known of the protocol.
  public let confidence: Confidence
  /// Public places where the protocol is described.
  public let sources: [String]
  /// Whether the device is asked for measurements that it keeps, and never waits for a new one.
  ///
  /// Its user has to use it before it can be connected; its driver never says
  /// ``DriverAction/ready``.
  public let readsMemory: Bool
  /// True where the device says that it has sent all that it keeps: what comes later is new.
  public let tellsEndOfMemory: Bool
  /// How the device counts the people who use it; nil where the protocol says nothing of them.
  public let userNumbering: UserNumbering?
  /// Requests to such a device that are never sent, because they would erase measurements, harm the
  /// device, or move something.
  public let forbidden: [ForbiddenCommand]
  /// Makes a driver for one connection.
  public let make: @Sendable (DriverContext) -> any DeviceDriver

  /// Describes a protocol; the facts of Device Information and Battery are always asked for, too.
  ///
  /// - Parameters:
  ///   - id: A name of its own among all drivers.
  ///   - name: The name to show.
  ///   - required: The attributes without which a device speaks another protocol.
  ///   - optional: Attributes that are used where they are.
  ///   - confidence: How much is known of the protocol.
  ///   - sources: Public places where the protocol is described.
  ///   - readsMemory: Whether the device is asked for measurements that it keeps, and never waits
  ///     for a new one.
  ///   - tellsEndOfMemory: True where the device says that it has sent all that it keeps; as
  ///     `readsMemory` when nil.
  ///   - userNumbering: How the device counts the people who use it; nil where the protocol says
  ///     nothing of them.
  ///   - forbidden: Requests that are never sent.
  ///   - make: Makes a driver for one connection.
  public init(
    id: String, name: String, required: [GATTAttribute], optional: [GATTAttribute] = [],
    confidence: Confidence, sources: [String], readsMemory: Bool = false,
    tellsEndOfMemory: Bool? = nil, userNumbering: UserNumbering? = nil,
    forbidden: [ForbiddenCommand] = [],
    make: @escaping @Sendable (DriverContext) -> any DeviceDriver
  ) {
    self.id = id
    self.name = name
    self.required = required
    self.optional = optional + DeviceInformation.attributes.filter { !optional.contains($0) }
    self.confidence = confidence
    self.sources = sources
    self.readsMemory = readsMemory
    self.tellsEndOfMemory = tellsEndOfMemory ?? readsMemory
    self.userNumbering = userNumbering
    self.forbidden = forbidden
    self.make = make
  }
}

extension DriverModel: Hashable {
  /// Whether two are of one id.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
