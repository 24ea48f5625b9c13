// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthRecords
import IngestServer
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import santorio

/// Commands that send from a session's folder, to a real server.
@Suite(.timeLimit(.minutes(15))) final class `Sending commands` {
  private let queue = QueueFixture()
  private let records = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString)
  private let server: IngestServer
  private let account: IngestUser

  init() throws {
    try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
    server = try IngestServer(
      configuration: .init(
        storagePath: records.appendingPathComponent("records.sqlite").path, port: 0))
    account = try server.createUser(organization: "clinic", uid: "bed-2")
  }

  deinit {
    server.stop()
    for folder in [records, queue.folder] { try? FileManager.default.removeItem(at: folder) }
  }

  private var user: SantorioUser {
    SantorioUser(
      userID: account.id, organizationID: account.organization, accessToken: account.token)
  }
  private var address: [String] { ["--server", "http://127.0.0.1:\(server.port)"] }
  private var names: [String] { ["--organization", account.organization, "--user", account.id] }

  private func stored() async throws -> [String] {
    try await ReadBack(server: server, user: user).records().map(\.logID)
  }

  @Test func `send waiting records on demand`() async throws {
    let session = try queue.session()
    try await session.start(user)
    try await session.submit([queue.record("a"), queue.record("b")])

    let run = try await queue.run(["send"] + address)

    #expect(run.status == 0, "\(run.error)")
    #expect(run.output == "2 records and 0 images sent, 0 and 0 refused; 0 and 0 wait\n")
    #expect(try await stored() == ["a", "b"])
  }

  @Test func `report why records are waiting`() async throws {
    let session = try queue.session()
    try await session.start(user)
    try await session.submit(queue.record("a"))

    let run = try await queue.run(["send", "--server", "http://127.0.0.1:9"])

    #expect(run.status == 1)
    #expect(run.output == "0 records and 0 images sent, 0 and 0 refused; 1 and 0 wait\n")
    #expect(run.error.contains("not everything was sent: server_unreachable"), "\(run.error)")
  }

  @Test func `do not send while another process does`() async throws {
    let session = try queue.session()
    try await session.start(user)
    let uploading = Task { try await session.run() }
    defer { uploading.cancel() }
    while session.uploadState == .stopped { await Task.yield() }

    let run = try await queue.run(["send"] + address)

    #expect(run.status == 1)
    #expect(run.error.contains("uploader_is_running"), "\(run.error)")
  }

  @Test func `replace a lost token by a new one`() async throws {
    let session = try queue.session()
    try await session.start(user)
    try await session.submit(queue.record("a"))
    try FileManager.default.removeItem(at: queue.folder.appendingPathComponent("session-1.token"))

    let without = try await queue.run(["send"] + address + names)
    #expect(without.status == 64)
    #expect(without.error.contains("set SANTORIO_TOKEN"), "\(without.error)")
    let run = try await queue.run(
      ["send"] + address + names, environment: ["SANTORIO_TOKEN": account.token])

    #expect(run.status == 0, "\(run.error)")
    #expect(try await stored() == ["a"])
  }

  @Test func `end and name the archive when the server refuses the session`() async throws {
    let session = try queue.session()
    try await session.start(
      SantorioUser(userID: "u1", organizationID: "clinic", accessToken: "wrong"))
    try await session.submit(queue.record("a"))

    let run = try await CommandProcess(
      ["read", "--radio", "simulated:20", "--data", queue.folder.path]
        + address + ["--refusal-grace", "0", "70B15C5C-0000-0000-0000-000000000000"])

    #expect(run.status == 1)
    #expect(run.error.contains("1 records were not sent"), "\(run.error)")
    let archive = try await queue.archive()
    let command = "santorio queue retry \(archive) --data \(queue.folder.path)"
    #expect(run.error.hasSuffix("\"\(command)\" sends them, once there is a session again.\n"))
    #expect(run.error.contains("santorio: the session has ended"), "\(run.error)")
    #expect(!run.error.contains("u1"))
  }

  @Test func `explain --user when the server refuses a new session`() async throws {
    let run = try await CommandProcess(
      ["read", "--once", "--radio", "simulated:20", "--data", queue.folder.path] + address
        + ["--organization", "clinic", "--user", "bed-2"],
      environment: ["SANTORIO_TOKEN": account.token])

    #expect(run.status == 1)
    #expect(run.error.contains("--user takes the \"id\" that the server returned"), "\(run.error)")
  }

  @Test func `send even if no device is enrolled`() async throws {
    let session = try queue.session()
    try await session.start(user)
    try await session.submit(queue.record("a"))

    let run = try await CommandProcess(
      ["read", "--once", "--radio", "simulated:20", "--data", queue.folder.path] + address)

    #expect(run.status == 1)
    #expect(run.error.contains("no device is enrolled"), "\(run.error)")
    #expect(try await stored() == ["a"])
  }

  @Test func `send even without a radio`() async throws {
    let session = try queue.session()
    try await session.start(user)
    try await session.submit(queue.record("a"))

    let run = try await CommandProcess(
      ["read", "--once", "--radio", "bluez:hci9", "--data", queue.folder.path] + address,
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"])

    #expect(run.status == 1)
    #expect(run.error.contains("there is no Bluetooth adapter hci9"), "\(run.error)")
    #expect(try await stored() == ["a"])
  }

  @Test func `take over when the sending process has ended`() async throws {
    let session = try queue.session()
    let first = Task { try await session.run() }
    while session.uploadState == .stopped { await Task.yield() }
    let (messages, pauses) = (Locked<[String]>([]), Locked(0))
    var loop = UploadLoop(session: session)
    loop.report = { line in messages.withLock { $0.append(line) } }
    loop.pause = {
      guard
        pauses.withLock({
          $0 += 1; return $0 == 2
        })
      else { return }
      first.cancel()
      _ = await first.result
    }
    let uploads = loop

    let second = Task { await uploads.run() }
    _ = await first.result
    while session.uploadState == .stopped { await Task.yield() }
    second.cancel()
    await second.value

    #expect(messages.withLock { $0 }.count == 1)
    #expect(
      messages.withLock { $0 }.first?.hasPrefix("santorio: this process cannot send: uploader_is_")
        == true)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Printed readings` {
  private let queue = QueueFixture()

  /// Reads a virtual monitor and returns what was printed.
  private func read(_ session: SantorioSession) async throws -> [String] {
    let air = SimulatedRadioEnvironment(seed: 1)
    let device = VirtualDevice(.ua651BLE(), on: air.makeHost(named: "Monitor"))
    device.switchOn()
    device.enterPairingMode()
    let radio = CommandRadio(air.makeHost(named: "Gateway"))
    let turning = Task { await air.run(speed: 20) }
    let lines = Locked<[String]>([])
    let printer = RecordPrinter(isJSON: false) { line in lines.withLock { $0.append(line) } }
    var runner = radio.runner(for: session, printing: printer)
    runner.takesMemory = true
    _ = await runner.run(.pair, DeviceTargets([try DeviceChoice("UA-651BLE", for: "pair")]))
    turning.cancel()
    await turning.value
    return withExtendedLifetime(device) { lines.withLock { $0 } }
  }

  @Test func `are on the disk before they are printed`() async throws {
    defer { try? FileManager.default.removeItem(at: queue.folder) }
    let session = try queue.session()
    #expect(try await read(session).isEmpty)
    try await session.start(.default)
    #expect(try await read(session).count == 2)
    #expect(try await session.pendingRecords().count { $0.kind != .rejected } == 2)
  }

  @Test func `show the glucose in the log of a continuous monitor`() {
    var record = queue.record("a")
    record.kind = .cgm
    record.metrics = []
    record.series = [MetricSeries([GlucoseReading(time: record.time.start, value: 104)])]
    #expect(ReadingLine(record).text.hasSuffix("  blood glucose 104 mg/dL"))
  }

  @Test func `say so where they are none`() {
    let time = Date(timeIntervalSince1970: 1_523_973_060)
    let status = HealthRecord(
      deviceStatus: .bondLost, of: SourceDevice(manufacturer: "Beurer", model: "BM54"),
      since: time, at: time, message: "Pair it again.")
    #expect(
      ReadingLine(status).text
        == "2018-04-17T13:51:00Z  Beurer BM54             no reading  device status bond_lost")
    var rejected = queue.record("a")
    (rejected.kind, rejected.metrics) = (.rejected, [])
    rejected.tags = [RecordTag(name: "rejected", value: "control")]
    #expect(ReadingLine(rejected).text.hasSuffix("  no reading  rejected control"))
    #expect(!ReadingLine(queue.record("a")).text.contains("no reading"))
  }

  @Test(arguments: [
    (RecordTime.Origin.device, "2018-04-17T13:51:00  "),
    (.deviceCorrected, "2018-04-17T13:51:00 (the device shows 2015-01-01T00:00:00)  "),
    (.received, "at an unknown time, received 2018-04-17T13:51:00 (the device shows 2015-01-01"),
  ])
  func `show when it was measured, and what the device shows`(
    origin: RecordTime.Origin, beginning: String
  ) {
    var record = queue.record("a")
    record.time = RecordTime(
      start: Date(timeIntervalSince1970: 1_523_973_060), utcOffsetSeconds: 0, origin: origin,
      deviceTime: LocalDateTime("2015-01-01T00:00:00"),
      received: Date(timeIntervalSince1970: 1_523_973_060))
    #expect(ReadingLine(record).text.hasPrefix(beginning))
  }

  @Test func `contain no terminal control characters`() {
    var record = queue.record("a")
    record.source.device?.model = "M\u{1b}[2J\u{202e}1\n2"
    let text = ReadingLine(record).text
    #expect(text.contains("M·[2J·1·2"), "\(text)")
  }
}
