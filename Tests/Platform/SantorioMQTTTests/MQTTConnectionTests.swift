// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SantorioMQTT

@Suite struct `Connection to an MQTT broker` {
  @Test func `The receive buffer of the socket is limited`() throws {
    let server = try PacketServer { _ in [] }
    let connection = try MQTTConnection(MQTTSettings(port: server.port, "hub"))
    try connection.connect()
    let socket = try #require(connection.socket)

    var (size, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    let result = unsafe getsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, &length)

    #expect(result == 0)
    // Linux doubles the size that is requested.
    #expect(size == 32_768)
  }
}
