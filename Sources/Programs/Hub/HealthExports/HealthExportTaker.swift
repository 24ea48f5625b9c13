// SPDX-License-Identifier: Apache-2.0

import AppleHealthArchive
import AppleHealthExport
import Foundation
import HealthKit
import HealthKitImport
import SantorioConcurrency
import SantorioCore
import SantorioHealthKit

/// Takes the exports of the iPhone's Health app that are put into a patient's folder: into a health
/// store, and from there to the patient's session, as an app on the phone does.
///
/// The folder is only read. What cannot be taken is shown, and tried again: a file with a fault of its
/// own once it has changed, and any other at the next look.
actor HealthExportTaker {
  private let settings: HubConfiguration.HealthExports
  private let parent: URL
  private let owner: String
  private let former: String?
  private let now: @Sendable () -> Date
  private var memory: HealthExportMemory?
  /// The exports as they were at the last look: one that still changes is not complete.
  private var seen: Set<HealthExportFile> = []
  /// Why exports cannot be taken.
  private var failures: [HealthExportFile: String] = [:]
  /// Why nothing can be taken.
  private var problem: String?
  /// How many there are of before the alias became this patient's.
  private var strangers = 0
  private var isImporting = false
  /// Whether it is being looked for exports.
  private(set) var isLooking = false

  /// - Parameters:
  ///   - settings: The folder and how its exports are read.
  ///   - parent: Where the health store is kept.
  ///   - owner: Who the patient is.
  ///   - former: What the same patient was called before there was a server; nil if there is none.
  ///   - now: The time of day.
  init(
    _ settings: HubConfiguration.HealthExports, in parent: URL, of owner: String,
    formerly former: String?, now: @escaping @Sendable () -> Date
  ) {
    (self.settings, self.parent, self.owner, self.now) = (settings, parent, owner, now)
    self.former = former
  }

  /// Takes what is new in the folder, and makes records of it.
  ///
  /// - Parameter session: The patient's.
  func look(for session: SantorioSession) async {
    isLooking = true
    defer { isLooking = false }
    do {
      var memory =
        try self.memory
        ?? HealthExportMemory(in: parent, of: owner, formerly: former, now: now())
      defer { self.memory = memory }
      let files = try files()
      try memory.keepOnly(files)
      failures = failures.filter { files.contains($0.key) }
      strangers = files.count { memory.isOfBefore($0) && !memory.has($0) }
      for file in complete(files) where !memory.has(file) && !memory.isOfBefore(file) {
        guard failures[file] == nil, !Task.isCancelled else { continue }
        if try await take(file, memory.store) { try memory.take(file, at: now()) }
      }
      problem = nil
      guard memory.isReadingOwed, !Task.isCancelled else { return }
      let (isComplete, events) = try await read(
        memory.store, since: memory.begun(at: now()), for: session)
      var records = 0
      // They end with the manager, once all that it has begun is done.
      for await case .recordsProcessed(_, _, let count) in events { records += count }
      try memory.noteRead(records, isComplete: isComplete)
    } catch {
      problem = explain(error)
    }
  }

  private func files() throws -> [HealthExportFile] {
    do {
      return try HealthExportFile.all(in: settings.folder)
    } catch {
      throw NoFolder(path: settings.folder)
    }
  }

  /// A folder of exports that cannot be listed.
  private struct NoFolder: Error, CustomStringConvertible {
    let path: String

    var description: String {
      "The folder \(path) does not exist, or the hub may not read it. Make it, or name another in "
        + "\"health_exports\"."
    }
  }

  /// The exports that have not changed since the last look.
  private func complete(_ files: [HealthExportFile]) -> [HealthExportFile] {
    defer { seen = Set(files) }
    return files.filter(seen.contains)
  }

  // MARK: - Import

  /// - Returns: Whether it is in the store.
  /// - Throws: What keeps any export from being taken.
  private func take(_ file: HealthExportFile, _ store: String) async throws -> Bool {
    isImporting = true
    defer { isImporting = false }
    do {
      let report = try await Self.importing(settings.folder + "/" + file.name, store)
      if !report.isComplete {
        failures[file] = "It has no end: the file was cut. Export it once more."
      }
      return true
    } catch is CancellationError {
      return false
    } catch  where Self.isOfFile(error) {
      failures[file] = "\(error)"
      return false
    }
  }

  /// Whether a failure is one of the file, and the same each time until the file has changed.
  private static func isOfFile(_ error: any Error) -> Bool {
    switch error {
    case let error as ExportArchiveError: error.code != .notReadable
    case is HealthExportError: true
    case let error as ImportError: error == .anotherPerson
    default: false
    }
  }

  /// Imports on a thread of its own; it goes on where it was when it is cancelled.
  private static func importing(_ path: String, _ store: String) async throws -> ImportReport {
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
          continuation.resume(
            with: Result {
              try HealthImport.run(path, into: HealthSystem(path: store)) { _ in
                if isCancelled.withLock({ $0 }) { throw CancellationError() }
              }
            })
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  // MARK: - Records

  /// Makes records of what is new in the store.
  ///
  /// - Parameters:
  ///   - store: The health store.
  ///   - begun: When records were made for the first time.
  ///   - session: The patient's.
  /// - Returns: Whether all of it was read, and what has happened.
  /// - Throws: ``HealthKitError`` when nothing can be subscribed to.
  private func read(
    _ store: String, since begun: Date, for session: SantorioSession
  ) async throws -> (Bool, AsyncStream<HealthKitEvent>) {
    let manager = HealthKitManager(
      session: session, store: HKHealthStore(system: HealthSystem(path: store)),
      settings: healthKitSettings(since: begun))
    let events = manager.events
    let wanted = SampleRole.allTypes
    if try await manager.subscriptions() != wanted { try await manager.setSubscriptions(wanted) }
    let time = manager.readingTime()
    let isRead = await withTaskCancellationHandler {
      await manager.fetchLatestData(within: time)
    } onCancel: {
      time.end()
    }
    if !isRead { problem = "Not all of it could be put into the queue; it is tried again." }
    return (isRead, events)
  }

  private func healthKitSettings(since begun: Date) -> HealthKitSettings {
    var all = HealthKitSettings()
    let zone = settings.timeZone ?? .current
    all.now = now
    all.zone = { zone }
    all.daysBack = settings.daysBack + days(since: begun, in: zone)
    return all
  }

  private func days(since begun: Date, in zone: TimeZone) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let (first, last) = (calendar.startOfDay(for: begun), calendar.startOfDay(for: now()))
    return max(0, calendar.dateComponents([.day], from: first, to: last).day ?? 0)
  }

  // MARK: - Status

  /// How it is.
  func status() -> HubStatus.HealthExports {
    HubStatus.HealthExports(
      taken: memory?.count ?? 0, records: memory?.records ?? 0, last: memory?.last,
      part: HubStatus.Part(works: reasons.isEmpty, reasons.first ?? quiet))
  }

  private var quiet: String { isImporting ? "an export is being imported" : "" }

  private var reasons: [String] {
    var reasons = problem.map { [$0] } ?? []
    reasons += failures.sorted { $0.key.modified > $1.key.modified }.map { file, reason in
      "The export of \(file.modified.formatted(.iso8601)) could not be taken whole: \(reason)"
    }
    if strangers > 0 {
      reasons.append(
        "\(strangers) older than this patient's being here; put an export there once more if it is "
          + "the patient's.")
    }
    return reasons
  }

  private func explain(_ error: any Error) -> String {
    switch error {
    case let error as HealthKitError: error.message
    case let error as CocoaError:
      "\(parent.path) cannot be used: \(error.localizedDescription)"
    case is DecodingError:
      "What the hub has noted of the exports is damaged. Remove the folder \"health\" of the patient: "
        + "the exports are then taken once more, and nothing is sent twice."
    default: "\(error)"
    }
  }
}
