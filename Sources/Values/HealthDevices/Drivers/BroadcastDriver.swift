// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Reads a device that is never connected: its measurements are in its advertisements.
public protocol BroadcastDriver: Sendable {
  /// When ``timeReached(at:)`` is due; nil when only the device is waited for.
  var deadline: Duration? { get }

  /// Takes an advertisement of one device; the same one may come many times.
  mutating func handle(_ advertisement: Advertisement, at time: DriverTime) -> [DriverAction]

  /// The deadline may have been reached.
  mutating func timeReached(at time: DriverTime) -> [DriverAction]

  /// Nothing more will be heard of the device: what was held back may be delivered.
  mutating func ended(at time: DriverTime) -> [DriverAction]
}

extension BroadcastDriver {
  /// Nothing but the device is waited for.
  public var deadline: Duration? { nil }

  /// Does nothing.
  public mutating func timeReached(at time: DriverTime) -> [DriverAction] { [] }

  /// Nothing was held back.
  public mutating func ended(at time: DriverTime) -> [DriverAction] { [] }
}

/// What a device advertises.
public struct Advertisement: Hashable, Sendable {
  /// The advertised name; nil when it advertises none.
  public var name: String?
  /// The advertised services, in upper case.
  public var services: [String]
  /// Service data by service UUID, in upper case.
  public var serviceData: [String: [UInt8]]
  /// The company identifier (two bytes, least significant first) and what follows it.
  public var manufacturerData: [UInt8]

  /// Describes an advertisement.
  ///
  /// - Parameters:
  ///   - name: The advertised name.
  ///   - services: The advertised services' UUIDs.
  ///   - serviceData: Service data by service UUID.
  ///   - manufacturerData: The company identifier, least significant byte first, and what follows.
  public init(
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
  public var company: UInt16? {
    guard manufacturerData.count >= 2 else { return nil }
    return UInt16(manufacturerData[0]) | UInt16(manufacturerData[1]) << 8
  }
}

/// A protocol in which devices broadcast: how it is recognised, and how it is read.
public struct BroadcastModel: Sendable, Identifiable {
  /// The name by which the catalogue refers to it, for instance `mi-scale`.
  public let id: String
  /// The name to show.
  public let name: String
  /// Whether an advertisement is that of such a device.
  public let matches: @Sendable (Advertisement) -> Bool
  /// How much is known of the protocol.
  public let confidence: DriverModel.Confidence
  /// Public places where the protocol is described.
  public let sources: [String]
  /// Makes a driver for one device; of the context only purpose, name, secrets and user are set.
  public let make: @Sendable (DriverContext) -> any BroadcastDriver

  /// Describes a protocol.
  ///
  /// - Parameters:
  ///   - id: A name of its own among all broadcasts.
  ///   - name: The name to show.
  ///   - confidence: How much is known of the protocol.
  ///   - sources: Public places where the protocol is described.
  ///   - matches: Whether an advertisement is that of such a device.
  ///   - make: Makes a driver for one device; of the context only purpose, name, secrets and user
  ///     are set.
  public init(
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
  /// Whether two are of one id.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
