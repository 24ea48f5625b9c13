// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// How a device's advertisement is recognised.
public struct AdvertisementFilter: Hashable, Sendable {
  /// The services by which it is scanned for, as 16-bit or 128-bit UUIDs; it advertises one of
  /// them.
  ///
  /// Empty for a device that advertises none: it is then found only by a scan for everything, which
  /// iOS does not allow in the background.
  public let services: [String]
  /// What its advertised name begins with, in upper or lower case; empty when any name will do.
  public let namePrefixes: [String]
  /// Company identifiers of its manufacturer data, of which it has one; empty when any will do.
  public let companies: [UInt16]
  /// How the device says whether it waits to be paired; nil when it does not.
  public let pairingFlag: PairingFlag?

  /// Makes a rule, which holds when each of its parts does.
  ///
  /// - Parameters:
  ///   - services: The advertised services.
  ///   - namePrefixes: What the name begins with.
  ///   - companies: Company identifiers of the manufacturer data, as the Bluetooth SIG assigns
  ///     them.
  ///   - pairingFlag: How the device says whether it waits to be paired.
  public init(
    services: [String], namePrefixes: [String] = [], companies: [UInt16] = [],
    pairingFlag: PairingFlag? = nil
  ) {
    self.services = services.map(\.bluetoothUUID)
    self.namePrefixes = namePrefixes
    self.companies = companies
    self.pairingFlag = pairingFlag
  }

  /// Whether an advertisement is that of such a device.
  ///
  /// - Parameters:
  ///   - name: The advertised name.
  ///   - services: The advertised services.
  /// - Returns: True when a service and, where a name is asked for, the name fit.
  public func matches(name: String?, services: [String]) -> Bool {
    knownPart(of: Advertisement(name: name, services: services)) != nil
  }

  /// How much of name and manufacturer the rule knows: the length of the name's known part, and
  /// more for a company; nil when it is another device.
  func knownPart(of advertisement: Advertisement) -> Int? {
    guard services.isEmpty || !advertisement.heardServices.isDisjoint(with: services),
      companies.isEmpty || advertisement.company.map(companies.contains) == true
    else { return nil }
    let known = (companies.isEmpty ? 0 : 1)
    guard !namePrefixes.isEmpty else { return known }
    guard let name = advertisement.name?.lowercased() else { return nil }
    let fitting = namePrefixes.filter { name.hasPrefix($0.lowercased()) }
    return fitting.map(\.count).max().map { known + $0 }
  }
}

/// A bit of the manufacturer data by which a device says that it waits to be paired.
public struct PairingFlag: Hashable, Sendable {
  /// The company identifier of the data.
  public let company: UInt16
  /// The place of the byte after the company identifier, from 0 on.
  public let byte: Int
  /// The bit of that byte.
  public let mask: UInt8

  /// Describes a flag.
  ///
  /// - Parameters:
  ///   - company: The company identifier of the data.
  ///   - byte: The place of the byte after the company identifier, from 0 on.
  ///   - mask: The bit of that byte.
  public init(company: UInt16, byte: Int, mask: UInt8) {
    self.company = company
    self.byte = byte
    self.mask = mask
  }

  /// Whether a device waits to be paired; nil when its advertisement does not say so.
  package func isSet(in advertisement: Advertisement) -> Bool? {
    let data = advertisement.manufacturerData.dropFirst(2)
    guard advertisement.company == company, byte >= 0, byte < data.count else { return nil }
    return data[data.startIndex + byte] & mask != 0
  }
}

/// How much of an advertisement an entry knows.
///
/// A service says more than a name, which anybody may choose: a device with the Pulse Oximeter
/// Service that calls itself "Oximeter" is not the one oximeter without services that does so, too.
struct Specificity: Comparable {
  /// Whether a service is advertised that the entry uses.
  let knowsService: Bool
  /// How much of name and manufacturer is known.
  let knownPart: Int

  static func < (left: Self, right: Self) -> Bool {
    guard left.knowsService == right.knowsService else { return right.knowsService }
    return left.knownPart < right.knownPart
  }
}

extension Advertisement {
  /// The services that are advertised, with data or without.
  var heardServices: Set<String> { Set(services).union(serviceData.keys) }
}

extension DeviceModel {
  /// The services of the Bluetooth SIG by which a device says what it measures.
  private static let measuringServices: Set<String> = [
    "1808", "1809", "180D", "1810", "181B", "181D", "181F", "1822",
  ]

  /// How much the entry knows of an advertisement; nil when it is another device.
  func specificity(of advertisement: Advertisement) -> Specificity? {
    if let broadcast, !broadcast.matches(advertisement) { return nil }
    guard let knownPart = advertisementFilter.knownPart(of: advertisement) else { return nil }
    let heard = advertisement.heardServices
    let knowsService = heard.contains(where: uses)
    // A device that advertises a service which the entry cannot read is another device.
    let saysOtherwise = !knowsService && !heard.isDisjoint(with: Self.measuringServices)
    guard broadcast != nil || !saysOtherwise else { return nil }
    return Specificity(knowsService: knowsService, knownPart: knownPart)
  }

  /// Whether a service is one to be recognised by, or one that a reading needs.
  private func uses(_ service: String) -> Bool {
    advertisementFilter.services.contains(service)
      || drivers.contains { model in
        model.required.contains {
          $0.matches(service: service, characteristic: $0.characteristic)
        }
      }
  }
}
