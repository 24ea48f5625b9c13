// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import santorio

@Suite(.timeLimit(.minutes(15))) struct `Serving on the network` {
  @Test func `disables core dumps and raises the limit of open files`() throws {
    let server = try ServeProcess([])

    let limits = try server.facts("limits")
    #expect(limits.firstMatch(of: #/Max core file size +0 +0 /#) != nil, "\(limits)")
    let files = try #require(limits.firstMatch(of: #/Max open files +(\d+) +(\d+) /#))
    #expect(Int(files.1) == min(8_192, Int(files.2) ?? 0) || (Int(files.1) ?? 0) > 8_192)
    #expect(server.end() == 0)
  }

  @Test func `has its own socket, for its own user, while it runs`() throws {
    let server = try ServeProcess([])
    let path = server.folder.appendingPathComponent("server.sock").path

    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.type] as? FileAttributeType == .typeSocket)
    #expect(server.end() == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `ends with status 75 when another server uses the folder`() async throws {
    let server = try ServeProcess([])

    let second = try await CommandProcess(["serve", "--data", server.folder.path, "--port", "0"])

    #expect(second.status == 75)
    #expect(
      second.error.contains("another server is using the storage (process "), "\(second.error)")
    #expect(server.end() == 0)
  }

  @Test func `uses the administrator's token from systemd's credential`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let token = folder.appendingPathComponent("santorio.admin-token")
    try Data("token-of-the-credential\n".utf8).write(to: token)
    #expect(unsafe chmod(token.path, 0o440) == 0)
    let server = try ServeProcess([], environment: ["CREDENTIALS_DIRECTORY": folder.path])
    let address = String(server.listeningMessage.dropFirst("live page: ".count).dropLast())

    let list = try await CommandProcess(
      ["user", "list", "--organization", "clinic", "--server", address],
      environment: ["SANTORIO_ADMIN_TOKEN": "token-of-the-credential"])

    #expect(list.status == 0, "\(list.error)")
    #expect(!FileManager.default.fileExists(atPath: server.folder.path + "/admin-token"))
  }

  @Test func `warns about each unprotected address`() throws {
    let server = try ServeProcess(["--address", "0.0.0.0", "--insecure"])

    #expect(
      server.wait(
        for: "warning: tokens and readings cross the network as plain text address=0.0.0.0"))
    #expect(server.listeningMessage.hasPrefix("live page: http://127.0.0.1:"))
    #expect(server.end() == 0)
  }

  @Test func `prints its addresses when it has no internet address`() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString + ".sock").path
    let server = try ServeProcess(["--address", "unix:\(path)", "--socket-mode", "660"])

    #expect(server.listeningMessage == "listening on unix:\(path)\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o660)
    #expect(server.end() == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `has nothing to reload without a certificate`() throws {
    let server = try ServeProcess([])

    server.send(SIGHUP)

    #expect(server.wait(for: "nothing to load again: no certificate"))
    #expect(server.end() == 0)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
  func `uses TLS and reloads its certificate on SIGHUP`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (certificate, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
    let openSSL = Process()
    openSSL.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    openSSL.arguments = [
      "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
      "subjectAltName=IP:127.0.0.1", "-newkey", "ec",
      "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", key, "-out", certificate,
    ]
    openSSL.standardError = FileHandle.nullDevice
    try await openSSL.runToEnd()

    let options = [
      "--address", "0.0.0.0", "--tls-certificate", certificate, "--tls-key", key,
    ]
    let server = try ServeProcess(options)
    #expect(server.listeningMessage.hasPrefix("live page: https://127.0.0.1:"))
    #expect(!server.log.contains("plain text"))

    // An operator elsewhere trusts the server's own authority, or does not get through.
    let address = String(server.listeningMessage.dropFirst("live page: ".count).dropLast())
    let list = [
      "user", "list", "--organization", "clinic", "--server", address, "--token-file",
      server.folder.path + "/admin-token",
    ]
    let trusting = try await CommandProcess(list + ["--ca", certificate])
    #expect(trusting.status == 0, "\(trusting.error)")
    let doubting = try await CommandProcess(list)
    #expect(doubting.status == 1 && doubting.error.contains("tls_failed"), "\(doubting.error)")

    server.send(SIGHUP)
    #expect(server.wait(for: "certificate reloaded, valid until"))
    try Data("x".utf8).write(to: URL(fileURLWithPath: certificate))
    server.send(SIGHUP)
    #expect(server.wait(for: "the new certificate cannot be used, the old one stays"))
    #expect(server.end() == 0)

    let refused = try await CommandProcess(
      ["serve", "--data", folder.path + "/data", "--port", "0"] + options)
    #expect(refused.status == 1)
    #expect(refused.error.contains("\(certificate) contains no certificate in PEM form"))
  }
}
