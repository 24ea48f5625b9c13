// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SwiftUI

  /// Reads a person's devices and sends each reading once.
  @main @MainActor struct ReadingsApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

    var body: some Scene {
      WindowGroup { RootView(app: delegate.app) }
    }
  }
#endif
