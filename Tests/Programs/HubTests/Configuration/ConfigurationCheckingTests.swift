// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Hub

@Suite struct `Checking a hub's configuration on its machine` {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("hub.json")
  }

  private func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    let path = folder.path(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// A file with a patient each whose token is in a file or a credential.
  private func configuration() throws -> ConfigurationText {
    try ConfigurationText().with("folder", "\"\(folder.url.path)\"")
      .with("patients[0].token", "{\"file\": \"\(folder.path("token"))\"}")
      .with("patients[1].token", "{\"credential\": \"bed-2.token\"}")
  }

  private func check(
    _ text: ConfigurationText, mode: Int = 0o600, inService: Bool = true
  ) throws -> HubConfigurationReading {
    try write(String(decoding: text.bytes, as: UTF8.self), to: "hub.json", mode: mode)
    let environment = inService ? ["CREDENTIALS_DIRECTORY": folder.url.path] : [:]
    return HubConfiguration.check(file: file, environment: environment)
  }

  @Test func `finds nothing where all is there`() throws {
    try write("secret-1\n", to: "token")
    try write("secret-2", to: "bed-2.token", mode: 0o440)

    let reading = try check(configuration(), mode: 0o644)

    #expect(reading.findings == [])
    let patients = try #require(reading.configuration).patients
    #expect(try patients[0].account?.token.read(environment: [:]) == "secret-1")
  }

  @Test func `names each secret that is missing, empty or open to others`() throws {
    try write("secret-1", to: "token", mode: 0o644)

    let exposed = try check(configuration())
    #expect(
      exposed.findings.map(\.path) == ["patients[0].token", "patients[1].token"])
    #expect(exposed.findings[0].message.hasSuffix("run: chmod 600 \(folder.path("token"))"))
    #expect(exposed.findings[1].message.contains("LoadCredentialEncrypted=bed-2.token:FILE"))
    #expect(exposed.configuration == nil)

    try write("", to: "token")
    try write("two words", to: "bed-2.token")
    let wrong = try check(configuration()).findings.map(\.message)
    #expect(wrong[0].contains("is empty"))
    #expect(wrong[1] == "the token must be 1...4096 printable ASCII characters")
  }

  @Test func `does not follow a link to a secret`() throws {
    try write("secret-1", to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("token"), withDestinationPath: folder.path("elsewhere"))
    try write("secret-2", to: "bed-2.token", mode: 0o440)

    #expect(try check(configuration()).findings.map(\.path) == ["patients[0].token"])
  }

  @Test func `only warns of credentials when it is not run by the service`() throws {
    try write("secret-1", to: "token")

    let reading = try check(configuration(), inService: false)

    #expect(reading.findings.map(\.severity) == [.warning])
    #expect(reading.configuration != nil)
  }

  @Test(arguments: ["", "{\"contr"])
  func `finds the socket in a file that is being written`(_ part: String) async throws {
    try write(part, to: "hub.json")
    let socket = Task.immediate { await HubConfiguration.socket(inFile: file) }
    try write("{\"control\": {\"socket\": \"/run/a\"}, \"name\": 7}", to: "hub.json")
    #expect(await socket.value == "/run/a")
    try write("{}", to: "hub.json")
    #expect(await HubConfiguration.socket(inFile: file) == nil)
    #expect(await HubConfiguration.socket(inFile: folder.path("none")) == nil)
  }

  @Test func `refuses a file that others may change`() throws {
    let reading = try check(configuration(), mode: 0o666)

    #expect(reading.findings.count == 1)
    #expect(reading.findings[0].message.contains("chmod go-w"))
  }

  @Test func `finds files and folders that cannot be used`() throws {
    try write("secret-1", to: "token")
    try write("secret-2", to: "bed-2.token", mode: 0o440)
    let text = try configuration().with("ca", "\"\(folder.path("none.pem"))\"")
      .with("folder", "\"\(folder.path("token"))\"")

    #expect(try check(text).findings.map(\.path) == ["ca", "folder"])
    #expect(
      HubConfiguration.check(file: folder.path("none")).findings.map(\.severity) == [.error])
    #expect(HubConfiguration.check(file: folder.url.path).hasErrors)
  }

  @Test func `The folder is refused if it holds the session of a single patient`() throws {
    try write("secret-1", to: "token")
    try write("secret-2", to: "bed-2.token", mode: 0o440)
    try write("", to: "outbox.sqlite")

    let reading = try check(configuration())

    #expect(reading.findings.map(\.path) == ["folder"])
    #expect(reading.findings[0].message.contains("mv outbox.sqlite ALIAS/"))
    // A running hub can still be given a changed file.
    let running = HubConfiguration.check(
      file: file, environment: ["CREDENTIALS_DIRECTORY": folder.url.path], isRunning: true)
    #expect(running.findings == [])
  }
}
