// SPDX-License-Identifier: Apache-2.0

/// The connection latency that a peripheral manager requests.
@nonexhaustive
public enum CBPeripheralManagerConnectionLatency: Int, @unchecked Sendable {
  case low = 0
  case medium = 1
  case high = 2
}
