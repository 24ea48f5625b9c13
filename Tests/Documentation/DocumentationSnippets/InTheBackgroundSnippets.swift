// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio

#if os(iOS)
  import BackgroundTasks
  import SwiftUI
  import UIKit

  enum Uploads {
    static let identifier = "com.example.readings.uploads"

    static func makeSession(in folder: URL, to server: URL) -> SantorioSession {
      var configuration = SantorioSession.Configuration(directory: folder, endpoint: server)
      configuration.transport = BackgroundURLSessionTransport(identifier: identifier)
      return SantorioSession(configuration)
    }

    @MainActor static func handled(by session: SantorioSession, _ scene: some Scene) -> some Scene {
      scene.backgroundTask(.urlSession(identifier)) {
        _ = await session.handleEvents(of: identifier)
      }
    }
  }

  @MainActor final class AppDelegate: NSObject, UIApplicationDelegate {
    var session: SantorioSession?

    func application(
      _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String
    ) async {
      await session?.handleEvents(of: identifier)
    }
  }

  nonisolated enum Draining {
    static let identifier = "com.example.readings.drain"

    /// To be called before the app has finished launching.
    static func register(for session: SantorioSession) {
      BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) {
        @Sendable task in
        // Used by one side at a time: here, then by the task below.
        nonisolated(unsafe) let task = task
        let draining = Task {
          let result = try? await session.drain()
          task.setTaskCompleted(success: result == .empty || result == .handedOver)
        }
        task.expirationHandler = { draining.cancel() }
      }
    }

    /// To be called when the app enters the background.
    static func schedule() throws {
      let request = BGProcessingTaskRequest(identifier: identifier)
      request.requiresNetworkConnectivity = true
      try BGTaskScheduler.shared.submit(request)
    }
  }

  /// For a session whose folder is in a shared container.
  @MainActor enum SharedFolder {
    static func appBecameActive(_ session: SantorioSession) { session.resume() }

    static func appEnteredBackground(_ session: SantorioSession) {
      let time = ClosingTime()
      time.begin()
      Task {
        await session.suspend()
        time.end()
      }
    }
  }

  /// Time to close the files in.
  @MainActor final class ClosingTime {
    private var task = UIBackgroundTaskIdentifier.invalid

    func begin() {
      task = UIApplication.shared.beginBackgroundTask(withName: "Closing the queue") { self.end() }
    }

    func end() {
      UIApplication.shared.endBackgroundTask(task)
      task = .invalid
    }
  }
#endif

/// What a user takes along to a new phone.
private enum NewPhone {
  static func export(_ session: SantorioSession, to file: URL) async throws -> String {
    let passphrase = SantorioSession.randomPassphrase()
    let export = try await session.exportQueue(to: file, passphrase: passphrase)
    print(export)
    return passphrase
  }

  static func take(_ session: SantorioSession, from file: URL, _ passphrase: String) async throws {
    let taken = try await session.importQueue(from: file, passphrase: passphrase)
    print(taken)
  }
}
