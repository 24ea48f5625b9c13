// SPDX-License-Identifier: Apache-2.0

/// What a manufacturer would give to its licensees, here a stand-in that protects nothing.
///
/// Put the manufacturer's library in its place. A licence is any file that begins with `stand-in`.
public struct StandInCryptography: Sendable {
  /// A key for tests and demonstrations: 16 bytes.
  public static let exampleKey: [UInt8] = Array(0x10...0x1F)

  private let key: [UInt8]

  /// Uses a key.
  ///
  /// - Parameter key: At least one byte.
  public init(key: [UInt8]) { self.key = key.isEmpty ? [0] : key }

  /// Why the stand-in refuses something.
  public struct Refusal: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String
  }

  /// Checks that the licence begins with `stand-in`.
  ///
  /// - Parameter license: The bytes of the licence file.
  /// - Throws: Why it does not hold.
  public static func validate(license: [UInt8]) throws {
    guard license.starts(with: "stand-in".utf8) else {
      throw Refusal(description: "it is no licence for the stand-in protocol")
    }
  }

  /// The 20 bytes by which a meter recognises the app.
  public var authentication: [UInt8] {
    (0..<20).map { key[$0 % key.count] &+ UInt8($0) &* 7 }
  }

  /// Encrypts a record: four bytes of check, then the record, each byte combined with the key.
  public func seal(_ record: [UInt8]) -> [UInt8] { combine(check(record) + record) }

  /// Decrypts a record.
  ///
  /// - Parameter frame: What the meter sent.
  /// - Returns: The record.
  /// - Throws: When the key does not fit, or the frame is damaged.
  public func open(_ frame: [UInt8]) throws -> [UInt8] {
    let clear = combine(frame)
    let record = Array(clear.dropFirst(4))
    guard clear.count >= 4, Array(clear.prefix(4)) == check(record) else {
      throw Refusal(description: "the key does not fit, or the frame is damaged")
    }
    return record
  }

  private func combine(_ bytes: [UInt8]) -> [UInt8] {
    bytes.enumerated().map { $1 ^ key[$0 % key.count] }
  }

  private func check(_ record: [UInt8]) -> [UInt8] {
    let hash = (record + key).reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return (0..<4).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt32($0))) }
  }
}
