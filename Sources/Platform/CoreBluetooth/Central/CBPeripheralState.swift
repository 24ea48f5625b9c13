// SPDX-License-Identifier: Apache-2.0

/// The state of a connection to a peripheral.
@nonexhaustive
public enum CBPeripheralState: Int, @unchecked Sendable {
  case disconnected = 0
  case connecting = 1
  case connected = 2
  case disconnecting = 3
}
