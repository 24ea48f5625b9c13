// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Listening` {
  private func socketFile(_ folder: TemporaryFolder) -> String { folder.path + "/http.sock" }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func isHealthy(_ client: SocketClient) throws -> Bool {
    try client.request("GET", "/healthz").status == 200
  }

  private func status(_ socket: String, _ path: String, token: String? = nil) throws -> Int {
    try SocketClient(socket: socket).request("GET", path, token: token).status
  }

  @Test func `serves several addresses at once`() throws {
    let folder = try TemporaryFolder()
    let test = try TestServer(folder: folder) {
      $0.addresses = ["127.0.0.1", "[::1]:0", "unix:" + folder.path + "/http.sock"]
    }
    let ports = test.log.all.compactMap { $0.firstMatch(of: /listening on \[::1\]:(\d+)/)?.1 }
    let port = try #require(ports.first)

    #expect(try isHealthy(test.client))
    #expect(try isHealthy(SocketClient(IPv6: try #require(UInt16(port)))))
    #expect(try isHealthy(SocketClient(socket: socketFile(folder))))
  }

  @Test func `accepts IPv4 and IPv6 on ::`() throws {
    let test = try TestServer { $0.addresses = ["::"] }

    #expect(try isHealthy(test.client))
    #expect(try isHealthy(SocketClient(IPv6: test.server.port)))
  }

  @Test func `creates its socket file for its owner only and removes it at the end`() throws {
    let folder = try TemporaryFolder()
    let path = socketFile(folder)
    let test = try TestServer(folder: folder) { $0.addresses = ["unix:" + path] }

    #expect(try permissions(path) == 0o600)
    #expect(test.server.port == 0)
    test.server.stop()
    #expect(!FileManager.default.fileExists(atPath: path))

    let other = try TestServer {
      $0.addresses = ["unix:" + path + "2"]
      $0.socketMode = 0o660
    }
    #expect(try permissions(path + "2") == 0o660)
    withExtendedLifetime(other) {}
  }

  @Test func `does not complain of options of TCP that a unix socket lacks`() throws {
    let folder = try TemporaryFolder()
    let test = try TestServer(folder: folder) { $0.addresses = ["unix:" + socketFile(folder)] }

    #expect(try isHealthy(SocketClient(socket: socketFile(folder))))
    test.server.stop()

    #expect(test.log.all.contains { $0.contains("GET /healthz") })
    #expect(!test.log.all.contains { $0.contains("http: ") }, "\(test.log.all)")
  }

  @Test func `replaces the socket file of a server that was killed`() throws {
    let folder = try TemporaryFolder()
    let path = socketFile(folder)
    let left = try ListeningSocket(ListenAddress("unix:" + path), port: 0)
    // As a kill leaves it: the file is there, and nobody listens.
    #expect(unsafe rename(path, path + ".left") == 0)
    left.close()
    #expect(unsafe rename(path + ".left", path) == 0)

    let test = try TestServer(folder: folder) { $0.addresses = ["unix:" + path] }

    #expect(try isHealthy(SocketClient(socket: path)))
    withExtendedLifetime(test) {}
  }

  @Test func `leaves other servers' sockets and other files alone`() throws {
    let folder = try TemporaryFolder()
    let path = socketFile(folder)
    let first = try TestServer(folder: folder) { $0.addresses = ["unix:" + path] }

    let taken = #expect(throws: IngestError.self) {
      try TestServer { $0.addresses = ["unix:" + path] }
    }
    #expect(taken?.code == .cannotListen)
    #expect(try isHealthy(SocketClient(socket: path)))
    withExtendedLifetime(first) {}

    let file = folder.path + "/file"
    try Data([1]).write(to: URL(fileURLWithPath: file))
    #expect(throws: IngestError.self) { try TestServer { $0.addresses = ["unix:" + file] } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data([1]))
  }

  @Test func `reaches a socket file with a path that is too long for an address`() throws {
    let folder = try TemporaryFolder()
    let deep = folder.path + "/" + String(repeating: "a", count: 120)
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    let test = try TestServer(folder: folder) { $0.administrationSocket = deep + "/server.sock" }

    #expect(try isHealthy(SocketClient(socket: deep + "/server.sock")))
    #expect(try permissions(deep + "/server.sock") == 0o600)
    withExtendedLifetime(test) {}

    #expect(throws: IngestError.self) {
      try TestServer { $0.administrationSocket = "/nowhere/" + deep + "/server.sock" }
    }
    #expect(throws: IngestError.self) {
      try TestServer {
        $0.administrationSocket = folder.path + "/" + String(repeating: "b", count: 120)
      }
    }
  }

  @Test func `treats a request without a token on its own socket as the operator's`() throws {
    let folder = try TemporaryFolder()
    let (own, open) = (folder.path + "/server.sock", socketFile(folder))
    let test = try TestServer(folder: folder) {
      $0.addresses = ["unix:" + open]
      $0.administrationSocket = own
    }
    let users = "/v1/organizations/acme/users"

    #expect(try status(own, users) == 200)
    #expect(try status(own, TestServer.path(test.alice)) == 200)
    // The operator is nobody's user, and a wrong token stays wrong.
    #expect(try status(own, test.records) == 403)
    #expect(try status(own, users, token: "of-another-server") == 401)
    #expect(try status(open, users) == 401)
    let line = try #require(AuditLog(storage: folder.storage).last(1).first)
    #expect(line.action == "users.list" && line.actor == "operator" && line.address == "local")
    withExtendedLifetime(test) {}
  }

  // MARK: - Who the client is

  private func head(
    _ forwarded: String?, isBehindProxy: Bool, isAdministration: Bool
  ) throws -> String {
    let limits = IngestServer.Limits()
    let registry = ConnectionRegistry(
      limits, countsAddresses: true, monotonicClock: .init(ContinuousClock()), log: { _ in })
    let context = DaemonContext(
      application: NoApplication(), limits: limits, connections: registry,
      isBehindProxy: isBehindProxy, log: { _ in })
    let address = isAdministration ? ClientAddress.local : try #require(ClientAddress("127.0.0.1"))
    let connection = HTTPConnection(
      id: 1, address: address, listener: .init(isAdministration: isAdministration), in: registry)
    return context.address(of: connection, forwardedFor: forwarded).text
  }

  @Test func `trusts X-Forwarded-For only behind a proxy, never on its own socket`() throws {
    let entry = "192.0.2.7"
    #expect(try head(entry, isBehindProxy: false, isAdministration: false) == "127.0.0.1")
    #expect(try head(entry, isBehindProxy: true, isAdministration: false) == entry)
    #expect(try head(nil, isBehindProxy: true, isAdministration: false) == "127.0.0.1")
    #expect(try head("x", isBehindProxy: true, isAdministration: false) == "127.0.0.1")
    #expect(try head(entry, isBehindProxy: true, isAdministration: true) == "local")
  }

  @Test func `counts clients behind a proxy by the last forwarded address`() throws {
    let test = try TestServer {
      $0.isBehindProxy = true
      $0.limits.anonymousRate = 1
      $0.limits.anonymousBurst = 1
    }
    func status(_ headers: [String]) throws -> Int {
      try test.client.request("GET", "/nowhere", headers: headers).status
    }

    #expect(try status(["X-Forwarded-For: 192.0.2.7"]) == 404)
    #expect(try status(["X-Forwarded-For: 192.0.2.7"]) == 429)
    // What the client wrote itself stands before.
    #expect(try status(["X-Forwarded-For: 192.0.2.9, 192.0.2.7"]) == 429)
    #expect(try status(["X-Forwarded-For: 192.0.2.9", "x-forwarded-for: 192.0.2.7"]) == 429)
    #expect(try status(["X-Forwarded-For: 192.0.2.9"]) == 404)
  }

  @Test func `listens only on this machine behind a proxy`() throws {
    let folder = try TemporaryFolder()
    var configuration = IngestServer.Configuration(
      storagePath: folder.storage, addresses: ["127.0.0.1", "0.0.0.0"])
    configuration.isBehindProxy = true

    let error = #expect(throws: IngestError.self) { try IngestServer(configuration: configuration) }

    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("0.0.0.0") == true)
  }

  private struct NoApplication: HTTPApplication {
    func admit(_ head: RequestHead) -> Admission {
      Admission(label: "", decision: .refuse(HTTPResponse(404)))
    }
    func answered(_ label: String, status: Int, milliseconds: Int) {}
  }
}
