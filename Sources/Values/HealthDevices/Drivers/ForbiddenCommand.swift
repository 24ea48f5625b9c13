// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// A request that is never sent: it would erase measurements, harm a device, or move something.
///
/// Whoever carries out a driver's actions refuses these, whichever driver asks.
package struct ForbiddenCommand: Sendable {
  /// The characteristic to which it would be written.
  package let characteristic: String
  /// What it would do.
  package let effect: String
  private let matches: @Sendable ([UInt8]) -> Bool

  private init(
    _ characteristic: String, _ effect: String, _ matches: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    self.characteristic = characteristic
    self.effect = effect
    self.matches = matches
  }

  /// The one that a write would be; nil for one that may be sent.
  package static func first(
    writing bytes: [UInt8], to attribute: Attribute
  ) -> ForbiddenCommand? {
    all.first { $0.characteristic == attribute.characteristic && $0.matches(bytes) }
  }

  /// All of them.
  package static let all: [ForbiddenCommand] =
    [
      ForbiddenCommand("2A52", "deletes stored records") { $0.first == 0x02 },
      ForbiddenCommand("2A9F", "deletes the data of a user") { $0.first == 0x03 },
      ForbiddenCommand("2A9F", "deletes a user") { $0.first == 0x05 },
      ForbiddenCommand(
        "00001524-1212-EFDE-1523-785FEABCD123", "erases all records or inflates the cuff"
      ) { $0.first == 0x51 && $0.count > 1 && [0x52, 0x43].contains($0[1]) },
      ForbiddenCommand("AF9DF7A2-E595-11E3-96B4-0002A5D5C51B", "erases all records") {
        // The first block of a frame with the request 1A.
        $0.count > 5 && $0[0] < 0x40 && $0[5] == 0x1A
      },
      ForbiddenCommand(
        "8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3", "resets, erases or restarts the device"
      ) {
        $0.first == 0xA5 && $0.count > 1
          && [0x04, 0x09, 0x0A, 0x24, 0x25, 0x39, 0xE2, 0xE3].contains($0[1])
      },
      ForbiddenCommand(
        "8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3", "erases all recordings and settings"
      ) { $0.starts(with: [0xAA, 0x18]) },
      ForbiddenCommand("E8FB0002-A14B-98F9-831B-4E2941D01248", "resets or erases the device") {
        $0.first == 0xA5 && $0.count > 1 && [0xE3, 0xEE].contains($0[1])
      },
      // Not needed for reading, and one of its commands erases.
      ForbiddenCommand("233BF001-5A34-1B6D-975C-000D5690ABE4", "may erase measurements") { _ in
        true
      },
      ForbiddenCommand("583CB5B3-875D-40ED-9098-C39EB0C1983D", "inflates the cuff") {
        $0.starts(with: [0xF1, 0x01])
      },
      ForbiddenCommand("FFE1", "deletes users or their measurements") {
        $0.count > 1 && [0xE7, 0xF7].contains($0[0]) && [0x32, 0x43, 0x49].contains($0[1])
      },
      ForbiddenCommand("FFF1", "deletes stored weighings") { $0 == [0xF2, 0x01] },
      ForbiddenCommand("FFF2", "writes the patient's identity") {
        $0.count > 4 && $0.starts(with: [0x4D, 0xFF]) && $0[4] == 0x06
      },
      // Contec's protocol, which Beurer's PO60 speaks; whether 99 7F erases is not known.
      ForbiddenCommand("FF01", "erases measurements") {
        $0.first == 0xA1
          || $0.count > 1 && $0[1] == 0x7F && [0x9D, 0x91, 0x92, 0x94, 0x96, 0x99].contains($0[0])
      },
    ] + omronMemory

  /// Writing to an Omron's memory (01 C0) can destroy its calibration.
  private static let omronMemory = [
    "DB5B55E0-AEE7-11E1-965E-0002A5D5C51B", "E0B8A060-AEE7-11E1-92F4-0002A5D5C51B",
    "0AE12B00-AEE8-11E1-A192-0002A5D5C51B", "10E1BA60-AEE8-11E1-89E5-0002A5D5C51B",
  ].map { characteristic in
    ForbiddenCommand(characteristic, "writes to the memory that holds the calibration") {
      $0.count > 2 && $0[1] == 0x01 && $0[2] == 0xC0
    }
  }
}
