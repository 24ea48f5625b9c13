// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import IngestServer
import SantorioCore
import TestSupport
import Testing

/// Whom commands trust on the way to a server.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Certificate.isPossible, "needs openssl(1)"))
final class `HTTPTransport options` {
  private let queue = QueueFixture()
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString)
  private let certificate: Certificate
  private let plain: IngestServer
  private let encrypted: IngestServer

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = try Certificate(in: folder)
    plain = try IngestServer(configuration: .init(storagePath: folder.path + "/plain.sqlite"))
    var configuration = IngestServer.Configuration(storagePath: folder.path + "/tls.sqlite")
    configuration.certificate = .init(certificate: certificate.path, key: certificate.keyPath)
    encrypted = try IngestServer(configuration: configuration)
  }

  deinit {
    plain.stop()
    encrypted.stop()
    for folder in [folder, queue.folder] { try? FileManager.default.removeItem(at: folder) }
  }

  private var https: String { "https://127.0.0.1:\(encrypted.port)" }
  private var http: String { "http://127.0.0.1:\(plain.port)" }

  /// Queues a record for a user of the server.
  private func fill(for server: IngestServer) async throws {
    let account = try server.createUser(organization: "clinic", uid: "bed-2")
    let session = try queue.session()
    try await session.start(
      SantorioUser(
        userID: account.id, organizationID: account.organization,
        accessToken: account.token))
    try await session.submit(queue.record("a"))
  }

  private func send(
    to address: String, _ options: [String] = [], environment: [String: String] = [:]
  ) async throws -> CommandProcess {
    try await queue.run(["send", "--server", address] + options, environment: environment)
  }

  // MARK: - TLS

  @Test func `trust only a given certificate authority`() async throws {
    try await fill(for: encrypted)

    let alone = try await send(to: https)
    #expect(alone.status == 1)
    #expect(alone.error.contains("tls_failed"), "\(alone.error)")
    let vouched = try await send(to: https, ["--ca", certificate.path])

    #expect(vouched.status == 0, "\(vouched.error)")
    #expect(vouched.output.hasPrefix("1 records and 0 images sent"))
  }

  @Test func `trust only a pinned key`() async throws {
    try await fill(for: encrypted)
    let reserve = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    let other = "sha256/Ypeg8jnJ4ODMHNKFIcZ1q9RqPjwYFdYTJAJPqW8JqWw="
    let authority = ["--ca", certificate.path]

    let wrong = try await send(to: https, authority + ["--pin", "\(other),\(reserve)"])
    #expect(wrong.error.contains("tls_failed"), "\(wrong.error)")
    let pin = "sha256/" + (try certificate.pin())
    let right = try await send(to: https, authority + ["--pin", "\(pin),\(reserve)"])

    #expect(right.status == 0, "\(right.error)")
  }

  @Test(arguments: [
    (["--pin", "sha256/AAAA"], "--pin takes the SHA-256 of two keys"),
    (["--pin", "md5/x,sha256/y"], "--pin takes the SHA-256 of two keys"),
    (["--ca", "/nowhere/authority.pem"], "--ca takes a file of certificates"),
  ])
  func `explain invalid values`(options: [String], text: String) async throws {
    try await fill(for: plain)

    let run = try await send(to: http, options)

    #expect(run.status == 64)
    #expect(run.error.contains(text), "\(run.error)")
  }

  // MARK: - Plain http

  @Test(arguments: ["http://readings.invalid", "http://192.0.2.1", "http://127.0.0.1.invalid"])
  func `refuse plain http to another machine, or warn with --insecure`(address: String)
    async throws
  {
    try await fill(for: plain)

    let refused = try await send(to: address)
    #expect(refused.status == 64)
    #expect(refused.error.contains("is plain HTTP to another machine"), "\(refused.error)")
    guard address.hasSuffix(".invalid") else { return }
    let wanted = try await send(to: address, ["--insecure"])

    #expect(wanted.status == 1)
    #expect(wanted.error.contains("go unencrypted"), "\(wanted.error)")
    #expect(wanted.error.contains("server_unreachable"), "\(wanted.error)")
  }

  @Test func `use the environment's proxies for https only`()
    async throws
  {
    // Nobody listens there: what goes to the proxy arrives nowhere.
    let nowhere = "http://127.0.0.1:9"
    let proxies = ["http_proxy", "https_proxy", "all_proxy"].map { ($0, nowhere) }
    let environment = Dictionary(uniqueKeysWithValues: proxies + [("no_proxy", "")])
    try await fill(for: plain)

    let direct = try await send(to: http, environment: environment)
    let led = try await CommandProcess(
      ["doctor", "--json", "--server", https, "--ca", certificate.path],
      environment: environment)
    let unled = try await CommandProcess(
      ["doctor", "--json", "--server", https, "--ca", certificate.path],
      environment: ["https_proxy": "", "all_proxy": ""])

    #expect(direct.status == 0, "\(direct.error)")
    #expect(try verdict(led) == "problem")
    #expect(try verdict(unled) == "ok")
  }

  // MARK: - The doctor

  private func verdict(_ run: CommandProcess) throws -> String? {
    let report = try JSONReader(parsing: Array(run.output.utf8))
    for check in try report.member("checks").elements()
    where try check.member("check").string() == "server" {
      return try check.member("verdict").string()
    }
    return nil
  }

  @Test func `let the doctor report problems with the connection to a server`() async throws {
    func verdict(_ words: [String]) async throws -> String? {
      try self.verdict(try await CommandProcess(["doctor", "--json"] + words))
    }

    #expect(try await verdict([]) == nil)
    #expect(try await verdict(["--server", http]) == "ok")
    #expect(try await verdict(["--server", https]) == "problem")
    #expect(try await verdict(["--server", https, "--ca", certificate.path]) == "ok")
    #expect(try await verdict(["--server", "http://readings.invalid"]) == "problem")
    #expect(
      try await verdict(["--server", "http://readings.invalid", "--insecure"]) == "note")
  }
}

/// A certificate for this machine that is its own authority.
struct Certificate {
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  let path: String
  let keyPath: String

  init(in folder: URL) throws {
    path = folder.path + "/certificate.pem"
    keyPath = folder.path + "/key.pem"
    _ = try Self.shell(
      """
      umask 077; openssl req -x509 -nodes -days 2 -subj /CN=127.0.0.1 \
      -addext subjectAltName=IP:127.0.0.1 -newkey ec -pkeyopt ec_paramgen_curve:P-256 \
      -keyout '\(keyPath)' -out '\(path)' 2>/dev/null
      """)
  }

  /// The SHA-256 of the public key in Base64.
  func pin() throws -> String {
    try Self.shell(
      """
      openssl pkey -in '\(keyPath)' -pubout -outform DER | openssl dgst -sha256 -binary | base64
      """
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func shell(_ line: String) throws -> String {
    let (process, output) = (Process(), Pipe.make())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.standardOutput = output
    try process.start()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }
}
