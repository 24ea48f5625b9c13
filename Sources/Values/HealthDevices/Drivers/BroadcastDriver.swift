// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Reads a device that is never connected: all it has to say is in its advertisements.
package protocol BroadcastDriver: Sendable {
  /// When ``timeReached(at:)`` is due; nil when only the device is waited for.
  var deadline: Duration? { get }

  /// Takes an advertisement of one device; the same one may come many times.
  mutating func handle(_ advertisement: Advertisement, at time: DriverTime) -> [DriverAction]

  /// The deadline may have been reached.
  mutating func timeReached(at time: DriverTime) -> [DriverAction]
}

extension BroadcastDriver {
  package var deadline: Duration? { nil }

  package mutating func timeReached(at time: DriverTime) -> [DriverAction] { [] }
}

/// What a device advertises.
package struct Advertisement: Hashable, Sendable {
  package var name: String?
  /// The advertised services, in upper case.
  package var services: [String]
  /// Service data by service UUID, in upper case.
  package var serviceData: [String: [UInt8]]
  /// The company identifier (two bytes, least significant first) and what follows it.
  package var manufacturerData: [UInt8]

  package init(
    name: String? = nil, services: [String] = [], serviceData: [String: [UInt8]] = [:],
    manufacturerData: [UInt8] = []
  ) {
    self.name = name
    self.services = services.map { $0.uppercased() }
    self.serviceData = Dictionary(
      serviceData.map { ($0.key.uppercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    self.manufacturerData = manufacturerData
  }

  /// The company identifier of the manufacturer data.
  package var company: UInt16? {
    guard manufacturerData.count >= 2 else { return nil }
    return UInt16(manufacturerData[0]) | UInt16(manufacturerData[1]) << 8
  }
}

/// One row of the table of broadcasts.
package struct BroadcastModel: Sendable, Identifiable {
  /// The name by which the catalogue refers to it, for instance `mi-scale`.
  package let id: String
  /// The name for a person.
  package let name: String
  /// Whether an advertisement is that of such a device.
  package let matches: @Sendable (Advertisement) -> Bool
  package let confidence: DriverModel.Confidence
  /// Public places where the protocol is described.
  package let sources: [String]
  /// Makes a driver for one device; of the context only purpose, name, secrets and user are set.
  package let make: @Sendable (DriverContext) -> any BroadcastDriver

  package init(
    id: String, name: String, confidence: DriverModel.Confidence, sources: [String],
    matches: @escaping @Sendable (Advertisement) -> Bool,
    make: @escaping @Sendable (DriverContext) -> any BroadcastDriver
  ) {
    self.id = id
    self.name = name
    self.confidence = confidence
    self.sources = sources
    self.matches = matches
    self.make = make
  }
}

extension BroadcastModel: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
