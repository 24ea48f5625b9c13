// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import SwiftUI
  #if canImport(UIKit)
    @unsafe @preconcurrency import UIKit
  #endif

  extension View {
    /// Has VoiceOver say a text whenever it changes.
    func announces(_ text: String?) -> some View {
      onChange(of: text) { text in
        guard let text, !text.isEmpty else { return }
        #if canImport(UIKit)
          // The name of the notification is a variable in SDKs before Xcode 16's.
          unsafe UIAccessibility.post(notification: .announcement, argument: text)
        #endif
      }
    }
  }
#endif
