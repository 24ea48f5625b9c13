// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import SwiftUI
  @preconcurrency import UIKit

  extension View {
    /// Has VoiceOver say a text when it appears and when it changes.
    @MainActor func spoken(_ text: String) -> some View {
      onAppear { say(text) }.onChange(of: text) { say($0) }
    }
  }

  @MainActor private func say(_ text: String) {
    UIAccessibility.post(notification: .announcement, argument: text)
  }
#endif
