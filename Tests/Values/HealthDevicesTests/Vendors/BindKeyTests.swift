// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

@Suite struct `Bind key` {
  @Test func `is 32 hexadecimal digits`() throws {
    let key = try BindKey(hexadecimal: "58305740B64e4b425e518aa1f4e51339")

    #expect(key.bytes == (try bytes("58305740B64E4B425E518AA1F4E51339")))
    for text in [
      "", "58", "5830574", "0x58305740b64e4b425e518aa1f4e513", "ü",
      "58305740b64e4b425e518aa1f4e5133g",
    ] {
      let error = #expect(throws: PayloadError.self) { try BindKey(hexadecimal: text) }
      #expect(error?.code == .keyRequired)
    }
  }

  @Test func `is not in its description`() throws {
    let key = try BindKey(hexadecimal: "58305740b64e4b425e518aa1f4e51339")

    #expect("\(key)" == "BindKey(16 bytes)")
    #expect(String(reflecting: key) == "BindKey(16 bytes)")
  }
}
