// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// What is said about an attempt; VoiceOver says it when it appears.
  @MainActor struct MessageView: View {
    @Environment(\.santorioTexts) private var texts
    let message: Message
    var tryAgain: (() -> Void)?

    var body: some View {
      switch message {
      case .text(let text): Text(text).spoken(text.localized)
      case .problem(let problem):
        ProblemView(problem: problem, tryAgain: tryAgain).spoken(texts(problem.text))
      }
    }
  }
#endif
