// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import Foundation
  import SantorioCore
  import SwiftUI
  import UIKit

  private enum Readings {
    static let session = SantorioSession(
      .init(directory: URL(fileURLWithPath: "/"), endpoint: URL(fileURLWithPath: "/")))
  }

  private final class UploadingDelegate: NSObject, UIApplicationDelegate {
    func application(
      _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
      completionHandler: @escaping () -> Void
    ) {
      Readings.session.handleEvents(of: identifier, completionHandler: completionHandler)
    }
  }

  private struct UploadingApp: App {
    var body: some Scene {
      WindowGroup { EmptyView() }
        .backgroundTask(.urlSession("uploads")) {
          await Readings.session.handleEvents(of: "uploads")
        }
    }
  }
#endif
