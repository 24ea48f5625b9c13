// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography
import TestSupport
import Testing

@Suite struct `SHA-256` {
  @Test func `is that of FIPS 180`() {
    #expect(
      SHA256Digest.hex(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256Digest.hex([])
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `is the same in parts`() {
    var random = SeededGenerator(seed: 11)
    for count in [0, 1, 63, 64, 65, 5000] {
      let bytes = random.bytes(count...count)
      var stream = SHA256Stream()
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 1...200, using: &random))
        stream.update(part)
        rest = rest.dropFirst(part.count)
      }
      #expect(stream.finish() == SHA256Digest.hex(bytes))
    }
  }
}

@Suite struct `HMAC-SHA-256` {
  /// RFC 4231, test cases 1, 2 and 6.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `is that of RFC 4231`(key: [UInt8], text: String, code: String) throws {
    let hmac = HMACSHA256(key: key)

    #expect(hmac.code(of: Array(text.utf8)) == (try bytes(code)))
    #expect(hmac.code(of: Array(text.utf8)) == hmac.code(of: Array(text.utf8)))
  }
}

@Suite struct `AES-GCM` {
  private let key: [UInt8] = Array(0..<32)

  private func seal(
    _ bytes: [UInt8], _ text: String, nonce: [UInt8]? = nil, after start: [UInt8] = []
  ) -> [UInt8] {
    var sealed = start
    let isDone = AESGCM(key: key).encrypting { encryption in
      unsafe bytes.withUnsafeBufferPointer {
        unsafe encryption.seal($0, authenticating: text, nonce: nonce, onto: &sealed)
      }
    }
    #expect(isDone)
    return sealed
  }

  @Test func `is that of the paper for a key of zeros`() throws {
    // Test case 13: no bytes, no text, a key and a nonce of zeros.
    var sealed: [UInt8] = []
    let isDone = AESGCM(key: [UInt8](repeating: 0, count: 32)).encrypting { encryption in
      unsafe encryption.seal(
        UnsafeBufferPointer(start: nil, count: 0), authenticating: "",
        nonce: [UInt8](repeating: 0, count: 12), onto: &sealed)
    }

    #expect(isDone)
    #expect(sealed.dropFirst(12).elementsEqual(try bytes("530F8AFBC74536B9A963B4F1C4CB738B")))
  }

  @Test func `opens what it sealed at any offset`() {
    for count in [0, 1, 16, 1000] {
      let bytes = [UInt8](repeating: 7, count: count)
      let sealed = seal(bytes, "name", after: [1, 2])

      #expect(sealed.count == 2 + count + AESGCM.overhead)
      #expect(AESGCM(key: key).open(sealed, from: 2, authenticating: "name") == bytes)
    }
  }

  @Test func `opens nothing else`() {
    let sealed = seal([1, 2, 3], "name")
    let cipher = AESGCM(key: key)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(cipher.open(changed, authenticating: "name") == nil)
    }
    #expect(cipher.open(sealed, authenticating: "other") == nil)
    #expect(cipher.open(Array(sealed.dropLast()), authenticating: "name") == nil)
    #expect(cipher.open([], authenticating: "name") == nil)
    #expect(AESGCM(key: key.reversed()).open(sealed, authenticating: "name") == nil)
  }

  @Test func `uses a new nonce each time unless one is given`() {
    let random = Set((0..<200).map { _ in seal([1], "name").prefix(12) })
    let given: [UInt8] = Array(1...12)

    #expect(random.count == 200)
    #expect(seal([1], "name", nonce: given).prefix(12).elementsEqual(given))
    #expect(seal([1], "name", nonce: given) == seal([1], "name", nonce: given))
  }
}
