// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import Foundation
import HealthGATT

/// Feeds a row of the table with many mutations of its payloads, the same ones in each run.
///
/// Without a look at what code they reach, so that they are made a hundred times as fast.
enum Mutation {
  static func run(_ count: Int) {
    var seeds: [String: [[UInt8]]] = [:]
    while let line = readLine() {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let bytes = [UInt8](hexadecimal: parts[1]) else { continue }
      seeds[String(parts[0]), default: []].append(bytes)
    }
    for (name, own) in seeds.sorted(by: { $0.key < $1.key }) {
      guard let row = CharacteristicCodec.codec(for: name) else { continue }
      let start = ContinuousClock.now
      feed(row, own, count)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      print("\(name): \(count) inputs in \(Int(seconds.rounded(.up))) s")
    }
  }

  private static func feed(_ row: CharacteristicCodec, _ own: [[UInt8]], _ count: Int) {
    var generator = SplitMix64(state: 20_261_121)
    for seed in own {
      for length in 0...seed.count { exercise(row, Array(seed[..<length])) }
    }
    for number in 0..<count {
      var payload = own[number % own.count]
      for _ in 0...(generator.next() % 4) { mutate(&payload, &generator) }
      exercise(row, payload)
    }
  }

  private static func mutate(_ payload: inout [UInt8], _ generator: inout SplitMix64) {
    let word = generator.next()
    let byte = UInt8(truncatingIfNeeded: word >> 16)
    let position = Int(word >> 24 & 0xFFFF) % (payload.count + 1)
    switch word % 6 {
    case 0: payload.insert(byte, at: position)
    case 1 where position < payload.count: payload.remove(at: position)
    case 2: payload.removeSubrange(position...)
    case 3 where position < payload.count: payload[position] ^= 1 << (byte & 7)
    case 4 where position < payload.count:
      payload[position] = [0x00, 0xFF, 0x7F, 0x80, 0x08, 0x07][Int(byte) % 6]
    case _ where position < payload.count: payload[position] = byte
    default: payload.append(byte)
    }
  }
}

private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
