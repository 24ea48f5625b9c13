// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

@Suite struct `Key of checkpoints` {
  /// The vectors of SipHash's reference implementation, for the bytes 00, 01, 02 and so on.
  @Test(
    arguments: [
      (0, 0x726F_DB47_DD0E_0E31), (1, 0x74F8_39C5_93DC_67FD), (8, 0x93F5_F579_9A93_2462),
      (15, 0xA129_CA61_49BE_45E5),
    ] as [(UInt8, UInt64)])
  func `makes the fingerprints of SipHash-2-4`(count: UInt8, expected: UInt64) {
    let key = CheckpointKey(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
    #expect(key.fingerprint(of: Array(0..<count)) == expected)
  }

  @Test func `makes other fingerprints of the same measurement in another place`() {
    let payload: [UInt8] = [0x14, 0x7A, 0, 0x4C, 0, 0x5B, 0, 58, 0]
    let (here, there) = (CheckpointKey.random(), CheckpointKey.random())
    #expect(here.fingerprint(of: payload) == here.fingerprint(of: payload))
    #expect(here.fingerprint(of: payload) != there.fingerprint(of: payload))
    #expect(
      SyncCheckpoint(sequenceNumber: 1, payload: payload, key: here)
        != SyncCheckpoint(sequenceNumber: 1, payload: payload, key: there))
  }
}
