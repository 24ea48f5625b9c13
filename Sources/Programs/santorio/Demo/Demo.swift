// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthRecords
import IngestServer
import SantorioCore
import SantorioConcurrency

/// A server, virtual demo devices and a hub, in one process.
struct Demo: Sendable {
  private let server: IngestServer
  private let session: SantorioSession
  private let user: SantorioUser
  private let devices: DemoDevices
  private let hub: Hub

  /// Starts the server, provisions a user and sets up the demo devices.
  ///
  /// - Parameters:
  ///   - folder: Where server and hub keep their files.
  ///   - port: The server's port; when nil, 8080 or, if that is taken, any free one.
  ///   - isOnce: Whether the simulated clock runs fast, since no one watches.
  /// - Throws: The error of the server or the session when it cannot start.
  init(folder: URL, port: Int?, isOnce: Bool) async throws {
    try Self.check(folder)
    server = try Self.server(in: folder, port: port)
    guard let endpoint = URL(string: "http://127.0.0.1:\(server.port)") else {
      throw UsageError("The port \(server.port) does not give a valid address.", command: "demo")
    }
    session = SantorioSession(
      .init(directory: folder.appendingPathComponent("hub", isDirectory: true), endpoint: endpoint))
    let account = try server.createUser(organization: "demo", uid: "ward-7-bed-2")
    user = SantorioUser(
      userID: account.id, organizationID: account.organization, accessToken: account.token)
    try await session.start(user)
    let air = SimulatedRadioEnvironment.running(speed: isOnce ? 20 : 1)
    devices = DemoDevices(in: air)
    hub = Hub(in: air, session: session)
    printError("live page: \(endpoint)/#token=\(server.adminToken)")
  }

  /// Keeps a demonstration out of the data of a real server or gateway.
  private static func check(_ folder: URL) throws(CommandError) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard files.isEmpty || files.contains("hub") else {
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

  func stop() { server.stop() }

  /// Runs until Ctrl-C; new measurements are taken occasionally.
  func runUntilStopped() async throws -> Int32 {
    let stop = await StopSignal()
    printError("press Ctrl-C to stop")
    let events = session.events
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await session.run() }
      group.addTask { await hub.run() }
      group.addTask { await devices.run() }
      group.addTask {
        var printed: Set<String> = []
        // Some devices send all stored readings each time; each reading is printed only once.
        for await event in events where event.isNew(after: &printed) { printReading(event) }
      }
      group.addTask { await stop.wait() }
      try await group.next()
      group.cancelAll()
    }
    return 0
  }

  /// Runs until the readings of all devices have been uploaded, then reads them back.
  func runOnce() async throws -> Int32 {
    let expected = devices.readingCount
    let events = session.events
    let uploaded = try await withThrowingTaskGroup(of: [HealthRecord]?.self) { group in
      group.addTask {
        try await session.run()
        return nil
      }
      group.addTask {
        await hub.run()
        return nil
      }
      group.addTask { await Self.uploads(events, count: expected) }
      group.addTask { await Self.timeOut() }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    let stored = try await ReadBack(server: server, user: user).records()
      .filter { $0.kind.isReading }
    let readings = hub.readings.withLock { $0.count }
    print("readings: \(readings) uploaded: \(uploaded?.count ?? 0) on server: \(stored.count)")
    guard let uploaded, Set(uploaded) == Set(stored), readings == expected else {
      printError("santorio: not all \(expected) readings of the demo devices arrived")
      return 1
    }
    return 0
  }

  /// Waits until `count` different records have been uploaded.
  private static func uploads(_ events: SessionEvents, count: Int) async -> [HealthRecord]? {
    var records: [String: HealthRecord] = [:]
    var printed: Set<String> = []
    for await event in events {
      if event.isNew(after: &printed) { printReading(event) }
      // Some devices send all stored readings again; the server has kept the first.
      if case .recordSubmitted(let record, _) = event, record.kind.isReading {
        records[record.logID] = records[record.logID] ?? record
      }
      if records.count == count { return Array(records.values) }
    }
    return nil
  }

  /// Ends a demonstration that hangs.
  private static func timeOut() async -> [HealthRecord]? {
    try? await Task.sleep(for: .seconds(120))
    return nil
  }
}

extension SessionEvent {
  /// Whether it is anything but a record that was reported before; the hub has reported those that
  /// are no readings.
  fileprivate func isNew(after known: inout Set<String>) -> Bool {
    guard case .recordSubmitted(let record, _) = self else { return true }
    guard record.kind.isReading else { return false }
    return known.insert(record.logID).inserted
  }
}

/// Prints a reading that has arrived, or another event.
private func printReading(_ event: SessionEvent) {
  if case .recordSubmitted(let record, _) = event {
    print(ReadingLine(record).text)
  } else {
    printError("\(event)")
  }
}
