// SPDX-License-Identifier: Apache-2.0

/// Whether a write is confirmed.
@nonexhaustive
public enum CBCharacteristicWriteType: Int, @unchecked Sendable {
  case withResponse = 0
  case withoutResponse = 1
}
