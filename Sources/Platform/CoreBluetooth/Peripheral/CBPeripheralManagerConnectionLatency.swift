// SPDX-License-Identifier: Apache-2.0

/// What a peripheral manager asks of a connection's pace.
@nonexhaustive
public enum CBPeripheralManagerConnectionLatency: Int, @unchecked Sendable {
  case low = 0
  case medium = 1
  case high = 2
}
