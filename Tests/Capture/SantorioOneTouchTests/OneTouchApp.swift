// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioOneTouch
import TestSupport

/// An app with a session on disk that reads the meters of a virtual kit.
final class OneTouchApp {
  let folder: TemporaryFolder
  let kit: VirtualKit
  let clock = ManualClock()
  private(set) var session: SantorioSession
  private(set) var reader: OneTouchPassiveReader<VirtualKit>
  private var events: AsyncStream<OneTouchEvent>

  static let anna = SantorioUser(userID: "anna", organizationID: "ward", accessToken: "token")
  static let bert = SantorioUser(userID: "bert", organizationID: "ward", accessToken: "token")

  init(user: SantorioUser? = OneTouchApp.anna, maximumBytes: Int? = nil) async throws {
    folder = try TemporaryFolder()
    kit = VirtualKit()
    session = Self.session(folder, maximumBytes: maximumBytes)
    reader = Self.reader(session, kit, clock)
    events = reader.events
    listen()
    if let user { try await session.start(user) }
  }

  private static func session(
    _ folder: TemporaryFolder, maximumBytes: Int? = nil
  ) -> SantorioSession {
    let nowhere = URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/")
    var configuration = SantorioSession.Configuration(
      directory: folder.url.appendingPathComponent("session"), endpoint: nowhere)
    if let maximumBytes { configuration.maximumBytes = maximumBytes }
    return SantorioSession(configuration)
  }

  private static func reader(
    _ session: SantorioSession, _ kit: VirtualKit, _ clock: ManualClock
  ) -> OneTouchPassiveReader<VirtualKit> {
    var settings = OneTouchSettings()
    settings.queue = DispatchQueue(label: "app")
    settings.now = { VirtualKit.now }
    settings.zone = { .gmt }
    settings.clock = clock
    return OneTouchPassiveReader(session: session, manager: kit, settings: settings)
  }

  private func listen() {
    kit.listener.withLock { listener in
      listener = VirtualKit.Listener { [weak reader] meter, isConnected in
        if isConnected {
          reader?.onDeviceConnected(device: meter)
        } else {
          reader?.onDeviceDisconnected(device: meter)
        }
      }
    }
  }

  /// Ends the app, whatever it is doing, and launches it again; nothing is restored yet.
  func relaunch() async throws {
    session = Self.session(folder)
    reader = Self.reader(session, kit, clock)
    events = reader.events
    listen()
    // What the app before was doing ends by itself, and only then it leaves the folder.
    while true {
      do throws(SessionError) {
        return try await session.open()
      } catch {
        guard error.code == .folderInUse else { throw error }
        await Task.yield()
      }
    }
  }

  /// The next event that is not a change of state.
  func next() async -> OneTouchEvent? {
    for await event in events {
      if case .stateChanged = event { continue }
      return event
    }
    return nil
  }

  /// The next event of any kind.
  func nextOfAnyKind() async -> OneTouchEvent? {
    for await event in events { return event }
    return nil
  }

  /// Has a meter connect, and gives the values of the readings that are stored.
  func read(_ meter: VirtualMeter) async -> [Double]? {
    meter.connects()
    guard case .read(let records, _) = await next() else { return nil }
    return records.compactMap { $0.value(.bloodGlucose) }
  }

  /// The values that wait for the server, in their order.
  func pending() async throws -> [Double] {
    try await session.pendingRecords().compactMap { $0.value(.bloodGlucose) }
  }
}

extension OneTouchEvent {
  /// The values of the readings of a meter that was read.
  var values: [Double]? {
    guard case .read(let records, _) = self else { return nil }
    return records.compactMap { $0.value(.bloodGlucose) }
  }

  /// What went wrong.
  var failure: OneTouchError.Code? {
    guard case .failed(let error, _, _) = self else { return nil }
    return error.code
  }

  /// After what pause it is tried again.
  var nextTry: Duration? {
    guard case .failed(_, _, let wait) = self else { return nil }
    return wait
  }
}
