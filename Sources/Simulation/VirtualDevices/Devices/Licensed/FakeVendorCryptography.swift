// SPDX-License-Identifier: Apache-2.0

public import HealthDevices
import HealthGATT
import SantorioCryptography

/// The cryptography of the virtual devices that stand in for those of licensees.
///
/// It proves that the workflow around a manufacturer's cryptography works. It is no manufacturer's:
/// real meters do not understand it. A licence is any file that begins with `stand-in`.
public struct FakeVendorCryptography: VendorCryptography {
  /// A key for tests and demonstrations: 16 bytes.
  public static let exampleKey: [UInt8] = Array(0x10...0x1F)
  private static let tagCount = 8

  /// Makes one; all are the same.
  public init() {}

  /// Why the stand-in refuses something.
  public struct Refusal: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String
  }

  /// Checks that the licence begins with `stand-in`.
  public func validate(license: [UInt8]) throws {
    guard license.starts(with: "stand-in".utf8) else {
      throw Refusal(description: "it is no licence for the stand-in protocol")
    }
  }

  /// The proof of the challenge under the key: 20 bytes.
  public func response(to challenge: [UInt8], key: [UInt8]) throws -> [UInt8] {
    let cipher = try AESCCM(key: Self.padded(key), tagCount: 16)
    let nonce = [UInt8](repeating: 0, count: 13)
    return try cipher.seal(Array("auth".utf8), nonce: nonce, authenticating: challenge)
  }

  /// Decrypts a frame: 13 bytes that are never used twice, then AES-CCM with 8 bytes of proof.
  public func open(_ frame: [UInt8], key: [UInt8]) throws -> [UInt8] {
    guard frame.count >= 13 else { throw Refusal(description: "the frame is too short") }
    let cipher = try AESCCM(key: Self.padded(key), tagCount: Self.tagCount)
    return try cipher.open(Array(frame[13...]), nonce: Array(frame[..<13]))
  }

  static func seal(_ bytes: [UInt8], number: UInt64, key: [UInt8]) throws -> [UInt8] {
    let nonce = (0..<13).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) : 0 }
    let cipher = try AESCCM(key: padded(key), tagCount: tagCount)
    return try nonce + cipher.seal(bytes, nonce: nonce)
  }

  /// Keys of another length than AES has are cut, or filled up with zeros.
  private static func padded(_ key: [UInt8]) -> [UInt8] {
    Array((key + [UInt8](repeating: 0, count: 16)).prefix(16))
  }
}
