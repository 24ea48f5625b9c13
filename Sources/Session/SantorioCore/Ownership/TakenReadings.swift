// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCryptography

/// The newest readings of a device that were taken for users: a reading is taken for one user only, also
/// when its device sends it again after it has changed hands.
package struct TakenReadings: Hashable, Sendable {
  /// More than meters keep.
  private static let capacity = 1024

  private var users: [String] = []
  /// The digests of the readings, the oldest first.
  private var digests: [UInt64] = []
  /// The user of each, as a place among the users.
  private var owners: [UInt8] = []

  package init() {}

  /// Notes readings that were taken for a user.
  package mutating func note(_ logIDs: [String], for user: String) {
    guard let owner = place(of: user) else { return }
    for digest in logIDs.map(Self.digest) where !digests.contains(digest) {
      digests.append(digest)
      owners.append(owner)
    }
    digests = digests.suffix(Self.capacity)
    owners = owners.suffix(Self.capacity)
  }

  /// Adds the readings that another list has.
  package mutating func formUnion(_ other: TakenReadings) {
    for (digest, owner) in zip(other.digests, other.owners) where !digests.contains(digest) {
      guard other.users.indices.contains(Int(owner)), let place = place(of: other.users[Int(owner)])
      else { continue }
      digests.append(digest)
      owners.append(place)
    }
    digests = digests.suffix(Self.capacity)
    owners = owners.suffix(Self.capacity)
  }

  /// The user for whom a reading was taken; nil where none is known.
  package func user(of logID: String) -> String? {
    digests.firstIndex(of: Self.digest(logID)).flatMap { index in
      let place = Int(owners[index])
      return users.indices.contains(place) ? users[place] : nil
    }
  }

  /// Those of some readings that were taken for others than a user.
  package func takenByOthers(among logIDs: [String], than user: String) -> Set<String> {
    guard users.contains(where: { $0 != user }) else { return [] }
    return Set(logIDs.filter { self.user(of: $0).map { $0 != user } ?? false })
  }

  /// A device that had more users than a byte counts keeps those that it had first.
  private mutating func place(of user: String) -> UInt8? {
    if let known = users.firstIndex(of: user) { return UInt8(known) }
    guard users.count < 255 else { return nil }
    users.append(user)
    return UInt8(users.count - 1)
  }

  private static func digest(_ logID: String) -> UInt64 {
    SHA256Digest.bytes(Array(logID.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

// In the file an entry has nine bytes: the digest, and the place of its user.
extension TakenReadings: Codable {
  private enum CodingKeys: String, CodingKey {
    case users, entries
  }

  private static let entryLength = 9

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    users = try values.decode([String].self, forKey: .users)
    let bytes = Array(try values.decode(Data.self, forKey: .entries))
    for start in stride(from: 0, through: bytes.count - Self.entryLength, by: Self.entryLength) {
      digests.append(bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) })
      owners.append(bytes[start + 8])
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var bytes = Data(capacity: digests.count * Self.entryLength)
    for (digest, owner) in zip(digests, owners) {
      unsafe withUnsafeBytes(of: digest.bigEndian) { unsafe bytes.append(contentsOf: $0) }
      bytes.append(owner)
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(users, forKey: .users)
    try values.encode(bytes, forKey: .entries)
  }
}
