// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthRecords
import Hub
import IngestServer
import SantorioConcurrency
import SantorioCore

/// A server, a ward of virtual devices and a gateway, in one process.
struct Demo: Sendable {
  private let server: IngestServer
  private let accounts: [String: SantorioUser]
  private let ward: DemoWard
  private let hub: DemoHub
  /// The readings that the server has stored, by patient.
  private let uploaded = Locked<[String: Set<String>]>([:])
  /// How many states of devices the server has; one of the ward needs a battery.
  private let states = Locked(0)

  /// Starts the server, provisions the patients and sets up the gateway.
  ///
  /// - Parameters:
  ///   - folder: Where server and gateway keep their files.
  ///   - port: The server's port; when nil, 8080 or, if that is taken, any free one.
  ///   - isOnce: Whether the simulated clock runs fast, since no one watches.
  /// - Throws: The error of the server or the gateway when it cannot start.
  init(folder: URL, port: Int?, isOnce: Bool) async throws {
    try Self.check(folder)
    server = try Self.server(in: folder, port: port)
    guard let endpoint = URL(string: "http://127.0.0.1:\(server.port)") else {
      throw UsageError("The port \(server.port) does not give a valid address.", command: "demo")
    }
    let air = SimulatedRadioEnvironment.running(speed: isOnce ? 20 : 4)
    ward = DemoWard(in: air)
    var accounts: [String: SantorioUser] = [:]
    for patient in ward.patients {
      let account = try server.createUser(organization: "demo", uid: patient.uid)
      accounts[patient.alias] = SantorioUser(
        userID: account.id, organizationID: account.organization, accessToken: account.token)
    }
    self.accounts = accounts
    hub = try DemoHub(in: folder, air, ward, accounts: accounts, endpoint: endpoint)
    printError("live page: \(endpoint)/#token=\(server.adminToken)")
  }

  /// Keeps a demonstration out of the data of a real server or gateway.
  private static func check(_ folder: URL) throws(CommandError) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard files.isEmpty || files.contains("hub.json") else {
      throw CommandError(
        "\(folder.path) holds other data; choose an empty folder for the demonstration.")
    }
  }

  private static func server(in folder: URL, port: Int?) throws -> IngestServer {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("records.sqlite").path
    if port == nil,
      let server = try? IngestServer(configuration: .init(storagePath: path, port: 8080))
    {
      return server
    }
    return try IngestServer(configuration: .init(storagePath: path, port: UInt16(port ?? 0)))
  }

  func stop() async {
    await hub.stop()
    server.stop()
  }

  // MARK: - Until it is stopped

  /// Runs until Ctrl-C; the patients go on measuring.
  func runUntilStopped() async throws -> Int32 {
    let stop = await StopSignal()
    printError("press Ctrl-C to stop")
    await report()
    await withTaskGroup { group in
      group.addTask {
        await hub.start(report: printError)
        await untilRead()
        await printStatus()
        await ward.run()
      }
      group.addTask { await stop.wait() }
      await group.next()
      group.cancelAll()
    }
    return 0
  }

  /// Prints each reading that the server has stored, once.
  private func report() async {
    await hub.gateway.observe { [uploaded, states] alias, record in
      if !record.kind.isReading { states.withLock { $0 += 1 } }
      let isNew =
        !record.kind.isReading
        || uploaded.withLock { $0[alias, default: []].insert(record.logID).inserted }
      if isNew { print("\(alias)  \(ReadingLine(record).text)") }
    }
  }

  /// Says what a gateway's operator sees, and where to look.
  private func printStatus() async {
    printError("\n\(await hub.gateway.status().text)\n")
    printError(
      """
      The first readings are on the page. One more is of nobody whom the gateway knows: decide above.
      In another terminal: santorio hub status --socket \(hub.socket)

      """)
  }

  // MARK: - Once

  /// Runs until the readings of all devices have been uploaded, then reads them back.
  func runOnce() async throws -> Int32 {
    await report()
    let isComplete = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await hub.start(report: printError)
        await untilRead()
        return !Task.isCancelled
      }
      group.addTask {
        // Ends a demonstration that hangs.
        try? await Task.sleep(for: .seconds(120))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
    await hub.gateway.drain()
    return try await summary(isComplete)
  }

  /// Waits until the server has what the devices have measured and that one needs a battery, and the
  /// gateway holds the rest.
  private func untilRead() async {
    let expected = ward.expectedReadings
    while !Task.isCancelled {
      let counts = uploaded.withLock { $0.mapValues(\.count) }
      let held = await held()
      let isRead = expected.allSatisfy { alias, count in
        (alias.map { counts[$0] ?? 0 } ?? held) >= count
      }
      if isRead, states.withLock({ $0 > 0 }) { return }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  /// How many readings the gateway holds for a decision.
  private func held() async -> Int {
    await hub.gateway.status().patients.reduce(0) { $0 + $1.decisions.count }
  }

  /// Compares what was uploaded with what the server gives back, patient by patient.
  private func summary(_ isComplete: Bool) async throws -> Int32 {
    var stored = try await storedReadings()
    // What is stored is told a moment later, and a reading may have come since.
    for _ in 0..<100 where uploaded.withLock({ $0 }) != stored.mapValues({ Set($0) }) {
      try await Task.sleep(for: .milliseconds(100))
      stored = try await storedReadings()
    }
    let sent = uploaded.withLock { $0 }
    let isEqual = stored.allSatisfy { alias, records in
      sent[alias] == Set(records) && Set(records).count == records.count
    }
    let (held, expected) = (await held(), ward.expectedReadings)
    let measured = expected.reduce(0) { $0 + ($1.key == nil ? 0 : $1.value) }
    print(
      "measured: \(measured) uploaded: \(sent.reduce(0) { $0 + $1.value.count }) "
        + "on server: \(stored.reduce(0) { $0 + $1.value.count }) held for a decision: \(held)")
    guard isComplete, isEqual, held == expected[nil] else {
      printError("santorio: not all readings of the ward arrived, once and for the right patient")
      return 1
    }
    return 0
  }

  /// The readings that the server gives back, by patient.
  private func storedReadings() async throws -> [String: [String]] {
    var stored: [String: [String]] = [:]
    for (alias, user) in accounts {
      stored[alias] = try await ReadBack(server: server, user: user).records()
        .filter(\.kind.isReading).map(\.logID)
    }
    return stored
  }
}
