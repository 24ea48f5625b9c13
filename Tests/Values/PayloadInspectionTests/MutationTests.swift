// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import HealthGATT
import TestSupport
import PayloadTesting
import Testing

extension [UInt8] {
  fileprivate mutating func mutate(using generator: inout SeededGenerator) {
    let position = Int.random(in: 0...count, using: &generator)
    switch UInt8.random(in: 0..<5, using: &generator) {
    case 0: insert(.random(in: 0...255, using: &generator), at: position)
    case 1 where position < count: remove(at: position)
    case 2: removeSubrange(position...)
    case 3 where position < count: self[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case _ where position < count:
      self[position] = [0x00, 0xFF, 0x7F, 0x80, 0x08][Int.random(in: 0..<5, using: &generator)]
    default: append(.random(in: 0...255, using: &generator))
    }
  }
}

extension FieldRepresentable {
  fileprivate var writtenPayload: [UInt8]? { (self as? any CharacteristicValue)?.payload }
}

@Suite struct `Mutated payloads` {
  /// Inputs over all characteristics; a trap would end the test process.
  @Test(arguments: CharacteristicCodec.all.map(\.characteristic))
  func `are decoded or refused, and what is decoded stays the same`(
    characteristic: String
  ) throws {
    let codec = try #require(CharacteristicCodec.codec(for: characteristic))
    let own = Vector.valid.filter { $0.char == characteristic }
    var generator = SeededGenerator(seed: 20_260_504)
    var decodedCount = 0
    var refusedCount = 0
    for _ in 0..<(cases(few: 50_000, many: 200_000) / CharacteristicCodec.all.count) {
      let source = Bool.random(using: &generator) && !own.isEmpty ? own : Vector.all
      let vector = source[Int.random(in: 0..<source.count, using: &generator)]
      let parameters = vector.params ?? own.first?.params ?? [:]
      var payload = try bytes(vector.hex)
      for _ in 0..<Int.random(in: 0...4, using: &generator) { payload.mutate(using: &generator) }
      do {
        let value = try codec.value(payload, parameters: parameters)
        decodedCount += 1
        // What was decrypted is not the payload again.
        guard parameters.isEmpty, let written = value as? any CharacteristicValue else {
          _ = value.fields
          continue
        }
        let again = try codec.value(written.payload)
        if value.fields != again.fields || written.payload != again.writtenPayload {
          Issue.record("not the same again: \(payload)")
        }
      } catch {
        refusedCount += 1
        let offset = error.offset ?? -1
        if !(0...payload.count).contains(offset) { Issue.record("offset \(offset): \(payload)") }
      }
    }
    #expect(decodedCount > 15)
    // A check is computed over any bytes.
    #expect(refusedCount > 15 || characteristic.hasPrefix("crc"))
  }
}
