// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import Hub
import IngestServer
import SantorioConcurrency
import SantorioCore
import SantorioSQLite
import TestSupport
import Testing

/// The processes of a ward: a bus with the devices behind a stand-in for bluetoothd, the hub, and the
/// server behind a line that breaks.
final class WardProcesses: @unchecked Sendable {
  // What is no constant and not in a lock is touched by the driving task.
  enum Line: Sendable { case good, faulty, refusing }

  private let folder: TemporaryFolder
  private let bus: BusDaemon
  private var daemon: ChildProcess?
  private var answers: AsyncStream<String>.AsyncIterator
  private let sent: Locked<Set<Int>>
  private let hub = Locked<ChildProcess?>(nil)
  private let server: IngestServer
  private let proxy: FaultProxy
  private let line = Locked(Line.good)
  private var accounts: [String: (id: String, token: String)] = [:]
  let client: HubControlClient

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    bus = try BusDaemon()
    client = HubControlClient(socket: folder.path("hub.sock"))
    server = try IngestServer(
      configuration: .init(storagePath: folder.path("server.sqlite"), port: 0))
    let line = line
    let faults = RandomFaults(seed: seed, share: 50)
    proxy = try #require(
      FaultProxy(to: server.port) { request, number in
        switch line.withLock({ $0 }) {
        case .good: .none
        case .refusing: .answer(LineFault.http(503, "", ["Retry-After: 2"]))
        case .faulty: faults.draw(request, number)
        }
      })
    let (lines, sent) = (AsyncStream<String>.makeStream(), Locked(Set<Int>()))
    (answers, self.sent) = (lines.stream.makeAsyncIterator(), sent)
    daemon = try ChildProcess(
      "VirtualBluetoothd", [bus.addressText, "--known", "0", "--strangers", "20"]
    ) { line in
      let words = line.split(separator: " ")
      if words.first == "sent" {
        if let number = Int(words[1]) { sent.withLock { _ = $0.insert(number) } }
      } else {
        lines.continuation.yield(line)
      }
    }
  }

  // MARK: - Devices

  /// Waits until the devices' process is ready.
  func start() async { await expect("ready") }

  /// Has the devices' process do something.
  func tell(_ command: String) async {
    daemon?.write(command)
    await expect("done", of: command)
  }

  private func expect(_ answer: String, of command: String = "start") async {
    let given = await answers.next(isolation: #isolation)
    if given != answer { Issue.record("\(command): \(given ?? "the process has ended")") }
  }

  /// The devices that have sent measurements since the last call.
  func takeSent() -> Set<Int> {
    sent.withLock { sent in
      defer { sent = [] }
      return sent
    }
  }

  // MARK: - The server

  func setLine(_ line: Line) { self.line.withLock { $0 = line } }

  /// A new person with an account at the server.
  func addPerson(_ name: String) throws {
    let account = try server.createUser(organization: "ward", uid: name)
    accounts[name] = (account.id, account.token)
    let path = folder.path("\(name).token")
    try Data(account.token.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  // MARK: - The hub

  /// Writes the hub's configuration: the person in each bed.
  func configure(_ beds: [String]) throws {
    let patients = beds.enumerated().map { number, person in
      """
      {"alias": "bed-\(number)", "code": "\(number)", "user": "\(accounts[person]?.id ?? "")", "organization": "ward",
       "token": {"file": "\(folder.path("\(person).token"))"}}
      """
    }
    let text = """
      {"name": "ward", "folder": "\(folder.path("hub"))", "radio": "bluez",
       "server": "http://127.0.0.1:\(proxy.port)",
       "patients": [\(patients.joined(separator: ",\n"))],
       "control": {"socket": "\(folder.path("hub.sock"))", "uids": []}}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("hub.json")))
  }

  func startHub() throws {
    let process = try ChildProcess(
      "santorio", ["hub", "run", "--config", folder.path("hub.json")],
      prefix: [
        "env", "DBUS_SYSTEM_BUS_ADDRESS=\(bus.addressText)",
        "STATE_DIRECTORY=\(folder.path("state"))", "SANTORIO_LOG=all",
        "sh", "-c", "exec \"$@\" 2>>'\(folder.path("hub.log"))'", "sh",
      ]
    ) { _ in }
    hub.withLock { $0 = process }
  }

  private func takeHub() -> ChildProcess? {
    hub.withLock { hub in
      defer { hub = nil }
      return hub
    }
  }

  /// SIGKILL, from any task.
  func killHub() { takeHub()?.kill() }

  /// The hub's answer; nil when it was killed meanwhile.
  func ask(_ request: HubRequest) async -> HubAnswer? {
    for _ in 0..<100 {
      do throws(HubControlError) {
        return try await client.send(request)
      } catch {
        // One that has just been started does not listen yet.
        guard error.code == .noHub || error.code == .unreachable, isRunning else { return nil }
        await pass(.milliseconds(100))
      }
    }
    return nil
  }

  private var isRunning: Bool { hub.withLock { $0 != nil } }

  /// Lets real time pass: the processes have no other.
  func pass(_ duration: Duration) async { try? await ContinuousClock().wait(for: duration) }

  /// Ends the hub as systemd does.
  func stopHub() async {
    _ = await ask(.stop)
    _ = await takeHub()?.status()
  }

  // MARK: - The end

  /// The records of the server and of the hub's folders, once the hub has ended.
  func found() async throws -> [WardLedger.Found] {
    try await stored() + kept()
  }

  func stored() throws -> [WardLedger.Found] {
    let names = Dictionary(uniqueKeysWithValues: accounts.map { ($0.value.id, $0.key) })
    let database = try SQLiteDatabase(path: folder.path("server.sqlite"))
    var found: [WardLedger.Found] = []
    try database.prepare(
      """
      SELECT user.id, count(*), body, max(revision.arrival) FROM revision
        JOIN record ON revision.record = record.number JOIN user ON record.user = user.number
      GROUP BY record.number
      """
    ).query { row in
      let person = names[row.text(0)] ?? "a user whom nobody has made"
      guard let record = try? HealthRecord(informJSON: row.blob(2)) else { return }
      WardLedger.Found(record, at: .server(person: person), forms: Int(row.integer(1)))
        .map { found.append($0) }
    }
    return found
  }

  private func kept() async throws -> [WardLedger.Found] {
    let names = Dictionary(uniqueKeysWithValues: accounts.map { ($0.value.id, $0.key) })
    let home = URL(fileURLWithPath: folder.path("hub"))
    var found: [WardLedger.Found] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: home.path) {
      let directory = home.appendingPathComponent(name)
      guard (try? directory.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true else {
        continue
      }
      let session = SantorioSession(
        .init(directory: directory, endpoint: ServerProcess.url(port: proxy.port)))
      found += try await session.undecidedRecords().compactMap { .init($0, at: .held) }
      found += try await session.olderRecords().compactMap { .init($0, at: .older) }
      for ended in try await session.archives() {
        let person = names[ended.userID] ?? "a user whom nobody has made"
        found += ended.unsentRecords.compactMap { .init($0, at: .archive(person: person)) }
        found += ended.heldRecords.compactMap { .init($0, at: .held) }
      }
    }
    return found
  }

  func end() {
    killHub()
    daemon?.kill()
    server.stop()
  }

  /// The last lines of the hub's log.
  var lastLog: String {
    let text = (try? String(contentsOfFile: folder.path("hub.log"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").suffix(40).joined(separator: "\n")
  }
}
