// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer
import SantorioConcurrency
import SantorioCore
import TestSupport
import Testing
import ValidicBluetooth
import ValidicHealthKit

@testable import ValidicCore

/// The classes of these tests have one instance in a process, so that one test runs after the other.
@Suite(.serialized, .timeLimit(.minutes(15))) enum ValidicNames {}

/// An app that uses Validic's names, and a real server with a user.
@MainActor final class App {
  static let folderName = "session"

  let folder: TemporaryFolder
  let server: IngestServer
  let user: VLDUser

  init() throws {
    folder = try TemporaryFolder()
    server = try IngestServer(
      configuration: .init(
        storagePath: folder.path("store.sqlite"), port: 0, adminToken: "the-administrator"))
    let alice = try server.createUser(organization: "acme", uid: "alice")
    user = VLDUser(
      validicUserID: alice.id, organizationID: alice.organization, accessToken: alice.token)
  }

  deinit { server.stop() }

  var directory: URL { folder.url.appendingPathComponent(Self.folderName) }
  var url: URL {
    var components = URLComponents()
    (components.scheme, components.host, components.port) = ("http", "127.0.0.1", Int(server.port))
    return components.url ?? folder.url
  }

  /// A configuration for the server, or for one that does not answer.
  func configuration(reachesServer: Bool = true) throws -> SantorioSession.Configuration {
    let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
    return SantorioSession.Configuration(
      directory: directory, endpoint: reachesServer ? url : nowhere)
  }

  /// The session of the present process.
  private static weak var session: SantorioSession?

  /// Begins the process of the app, as at a launch.
  func launch(reachesServer: Bool = true) async throws {
    await Self.end()
    #expect(VLDSession.configure(try configuration(reachesServer: reachesServer)))
    Self.session = VLDSession.sharedInstance().session
  }

  /// Ends the process of the app.
  static func end() async {
    await VLDBluetoothPassiveManager.forgetInstance()
    VLDHealthKitManager.forgetInstance()
    await VLDSession.forgetInstance()
    // Its folder is free once nothing has it any more.
    while session != nil { await Task.yield() }
  }

  /// Waits for something that other threads do.
  func wait(until isTrue: @MainActor () async throws -> Bool) async rethrows {
    while try await !isTrue() { await Task.yield() }
  }
}

/// Notifications of some names, as they were posted.
final class PostedNotes: Sendable {
  /// One notification.
  struct Note: @unchecked Sendable {
    // It was posted on the main thread, where the tests read it.
    let name: Notification.Name
    let object: Any?
    let userInfo: [AnyHashable: Any]
    let isOnMainThread: Bool
  }

  private let notes: Locked<[Note]>
  private let observers: Observers

  /// Tokens of observers, which are only given back.
  private struct Observers: @unchecked Sendable {
    let tokens: [any NSObjectProtocol]
  }

  init(_ names: Notification.Name...) {
    let notes = Locked<[Note]>([])
    self.notes = notes
    observers = Observers(
      tokens: names.map { name in
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
          let posted = Note(
            name: note.name, object: note.object, userInfo: note.userInfo ?? [:],
            isOnMainThread: MainQueue.isCurrent)
          notes.withLock { $0.append(posted) }
        }
      })
  }

  deinit {
    for token in observers.tokens { NotificationCenter.default.removeObserver(token) }
  }

  var all: [Note] { notes.withLock { $0 } }
}

/// The queue of the main thread; on Linux, tests run it on another thread than the process's first.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
