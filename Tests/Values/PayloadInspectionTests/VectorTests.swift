// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Vectors from public sources` {
  /// Guards the other tests: without vectors they would pass.
  @Test func `are 460, and 376 of them are valid`() {
    #expect(Vector.all.count == 460)
    #expect(Vector.valid.count == 376)
  }

  @Test(arguments: Vector.valid)
  func `decode to every expected field`(vector: Vector) throws {
    let decoded = try CharacteristicCodec.decode(
      characteristic: vector.char, payload: try bytes(vector.hex),
      parameters: vector.params ?? [:])

    for (name, expected) in vector.expected {
      let field = try #require(decoded[name], "no field \(name)")
      #expect(expected.matches(field), "\(name): \(field), expected \(expected)")
    }
  }

  @Test(arguments: Vector.all.filter(\.isRefused))
  func `are refused where they are malformed`(vector: Vector) throws {
    let payload = try bytes(vector.hex)
    let error = try refusal(of: payload, as: vector.char, parameters: vector.params ?? [:])

    let offset = try #require(error.offset)
    #expect(offset <= payload.count)
  }

  @Test(arguments: Vector.valid)
  func `encode to the bytes they came from`(vector: Vector) throws {
    let codec = try #require(CharacteristicCodec.codec(for: vector.char))
    let payload = try bytes(vector.hex)

    // What only one manufacturer sends is written only where a virtual device needs it.
    let decoded = try codec.value(payload, parameters: vector.params ?? [:])
    // What was decrypted is shorter than the payload that it was in.
    guard vector.params == nil, let value = decoded as? any CharacteristicValue else { return }
    #expect(value.payload == payload)
  }

  /// What a later version of a specification adds at the end is not lost.
  @Test(arguments: Vector.valid)
  func `keep the bytes after their last field, or refuse them`(vector: Vector) throws {
    let codec = try #require(CharacteristicCodec.codec(for: vector.char))
    let payload = try bytes(vector.hex) + [0xA5, 0x5A]
    guard vector.params == nil, let decoded = try? codec.value(payload, parameters: [:]),
      let value = decoded as? any CharacteristicValue
    else { return }
    #expect(value.payload == payload)
  }
}

@Suite struct `Table of characteristics` {
  @Test func `finds a characteristic in lower case`() throws {
    let decoded = try CharacteristicCodec.decode(characteristic: "2a19", payload: [100])

    #expect(decoded.name == "Battery Level")
    #expect(decoded.fields == [.init("percent", .integer(100))])
  }

  @Test func `says that it does not know a characteristic`() throws {
    let error = try refusal(of: [1], as: "2AFF")

    #expect(error.code == .unsupportedCharacteristic)
    #expect(error.offset == nil)
    #expect(error.message == "There is no codec for 2AFF.")
  }

  @Test func `names each characteristic once`() {
    let keys = CharacteristicCodec.all.map(\.characteristic)

    #expect(Set(keys).count == keys.count)
  }

  @Test func `has a vector for every row`() {
    #expect(Set(Vector.all.map(\.char)) == Set(CharacteristicCodec.all.map(\.characteristic)))
  }
}
