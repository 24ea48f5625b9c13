// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// The devices that can be read: those of this package, and those that an app registers.
///
/// Facts about advertisements and pairing come from the manufacturers' manuals and sample code, and
/// from public captures. Numbers below 10,000 are Validic's, where it has one for the device;
/// numbers from ``firstFreeNumber`` on are for apps.
public struct DeviceCatalogue: Hashable, Sendable {
  /// The number of the first entry that an app may register under a number of its own.
  public static let firstFreeNumber = 1_000_000

  /// The entries of this package.
  public static let standard = DeviceCatalogue(
    entries: (Manufacturer.all.flatMap(\.devices) + DeviceModel.profileDevices
      + DeviceModel.unreadDevices)
      .sorted { $0.id < $1.id })

  /// All entries, also those that are disabled, in the order of their numbers.
  public private(set) var entries: [DeviceModel]

  /// The entries that can be read, in the order of their numbers.
  public var supported: [DeviceModel] { entries.filter { !$0.isDisabled } }

  /// The entries of one type that can be read.
  ///
  /// - Parameter type: What they measure.
  /// - Returns: The entries, in the order of their numbers.
  public func supported(_ type: PeripheralType) -> [DeviceModel] {
    supported.filter { $0.type == type }
  }

  /// The entry of a number, also one that is disabled.
  ///
  /// - Parameter id: The number in the catalogue.
  /// - Returns: The entry; nil when there is none.
  public func entry(id: Int) -> DeviceModel? { entries.first { $0.id == id } }

  /// Adds a device, or replaces an entry that is disabled, for instance by the plug-in of a
  /// manufacturer's licensee.
  ///
  /// - Parameter entry: The device; with a number from ``firstFreeNumber`` on, or that of a disabled
  ///   entry.
  /// - Throws: What is wrong with the entry.
  public mutating func register(_ entry: DeviceModel) throws(DeviceRegistrationError) {
    try entry.validate()
    let position = entries.firstIndex { $0.id >= entry.id } ?? entries.endIndex
    guard position < entries.endIndex, entries[position].id == entry.id else {
      guard entry.id >= Self.firstFreeNumber else {
        throw DeviceRegistrationError(
          entry, "its number is reserved for this package; choose one from 1000000 on")
      }
      entries.insert(entry, at: position)
      return
    }
    guard entries[position].isDisabled else {
      throw DeviceRegistrationError(
        entry, "its number belongs to \(entries[position].name) already; choose another one")
    }
    entries[position] = entry
  }
}

/// Why a device cannot be registered.
public struct DeviceRegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the entry.
  public let id: Int
  /// Which entry, what is wrong with it, and what to do.
  public let description: String

  init(_ entry: DeviceModel, _ fault: String) {
    id = entry.id
    description = "\(entry.name) (number \(entry.id)) cannot be used: \(fault)."
  }
}

extension DeviceModel {
  /// The devices of this package that can be read, in the order of their numbers.
  public static let supported: [DeviceModel] = DeviceCatalogue.standard.supported

  /// The devices of this package of one type that can be read.
  ///
  /// - Parameter type: What they measure.
  /// - Returns: The entries, in the order of their numbers.
  public static func supported(_ type: PeripheralType) -> [DeviceModel] {
    supported.filter { $0.type == type }
  }

  /// The device of a number, also one that is disabled; nil when this package has none.
  ///
  /// - Parameter id: The number in the catalogue.
  public init?(id: Int) {
    guard let entry = DeviceCatalogue.standard.entry(id: id) else { return nil }
    self = entry
  }

  /// The entry that knows most of an advertisement; of several that know as much, the first.
  package static func best(
    of candidates: [DeviceModel], for advertisement: Advertisement
  ) -> DeviceModel? {
    var best: (entry: DeviceModel, specificity: Specificity)?
    for entry in candidates {
      guard let specificity = entry.specificity(of: advertisement) else { continue }
      if let best, specificity <= best.specificity { continue }
      best = (entry, specificity)
    }
    return best?.entry
  }

  /// The entries for a device of any manufacturer that keeps to a profile of the Bluetooth SIG.
  static let profileDevices =
    bloodPressureDevices + continuousGlucoseMonitors + glucoseDevices + heartRateSensors
    + pulseOximeterDevices + thermometerDevices + weightScaleDevices
}

extension DeviceModel {
  /// Finds what would make Core Bluetooth trap, or a device impossible to find or read.
  package func validate() throws(DeviceRegistrationError) {
    guard !isDisabled else { throw DeviceRegistrationError(self, "it is disabled") }
    guard !drivers.isEmpty || broadcast != nil else {
      throw DeviceRegistrationError(self, "it has neither a driver nor a broadcast")
    }
    let filter = advertisementFilter
    guard
      broadcast != nil || !filter.services.isEmpty || !filter.namePrefixes.isEmpty
        || !filter.companies.isEmpty
    else {
      throw DeviceRegistrationError(
        self, "its advertisement filter fits every device; give a service, a name or a company")
    }
    guard !filter.namePrefixes.contains("") else {
      throw DeviceRegistrationError(self, "an empty name fits every device; leave it out")
    }
    let timeouts = Duration.milliseconds(1)...Duration.seconds(86_400)
    guard timeouts.contains(connectTimeout), timeouts.contains(readTimeout) else {
      throw DeviceRegistrationError(
        self, "its timeouts are not positive, or longer than a day")
    }
    let attributes = drivers.flatMap { $0.required + $0.optional }
    let uuids = filter.services + attributes.map(\.characteristic)
    let services = attributes.map(\.service)
    let wrong =
      uuids.first { !$0.isUUID(orPattern: false) } ?? services.first { !$0.isUUID(orPattern: true) }
    if let uuid = wrong {
      throw DeviceRegistrationError(
        self,
        "\"\(uuid)\" is not a UUID; write 4 or 8 hexadecimal digits, or 36 characters with hyphens")
    }
  }
}

extension String {
  /// Whether it is a Bluetooth UUID in one of its three forms, or the beginning of one with `*`
  /// behind it.
  fileprivate func isUUID(orPattern allowsPattern: Bool) -> Bool {
    let form = "00000000-0000-0000-0000-000000000000"
    func fits(_ text: Substring) -> Bool {
      zip(text, form).allSatisfy { digit, place in
        place == "-" ? digit == "-" : digit.isASCII && digit.isHexDigit
      }
    }
    guard allowsPattern, last == "*" else { return [4, 8, 36].contains(count) && fits(self[...]) }
    return (2...36).contains(count) && fits(dropLast())
  }
}
