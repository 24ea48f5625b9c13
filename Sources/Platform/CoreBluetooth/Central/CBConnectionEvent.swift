// SPDX-License-Identifier: Apache-2.0

/// A change of a watched connection.
@nonexhaustive
public enum CBConnectionEvent: Int, @unchecked Sendable {
  case peerDisconnected = 0
  case peerConnected = 1
}
