// SPDX-License-Identifier: Apache-2.0

import HealthDevices

/// A model of virtual device: its name, its advertisement and its behaviour.
public struct VirtualDeviceModel: Sendable, Identifiable {
  /// The name on the command line, for instance `ua-651ble`.
  public let id: String
  /// One line about it, to show.
  public let summary: String
  /// The number of the entry in the catalogue of peripherals that it is recognised as.
  public let peripheralID: Int
  /// The advertised name.
  public var advertisedName: String
  /// The advertised services, as 16-bit or 128-bit UUIDs.
  public let advertisedServices: [String]
  /// How many readings a first reader finds in its memory; failed measurements do not count.
  public let readingCount: Int
  /// Makes a device with its first memory and the clock that it is given.
  public let make: @Sendable (VirtualClock) -> any VirtualDeviceLogic

  /// Describes a kind of device.
  ///
  /// - Parameters:
  ///   - id: A name of its own.
  ///   - summary: One line about it, to show.
  ///   - peripheralID: The number of the entry in the catalogue that it is recognised as.
  ///   - advertisedName: The advertised name.
  ///   - advertisedServices: The advertised services, as 16-bit or 128-bit UUIDs.
  ///   - readingCount: How many readings a first reader finds in its memory.
  ///   - make: Makes a device with its first memory and the clock that it is given.
  public init(
    id: String, summary: String, peripheralID: Int, advertisedName: String,
    advertisedServices: [String], readingCount: Int,
    make: @escaping @Sendable (VirtualClock) -> any VirtualDeviceLogic
  ) {
    self.id = id
    self.summary = summary
    self.peripheralID = peripheralID
    self.advertisedName = advertisedName
    self.advertisedServices = advertisedServices
    self.readingCount = readingCount
    self.make = make
  }
}
