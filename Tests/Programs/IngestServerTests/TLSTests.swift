// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15)), .enabled(if: TestCertificates.isPossible))
struct `TLS` {
  private let certificates: TestCertificates
  private let test: TestServer

  init() throws {
    let certificates = try TestCertificates()
    self.certificates = certificates
    test = try TestServer {
      $0.certificate = certificates.files
      // On a busy machine a key may take longer to make than a connection may be idle.
      $0.limits.idleSeconds = 600
    }
  }

  /// libcurl, which trusts the certificate in the file.
  private func transport() -> CurlTransport {
    CurlTransport(certificateAuthorities: URL(fileURLWithPath: certificates.files.certificate))
  }

  private func health(_ transport: CurlTransport) async throws -> TransportResponse {
    let url = try #require(URL(string: "https://127.0.0.1:\(test.server.port)/healthz"))
    return try await transport.send(TransportRequest(method: "GET", url: url))
  }

  @Test func `carries requests and announces HSTS`() async throws {
    let response = try await health(transport())

    #expect(response.status == 200)
    #expect(response.header("Strict-Transport-Security") == "max-age=31536000")
    #expect(test.log.all.contains("listening on 127.0.0.1:\(test.server.port)"))
  }

  @Test func `is required on its port`() throws {
    let client = try test.client
    try client.send("GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n")

    #expect(throws: (any Error).self) { try client.reply() }
  }

  @Test func `is neither used nor announced on socket files`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s.sock"
    let server = try TestServer {
      $0.certificate = certificates.files
      $0.addresses = ["127.0.0.1", "unix:" + path]
    }

    let reply = try SocketClient(socket: path).request("GET", "/healthz")

    #expect(reply.status == 200)
    #expect(reply.headers["strict-transport-security"] == nil)
    withExtendedLifetime(server) {}
  }

  @Test(arguments: [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)])
  func `offers versions 1.2 and 1.3`(version: String, isSpoken: Bool) throws {
    // Else OpenSSL itself refuses the old version.
    let options = [version, "-cipher", "DEFAULT:@SECLEVEL=0"]
    #expect(try (TestCertificates.shown(by: test.server.port, options) != nil) == isSpoken)
  }

  @Test func `transfers a large record both ways`() async throws {
    let note = String(repeating: "x", count: 3 << 20)
    let record = reading("large", more: #","user_notes":[{"type":"comment","value":"\#(note)"}]"#)
    let transport = transport()
    let base = "https://127.0.0.1:\(test.server.port)\(test.records)"
    func send(_ method: String, _ path: String, _ body: [UInt8]? = nil) async throws
      -> TransportResponse
    {
      try await transport.send(
        TransportRequest(
          method: method, url: try #require(URL(string: base + path)),
          headers: [
            TransportHeader("Authorization", "Bearer \(test.alice.token)"),
            TransportHeader("Content-Type", "application/json"),
          ], body: body))
    }

    #expect(try await send("POST", "", Array(record.utf8)).status == 201)
    let back = try await send("GET", "/large")
    #expect(back.status == 200)
    #expect(back.body.count > 3 << 20)
  }

  // MARK: - Another certificate

  @Test func `switches to a new certificate without interruption`() async throws {
    let old = transport()
    #expect(try await health(old).status == 200)
    let first = try TestCertificates.shown(by: test.server.port)
    #expect(try first == certificates.certificate())

    try certificates.make(key: ["rsa:2048"])
    #expect(test.server.reloadCertificate())

    // The connection that was open is still the same.
    #expect(try await health(old).status == 200)
    #expect(try TestCertificates.shown(by: test.server.port) == certificates.certificate())
    #expect(try await health(transport()).status == 200)
    #expect(test.log.all.contains { $0.hasPrefix("certificate reloaded, valid until") })
  }

  @Test func `reloads its certificate while clients connect`() throws {
    let (shown, isOver, done) = (Locked(0), Locked(false), DispatchGroup())
    DispatchQueue(label: "client").async(group: done) { [port = test.server.port] in
      while !isOver.withLock({ $0 }), (try? TestCertificates.shown(by: port)) != nil {
        shown.withLock { $0 += 1 }
      }
      isOver.withLock { $0 = true }
    }
    while shown.withLock({ $0 }) < 20, !isOver.withLock({ $0 }) {
      try certificates.make()
      #expect(test.server.reloadCertificate())
    }
    isOver.withLock { $0 = true }

    #expect(done.wait(timeout: .now() + 240) == .success)
    #expect(shown.withLock { $0 } >= 20)
  }

  @Test func `keeps its certificate when the new one cannot be used`() throws {
    let good = try certificates.certificate()
    let key = try Data(contentsOf: URL(fileURLWithPath: certificates.files.key))
    let other = try TestCertificates()
    func expectKept(_ reason: String, _ damage: () throws -> Void) throws {
      try damage()
      #expect(!test.server.reloadCertificate())
      #expect(try TestCertificates.shown(by: test.server.port) == good)
      let line = test.log.all.last {
        $0.hasPrefix("the new certificate cannot be used, the old one")
      }
      #expect(line?.contains(reason) == true, "\(line ?? "")")
    }
    func write(_ data: Data, _ path: String) throws {
      try data.write(to: URL(fileURLWithPath: path))
    }

    try expectKept("does not match the certificate") {
      try write(Data(contentsOf: URL(fileURLWithPath: other.files.key)), certificates.files.key)
    }
    try write(key, certificates.files.key)
    try expectKept("contains no certificate in PEM form") {
      try write(Data("nothing".utf8), certificates.files.certificate)
    }
    try expectKept("has expired; renew it") { try certificates.expire() }
    try expectKept("cannot open") {
      try FileManager.default.removeItem(atPath: certificates.files.certificate)
    }
    try write(Data(good.utf8), certificates.files.certificate)
    try expectKept("contains no key in PEM form") {
      try write(Data("nothing".utf8), certificates.files.key)
    }
    try write(key, certificates.files.key)
    #expect(test.server.reloadCertificate())
  }

  @Test func `requires a key that only its owner can read`() throws {
    for mode in [0o644, 0o604, 0o660] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: certificates.files.key)
      let folder = try TemporaryFolder()
      var configuration = IngestServer.Configuration(storagePath: folder.storage)
      configuration.certificate = certificates.files

      let error = #expect(throws: IngestError.self) {
        try IngestServer(configuration: configuration)
      }
      #expect(error?.code == .invalidConfiguration)
      #expect(error?.message.contains("chmod 600 \(certificates.files.key)") == true)
    }
  }

  @Test func `reports when its certificate expires`() {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let day = 86_400.0
    #expect(CertificateStore.warning(now + 31 * day, at: now) == nil)
    #expect(
      CertificateStore.warning(now + 12.5 * day, at: now)?.hasPrefix(
        "the certificate expires within 13 days;") == true)
    #expect(
      CertificateStore.warning(now - 1, at: now)?.hasPrefix("the certificate has expired") == true)
  }

  @Test func `warns at startup if its certificate expires soon`() {
    // It is valid for two days.
    #expect(test.log.all.contains { $0.hasPrefix("the certificate expires within 2 days") })
  }
}
