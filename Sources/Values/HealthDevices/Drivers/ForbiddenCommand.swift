// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// A request that is never sent: it would erase measurements, harm a device, or move something.
///
/// The code that carries out a driver's actions refuses them, whichever driver asks.
public struct ForbiddenCommand: Sendable {
  /// Where it would be written; a service `*` stands for any.
  public let attribute: GATTAttribute
  /// What it would do.
  public let effect: String
  private let matches: @Sendable ([UInt8]) -> Bool

  /// Forbids what `matches`.
  ///
  /// - Parameters:
  ///   - attribute: Where it would be written.
  ///   - effect: What it would do, for instance `erases all records`.
  ///   - matches: Whether bytes are such a request.
  public init(
    _ attribute: GATTAttribute, _ effect: String, _ matches: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    self.attribute = attribute
    self.effect = effect
    self.matches = matches
  }

  /// The one that a write would be.
  ///
  /// - Parameters:
  ///   - bytes: What a driver wants to write.
  ///   - attribute: Where it would be written.
  ///   - own: Those of the device's protocol, beside those of this package.
  /// - Returns: The forbidden command; nil for a write that may be sent.
  package static func first(
    writing bytes: [UInt8], to attribute: GATTAttribute, own: [ForbiddenCommand] = []
  ) -> ForbiddenCommand? {
    (all + own).first {
      $0.attribute.matches(service: attribute.service, characteristic: attribute.characteristic)
        && $0.matches(bytes)
    }
  }

  /// All of them: those of the profiles, and those of each manufacturer.
  package static let all =
    profiles + aAndD + beurer + lifeScan + microlife + omron + oneByone + qardio + taiDoc + viatom

  /// What the services of the Bluetooth SIG can delete or stop.
  private static let profiles = [
    ForbiddenCommand(GATTAttribute("*", "2A52"), "deletes stored records") { $0.first == 0x02 },
    ForbiddenCommand(GATTAttribute("*", "2A9F"), "deletes the data of a user") { $0.first == 0x03 },
    ForbiddenCommand(GATTAttribute("*", "2A9F"), "deletes a user") { $0.first == 0x05 },
    ForbiddenCommand(GATTAttribute("*", "2AAC"), "calibrates a sensor") { $0.first == 0x04 },
    ForbiddenCommand(GATTAttribute("*", "2AAC"), "begins another session of a sensor") {
      $0.first == 0x1A
    },
    ForbiddenCommand(GATTAttribute("*", "2AAC"), "ends the session of a sensor") {
      $0.first == 0x1B
    },
  ]
}
