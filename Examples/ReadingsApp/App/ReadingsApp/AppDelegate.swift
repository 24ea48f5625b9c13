// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import Foundation
  import ReadingsAppModel
  import Santorio
  import UIKit

  /// Passes on what the system says, also when it has launched the app without a screen.
  @MainActor final class AppDelegate: NSObject, UIApplicationDelegate {
    private let notices = UserNotices()
    private(set) lazy var app = AppModel(.phone(notices: notices))

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
      notices.open = { [app] tab in app.show(tab) }
      app.launch()
      return true
    }

    func application(
      _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
      completionHandler: @escaping () -> Void
    ) {
      Task {
        await app.handleUploads(of: identifier)
        completionHandler()
      }
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
      Task { await app.wasUnlocked() }
    }
  }

  extension AppEnvironment {
    /// The phone's radio, health store and network.
    static func phone(notices: any NoticePosting) -> AppEnvironment {
      var environment = AppEnvironment(
        folder: URL.applicationSupportDirectory.appendingPathComponent("Readings"),
        notices: notices)
      environment.allowsPlainHTTP = allowsPlainHTTP(Bundle.main.infoDictionary ?? [:])
      environment.configure = { configuration, uploads in
        configuration.transport = BackgroundURLSessionTransport(identifier: uploads)
      }
      return environment
    }
  }
#endif
