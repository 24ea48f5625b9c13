// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import SantorioSQLite

/// What the phone's system is to an app's health stores: one database, permissions, queries that go
/// on, and background delivery.
package final class HealthSystem: @unchecked Sendable {
  /// The system of stores that were made without one; the tests of a program replace it.
  package static var current: HealthSystem {
    get {
      shared.withLock { shared in
        if let system = shared { return system }
        let system = HealthSystem(path: HealthProcess.storePath)
        shared = system
        return system
      }
    }
    set { shared.withLock { $0 = newValue } }
  }

  private static let shared = Locked<HealthSystem?>(nil)

  /// Whether a store is made where there is none.
  private let isMade: Bool
  /// Everything below is touched on this queue only.
  let queue = DispatchQueue(label: "healthkit.store")
  private var opened: Result<HealthDatabase, any Error>?
  /// The file.
  package let path: String
  /// The queries that go on.
  private(set) var queries: [HKQuery] = []
  var permissions: HealthPermissions?
  package let delivery = BackgroundDelivery()
  private var locked = false
  /// What was saved while the device was locked.
  private var waiting: [(objects: [HKObject], revision: HKSourceRevision?)] = []
  /// Whom the app is for the store.
  package var revision = HealthProcess.revision
  /// Bundle identifiers of the sources that the user prefers, the first ones most.
  package var preferredSources: [String] = []
  /// What the user answers when an app asks for permission; everything is allowed by default.
  package var answer: @Sendable (HealthPermissionRequest) -> HealthPermissionAnswer = { .all($0) }

  /// A system over the store of a file, which is opened when it is used first.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isMade: Whether a store is made where there is none.
  package init(path: String, isMade: Bool = true) {
    self.path = path
    self.isMade = isMade
  }

  /// Whether the store may be read only; on the queue only.
  var isReadOnly: Bool { (try? database())?.isReadOnly ?? false }

  private func database() throws -> HealthDatabase {
    if let opened {
      let database = try opened.get()
      try database.refresh()
      return database
    }
    let result = Result {
      try makeFile()
      return try HealthDatabase(path: path)
    }
    opened = result
    return try result.get()
  }

  // Health data is the user's alone; SQLite's other files get the mode of this one.
  private func makeFile() throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if attributes?[.type] as? FileAttributeType == .typeDirectory {
      throw HealthStoreError(description: "\(path) is a folder. Name the file of a health store.")
    }
    if !isMade, attributes?[.size] as? Int ?? 0 == 0 {
      throw HealthStoreError(
        description: "There is no health store \(path). Import an export first.")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw HealthStoreError(
        description:
          "The folder \(folder.path) of the health store cannot be made. Name another one.")
    }
    guard !FileManager.default.fileExists(atPath: path) else { return }
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
  }

  // MARK: - Work

  /// Runs `body` on the queue, later.
  func async(_ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    queue.async { body() }
  }

  /// Runs `body` on the queue, and waits for it.
  package func sync<Result>(_ body: (HealthDatabase) throws -> Result) throws -> Result {
    try queue.sync { try body(database()) }
  }

  /// Reads from the store; on the queue only.
  ///
  /// - Throws: An `HKError`, with the code `errorDatabaseInaccessible` while the device is locked.
  func read<Value>(_ body: (HealthDatabase) throws -> Value) throws -> Value {
    guard !locked else { throw HKError.locked }
    return try translated { try body(database()) }
  }

  /// Reads what is no health data, also while the device is locked; on the queue only.
  func readSettings<Value>(_ body: (HealthDatabase) throws -> Value) throws -> Value {
    try translated { try body(database()) }
  }

  /// Changes the store, and says so to the queries; on the queue only.
  func write<Value>(_ body: (HealthDatabase) throws -> Value) throws -> Value {
    let (value, types) = try translated {
      let database = try database()
      return try database.write { try body(database) }
    }
    announce(types)
    return value
  }

  private func translated<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw HKError.error(.errorDatabaseInaccessible, "\(error)")
    } catch let error as HealthStoreError {
      throw HKError.error(.errorDatabaseInaccessible, "\(error)")
    }
  }

  /// Saves objects of the app, or of another source; later if the device is locked.
  func save(_ objects: [HKObject], from revision: HKSourceRevision? = nil) throws {
    if locked {
      waiting.append((objects, revision))
      return
    }
    try write { try $0.save(objects, from: revision ?? self.revision) }
  }

  /// Runs a part of an import, which commits by itself.
  package func importing<Value>(_ body: (HealthDatabase) throws -> Value) throws -> Value {
    try queue.sync { try body(database()) }
  }

  /// Says to the queries what an import has committed; in a part of it.
  package func announceImport(_ types: Set<HKObjectType>) { announce(types) }

  // MARK: - Queries

  func start(_ query: HKQuery) {
    if query.goesOn { queries.append(query) }
    if !delivery.started(query, on: self) { query.run(on: self) }
  }

  func stop(_ query: HKQuery) { queries.removeAll { $0 === query } }

  /// Whether a query goes on.
  func isRunning(_ query: HKQuery) -> Bool { queries.contains { $0 === query } }

  private func announce(_ types: Set<HKObjectType>) {
    guard !types.isEmpty else { return }
    delivery.changed(types, queries, on: self)
  }

  // MARK: - The phone

  /// Locks or unlocks the device.
  package var isLocked: Bool {
    get { queue.sync { locked } }
    set {
      queue.sync {
        locked = newValue
        guard !locked else { return }
        let saved = waiting
        waiting = []
        for (objects, revision) in saved { try? save(objects, from: revision) }
        delivery.unlocked(queries, on: self)
      }
    }
  }

  /// Whether the device is locked; on the queue only.
  var isLockedOnQueue: Bool { locked }

  /// Ends the app: its queries are gone, and nothing of it is called any more.
  package func terminate() {
    queue.sync {
      for query in queries { query.isStopped = true }
      queries = []
      delivery.appEnded()
    }
  }
}
