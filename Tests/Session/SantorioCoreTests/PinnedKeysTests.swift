// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore

private let one = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
private let two = "Ypeg8jnJ4ODMHNKFIcZ1q9RqPjwYFdYTJAJPqW8JqWw="

@Suite struct `Pinned keys` {
  @Test func `are two at least, each the base64 of a SHA-256`() throws {
    #expect(try PinnedKeys([one, two]).pins == [one, two])
    #expect(throws: TransportError.self) { try PinnedKeys([]) }
    #expect(throws: TransportError.self) { try PinnedKeys([one]) }
    #expect(throws: TransportError.self) { try PinnedKeys([one, one]) }
  }

  @Test(arguments: [
    "", "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF=",
    "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=", "AAAA",
    "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=",
    "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;sha256//\(two)",
  ])
  func `refuse malformed pins`(pin: String) {
    #expect {
      try PinnedKeys([one, pin])
    } throws: { error in
      (error as? TransportError)?.code == .invalidPins && !"\(error)".contains("47DE")
    }
  }

  @Test func `recognise the digest of a key`() throws {
    // one is the SHA-256 of nothing.
    let digest: [UInt8] = [
      0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9,
      0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52,
      0xb8, 0x55,
    ]

    #expect(try PinnedKeys([one, two]).contains(digest))
    #expect(try !PinnedKeys([one, two]).contains(digest.reversed()))
  }
}

@Suite struct `Subject public key info` {
  // The first bytes and the rest as OpenSSL writes keys of these kinds.
  @Test(arguments: [
    (SubjectPublicKeyInfo.Kind.p256, 65, "3059301306072a8648ce3d020106082a8648ce3d030107034200"),
    (.p384, 97, "3076301006072a8648ce3d020106052b81040022036200"),
    (.rsa, 270, "30820122300d06092a864886f70d01010105000382010f00"),
    (.rsa, 398, "308201a2300d06092a864886f70d01010105000382018f00"),
    (.rsa, 526, "30820222300d06092a864886f70d01010105000382020f00"),
  ])
  func `is the key behind the header of its kind`(
    kind: SubjectPublicKeyInfo.Kind, length: Int, header: String
  ) {
    let key = [UInt8](repeating: 0x5a, count: length)

    let bytes = SubjectPublicKeyInfo.bytes(kind, key: key)

    let digits = Array("0123456789abcdef")
    let text = bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    #expect(text == header + String(repeating: "5a", count: length))
  }
}
