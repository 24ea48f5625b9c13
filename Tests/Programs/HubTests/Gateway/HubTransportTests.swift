// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
import Testing

@testable import Hub

@Suite struct `The transport of a hub` {
  private func configuration(_ server: String) throws -> HubConfiguration {
    let text = """
      {"name": "test", "folder": "/var/lib/hub", "server": "\(server)", "patients": [
        {"alias": "bed-1", "user": "u", "organization": "o", "token": {"file": "/t"}}]}
      """
    let reading = HubConfiguration.read(text.utf8)
    return try #require(reading.configuration, "\(reading.findings)")
  }

  @Test func `is one for all patients, and another one for another server`() throws {
    let transport = HubTransport()
    let first = try transport.current(of: configuration("https://a.example"))
    #expect(try transport.current(of: configuration("https://a.example")) === first)
    let second = try transport.current(of: configuration("https://b.example"))
    #expect(second !== first)
    #expect(try transport.current(of: configuration("https://b.example")) === second)
  }
}
