// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What Omron devices advertise, after the company identifier 0x020E.
///
/// ```
/// // 01  09  2A00  03     1700  00
/// // FM  FL  last  unsent, for each user
/// ```
///
/// Source: StanfordSpezi/SpeziDevices, OmronManufacturerData. The users are known for format 1
/// only; what follows Flags in another format is kept as `trailingBytes`.
package struct OmronAdvertisement: CharacteristicValue {
  /// The company identifier that the Bluetooth SIG assigned to Omron Healthcare.
  package static let company: UInt16 = 0x020E

  /// Flags beside the number of users.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 2: the clock has never been set.
    package static let timeNotSet = Flags(rawValue: 1 << 2)
    /// Bit 3: the device waits to be paired.
    package static let pairing = Flags(rawValue: 1 << 3)
    /// Bit 4: the device streams.
    package static let streaming = Flags(rawValue: 1 << 4)
    /// Bit 5: the device has the memory service.
    package static let memoryService = Flags(rawValue: 1 << 5)

    static let userCount = Flags(rawValue: 0b11)
  }

  /// A memory slot of the device.
  package struct User: Hashable, Sendable {
    /// The sequence number of the last measurement.
    package let lastSequence: UInt16
    /// How many measurements were never transferred.
    package let unsentCount: UInt8
  }

  /// The format, 1 where the users follow.
  package let format: UInt8
  /// Flags as sent, the number of users included.
  package let flags: Flags
  /// The users, 1...4 of them in format 1.
  package let users: [User]
  /// What follows.
  package let trailingBytes: [UInt8]

  /// Reads the bytes after the company identifier.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    format = try reader.uint8(field: "Format")
    flags = Flags(rawValue: try reader.uint8(field: "Flags"))
    var users: [User] = []
    if format == 1 {
      for _ in 0...flags.intersection(.userCount).rawValue {
        users.append(
          User(
            lastSequence: try reader.uint16(field: "Last Sequence Number"),
            unsentCount: try reader.uint8(field: "Unsent Count")))
      }
    }
    self.users = users
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the bytes after the company identifier.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(format)
    writer.uint8(flags.rawValue)
    for user in users {
      writer.uint16(user.lastSequence)
      writer.uint8(user.unsentCount)
    }
    writer.append(trailingBytes)
  }
}
