// SPDX-License-Identifier: Apache-2.0

/// How a device's advertisement is recognised.
public struct Recognition: Hashable, Sendable {
  /// The services by which it is scanned for, as 16-bit or 128-bit UUIDs; it advertises one of them.
  public let services: [String]
  /// What its advertised name begins with, in upper or lower case; empty when any name will do.
  public let namePrefixes: [String]

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - services: The advertised services.
  ///   - namePrefixes: What the name begins with.
  public init(services: [String], namePrefixes: [String] = []) {
    self.services = services.map { $0.uppercased() }
    self.namePrefixes = namePrefixes
  }

  /// Whether an advertisement is that of such a device.
  ///
  /// - Parameters:
  ///   - name: The advertised name.
  ///   - services: The advertised services.
  /// - Returns: True when a service and, where a name is asked for, the name fit.
  public func matches(name: String?, services: [String]) -> Bool {
    let advertised = Set(services.map { $0.uppercased() })
    guard self.services.contains(where: advertised.contains) else { return false }
    guard !namePrefixes.isEmpty else { return true }
    guard let name = name?.lowercased() else { return false }
    return namePrefixes.contains { name.hasPrefix($0.lowercased()) }
  }

  /// Whether the rule asks for a name, and so is to be preferred to one that does not.
  var isSpecific: Bool { !namePrefixes.isEmpty }
}
