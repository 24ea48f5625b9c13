// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import IngestServer
import SantorioBluetooth
import SantorioCore
import SantorioFiles
import TestSupport
import Testing

@testable import Hub

@Suite(.timeLimit(.minutes(15))) struct `The session of a single patient in a hub's folder` {
  private let room: HubRoom
  private let device = UUID()

  init() throws { room = try HubRoom() }

  private var folder: String { room.folder.path("hub") }

  /// Leaves a waiting record and a paired device of bed-1's user.
  private func readForOne() async throws {
    try await fill()
    // The session's file is closed once nothing shares this lock.
    _ = try FileLock("\(folder)/outbox.sqlite.use", .exclusive, waiting: FileLock.timeout)
  }

  private func fill() async throws {
    let endpoint = try #require(URL(string: "http://127.0.0.1:\(room.server.port)"))
    let session = SantorioSession(
      SantorioSession.Configuration(
        directory: URL(fileURLWithPath: folder, isDirectory: true), endpoint: endpoint))
    let token = try String(contentsOfFile: room.folder.path("bed-1.token"), encoding: .utf8)
    try await session.start(
      SantorioUser(userID: room.id(of: "bed-1"), organizationID: "ward", accessToken: token))
    let time = Date(timeIntervalSince1970: 1_772_600_767)
    try await session.submit(
      HealthRecord(
        logID: "a", time: RecordTime(start: time, origin: .device, received: time),
        source: RecordSource(type: .bluetooth, device: SourceDevice(model: "M1")),
        metrics: [Metric(.systolic, 127)]))
    let model = try #require(DeviceModel(id: singleCuff))
    try await BluetoothReceiver(session: session).assign([
      DeviceAssignment(identifier: device, model: model)
    ])
  }

  private func refusal() throws -> SessionError {
    try #require(throws: SessionError.self) { try room.gateway() }
  }

  /// The commands of a message, with the alias of a patient.
  private func commands(of error: SessionError, for alias: String) throws -> String {
    let message = error.message
    let begin = try #require(message.range(of: "cd /"))
    let end = try #require(message.range(of: " ALIAS/."))
    return String(message[begin.lowerBound..<end.upperBound].dropLast())
      .replacingOccurrences(of: "ALIAS", with: alias)
  }

  private func run(_ commands: String) throws {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", commands]
    try shell.start()
    shell.waitUntilExit()
    try #require(shell.terminationStatus == 0)
  }

  @Test func `A hub refuses the folder and names the commands that move the session`() async throws
  {
    try await readForOne()
    let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let error = try refusal()
    #expect(error.code == .folderInUse)
    #expect(error.message.hasPrefix("\(folder) holds the session of a single patient"))
    #expect(error.message.contains("or after \"santorio hub enroll\""))
    #expect(try commands(of: error, for: "bed-1").contains(" outbox.sqlite "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
  }

  @Test(arguments: [true, false])
  func `A hub sends a moved session's records and keeps the devices that the file names`(
    isNamed: Bool
  ) async throws {
    try await readForOne()
    try run(try commands(of: refusal(), for: "bed-1"))
    let entry = "{\"device\": \"\(device.uuidString)\", \"model\": \(singleCuff)}"
    let gateway = try room.gateway(
      room.text([("bed-1", isNamed ? entry : ""), ("bed-2", "")]))
    await gateway.start()
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    #expect(try await room.readings(of: "bed-1").systolic == [127])
    let session = try #require(await gateway.sessions["bed-1"])
    let receiver = try #require(await session.receiver)
    let expected = isNamed ? [device] : []
    #expect(
      try await room.advance(gateway) {
        try await receiver.enrolments().map(\.identifier) == expected
      })
    await room.stop(gateway)
  }

  @Test func `Tokens and the sessions of patients are no session of the hub's folder`() throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/bed-1", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    for name in ["bed-1.token", "bed-1/outbox.sqlite", "outbox.sqlite.lock"] {
      try HubRoom.write("", to: "\(folder)/\(name)")
    }
    _ = try room.gateway()
  }
}
