// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import FaultKit
import Foundation
import HealthDevices
import HealthRecords
@testable import IngestServer
import SantorioBluetooth
import SantorioConcurrency
import SantorioSQLite
import TestSupport
import Testing

@testable import Hub
@testable import SantorioCore

/// A ward: its time, its air, the server behind a faulty line, and the gateway, which can be killed.
final class SoakWorld: @unchecked Sendable {
  /// How the line to the server is.
  enum Line: Sendable { case good, faulty, refusing }

  /// A gateway as one process.
  private struct Process {
    let gateway: HubGateway
    let application: SimulatedApplication
    let folder: URL
  }

  let air: SimulatedRadioEnvironment
  let host: SimulatedHost
  let now: @Sendable () -> Date
  // What follows is touched by the driving task only.
  private let folder: TemporaryFolder
  private var server: IngestServer?
  private let port: UInt16
  private let proxy: FaultProxy
  private let line: Locked<Line>
  private let skipped: Locked<TimeInterval>
  private let accounts: [String: (id: String, token: String)]
  private var process: Process?
  private var generation = 0
  private var endings: [Task<Void, Never>] = []
  private var sessions: [SantorioSession] = []
  let patients: [String]
  private(set) var devices: [SoakDevice] = []

  static let begin = Date(timeIntervalSince1970: 1_772_344_800)  // 2026-03-01 06:00 UTC

  init(patients: [String], seed: UInt64) throws {
    self.patients = patients
    let air = SimulatedRadioEnvironment(seed: seed)
    let skipped = Locked(0.0)
    (self.air, self.skipped) = (air, skipped)
    now = {
      Self.begin.addingTimeInterval(air.clock.now.elapsed / .seconds(1) + skipped.withLock { $0 })
    }
    host = air.makeHost(named: "Gateway")
    folder = try TemporaryFolder()
    let server = try IngestServer(
      configuration: Self.configuration(folder.path("server.sqlite"), port: 0, now: now))
    (self.server, port) = (server, server.port)
    var accounts: [String: (id: String, token: String)] = [:]
    for alias in patients {
      let account = try server.createUser(organization: "ward", uid: alias)
      accounts[alias] = (account.id, account.token)
      try Self.write(account.token, to: folder.path("\(alias).token"))
    }
    self.accounts = accounts
    let line = Locked(Line.good)
    let faults = RandomFaults(seed: seed, share: 50)
    self.line = line
    proxy = try #require(
      FaultProxy(to: server.port) { request, number in
        switch line.withLock({ $0 }) {
        case .good: return .none
        case .refusing: return .answer(LineFault.http(503, "", ["Retry-After: 30"]))
        case .faulty:
          switch faults.draw(request, number) {
          // Nothing is learned from a wait of the client in real time.
          case .stall: return .close
          case .stallAfter: return .closeAfter
          case let fault: return fault
          }
        }
      })
  }

  deinit { server?.stop() }

  private static func configuration(
    _ path: String, port: UInt16, now: @escaping @Sendable () -> Date
  ) -> IngestServer.Configuration {
    var configuration = IngestServer.Configuration(storagePath: path, port: port)
    configuration.now = now
    return configuration
  }

  private static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  func add(_ device: SoakDevice) { devices.append(device) }

  // MARK: - The server

  func setLine(_ line: Line) { self.line.withLock { $0 = line } }

  var isServerUp: Bool { server != nil }

  func stopServer() {
    server?.stop()
    server = nil
  }

  func startServer() throws {
    guard server == nil else { return }
    server = try IngestServer(
      configuration: Self.configuration(folder.path("server.sqlite"), port: port, now: now))
  }

  // MARK: - Time

  /// The time of day moves on, as for a machine that sleeps while nothing happens.
  func skip(to date: Date) {
    let missing = date.timeIntervalSince(now())
    if missing > 0 { skipped.withLock { $0 += missing } }
  }

  /// Lets time pass in the air, not faster than the gateway works.
  func pass(_ duration: Duration) async {
    await air.advance(by: duration)
    await untilServed()
  }

  /// Waits until the gateway has stored and sent what it can.
  func untilServed() async {
    guard let gateway = process?.gateway else { return }
    repeat {
      await Task.yield()
    } while gateway.radio.central.awaitsAnswers
      || sessions.contains { $0.uploadState == .uploading }
  }

  // MARK: - The gateway

  var gateway: HubGateway? { process?.gateway }

  func startGateway() async throws {
    generation += 1
    try await startGateway(in: folder.url.appendingPathComponent("hub-\(generation)"))
  }

  private func startGateway(in home: URL) async throws {
    let application = host.makeApplication(named: "Gateway \(generation)")
    let reading = HubConfiguration.read(text(home).utf8)
    let configuration = try #require(reading.configuration, "\(reading.findings)")
    let radio = HubRadio(
      central: BluetoothCentral(managerOptions: application.managerOptions), clock: air.clock,
      now: now, name: "simulated radio")
    let gateway = try HubGateway(configuration, radio: radio, environment: [:])
    process = Process(gateway: gateway, application: application, folder: home)
    await gateway.start()
    await noteSessions()
  }

  /// Notes which sessions there are; that of shared devices comes later.
  func noteSessions() async {
    sessions = []
    guard let gateway = process?.gateway else { return }
    for session in await gateway.sessions.values {
      if let session = await session.session { sessions.append(session) }
    }
  }

  private func text(_ home: URL) -> String {
    let all = patients.map { alias in
      let own = devices.compactMap { device in
        device.owners.first { $0.patient == alias }.map { entry(device, $0.user) }
      }
      return """
        {"alias": "\(alias)", "user": "\(accounts[alias]?.id ?? "")", "organization": "ward",
         "token": {"file": "\(folder.path("\(alias).token"))"},
         "devices": [\(own.joined(separator: ","))]}
        """
    }
    return """
      {"name": "soak", "folder": "\(home.path)", "radio": "simulated",
       "server": "http://127.0.0.1:\(proxy.port)",
       "patients": [\(all.joined(separator: ",\n"))],
       "control": {"socket": "\(folder.path("hub.sock"))", "uids": []}}
      """
  }

  private func entry(_ device: SoakDevice, _ user: UInt8?) -> String {
    let slot = user.map { ", \"slot\": \($0 + 1)" } ?? ""
    let identifier = host.identifier(of: device.host).uuidString
    return "{\"device\": \"\(identifier)\", \"model\": \(device.model)\(slot)}"
  }

  /// What a SIGKILL leaves: the disk as it is at this moment, and another process on it.
  ///
  /// The killed gateway hears and stores nothing more. A request that it has begun may still arrive,
  /// as one of a killed process may that is on the way.
  func killGateway() async throws {
    guard let killed = process else { return }
    killed.application.terminate()
    generation += 1
    let home = folder.url.appendingPathComponent("hub-\(generation)")
    let holds = await hold()
    defer { for hold in holds { hold.signal() } }
    // Nor may the gateway replace its own file meanwhile.
    let copy = try killed.gateway.memory.change { _ in
      Result { try Self.copy(killed.folder, to: home) }
    }
    try copy.get()
    process = nil
    let stopping = Task { await killed.gateway.stop() }
    endings.append(stopping)
    for hold in holds { hold.signal() }
    try await startGateway(in: home)
  }

  /// Keeps all sessions from touching the disk.
  private func hold() async -> [DispatchSemaphore] {
    await noteSessions()
    var holds: [DispatchSemaphore] = []
    for session in sessions {
      let semaphore = DispatchSemaphore(value: 0)
      holds.append(semaphore)
      await withCheckedContinuation { begun in
        Task { await session.outbox.wait(for: semaphore, begun) }
      }
    }
    return holds
  }

  private static func copy(_ folder: URL, to copy: URL) throws {
    let manager = FileManager.default
    try manager.copyItem(at: folder, to: copy)
    let paths = manager.enumerator(atPath: copy.path)?.compactMap { $0 as? String } ?? []
    // The index of a log is memory that processes share: a killed one leaves none behind.
    for path in paths where path.hasSuffix("-shm") {
      try? manager.removeItem(atPath: copy.path + "/" + path)
    }
  }

  /// Ends the gateway and all that were killed before.
  func stop() async {
    let isOver = Locked(false)
    let (gateway, endings) = (process?.gateway, endings)
    Task {
      await gateway?.stop()
      for ending in endings { await ending.value }
      isOver.withLock { $0 = true }
    }
    while !isOver.withLock({ $0 }) {
      await air.advance(by: .milliseconds(500))
      await Task.yield()
    }
    process = nil
  }

  // MARK: - What came of it

  /// What the server has, and what is held.
  func found() async throws -> [SoakLedger.Found] {
    let aliases = Dictionary(uniqueKeysWithValues: accounts.map { ($0.value.id, $0.key) })
    let database = try SQLiteDatabase(path: folder.path("server.sqlite"))
    var found: [SoakLedger.Found] = []
    try database.prepare(
      """
      SELECT user.id, count(*), body, max(revision.arrival) FROM revision
        JOIN record ON revision.record = record.number JOIN user ON record.user = user.number
      GROUP BY record.number
      """
    ).query { row in
      let alias = aliases[row.text(0)] ?? "a user whom nobody has made"
      let forms = Int(row.integer(1))
      guard let record = try? HealthRecord(informJSON: row.blob(2)) else {
        // No device has made it: a fault.
        return found.append(
          .init(patient: alias, model: 0, values: "unreadable", forms: forms, logID: ""))
      }
      if let one = SoakLedger.Found(record, of: alias, forms: forms) { found.append(one) }
    }
    if let gateway, let shared = await gateway.sessions[HubSessionSetup.sharedAlias]?.session {
      found += try await shared.undecidedRecords().compactMap {
        SoakLedger.Found($0, of: nil, forms: 1)
      }
    }
    return found
  }
}

extension SoakWorld {
  /// Changes the first measurement in the server's file.
  ///
  /// - Parameter change: A statement with one value: the number of its record.
  /// - Throws: An error of the file, and where it has no measurement.
  func spoil(_ change: String) throws {
    let database = try SQLiteDatabase(path: folder.path("server.sqlite"))
    var number: Int64?
    try database.prepare("SELECT record, body FROM revision ORDER BY arrival").query { row in
      let record = try? HealthRecord(informJSON: row.blob(1))
      if number == nil, record?.kind == .measurement { number = row.integer(0) }
    }
    let changed = try database.prepare(change).run(.integer(try #require(number)))
    #expect(changed > 0)
  }
}

extension SoakLedger.Found {
  /// Nil for what is no measurement.
  init?(_ record: HealthRecord, of patient: String?, forms: Int) {
    guard record.kind == .measurement || record.kind == .rejected else { return nil }
    self.init(
      patient: patient, model: record.source.device?.peripheralID ?? 0,
      values: record.kind == .rejected ? SoakReading.failed : record.text, forms: forms,
      logID: record.logID)
  }
}

extension Outbox {
  /// Keeps the outbox from doing anything else.
  fileprivate func wait(
    for semaphore: DispatchSemaphore, _ begun: CheckedContinuation<Void, Never>
  ) {
    begun.resume()
    semaphore.wait()
  }
}
