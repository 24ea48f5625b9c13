// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CoreBluetooth

@Suite struct `Pairing agent of BlueZ` {
  @Test func `accepts calls of bluetoothd only`() {
    #expect(PairingAgent.isTrusted(":1.7", daemon: ":1.7"))
    #expect(!PairingAgent.isTrusted(":1.8", daemon: ":1.7"))
    #expect(!PairingAgent.isTrusted("", daemon: nil))
    #expect(!PairingAgent.isTrusted(":1.7", daemon: nil))
  }

  @Test func `accepts without a handler only questions without input`() {
    #expect(PairingAgent.unattended(.confirmation) == .accept)
    #expect(PairingAgent.unattended(.passkeyEntry) == .reject)
  }
}
