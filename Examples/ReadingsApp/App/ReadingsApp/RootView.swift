// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// The screens for how far the app is.
  @MainActor struct RootView: View {
    @ObservedObject var app: AppModel
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
      Group {
        switch app.state.phase {
        case .launching: ProgressView { Text(AppText(.starting)) }
        case .blocked(let problem):
          ProblemView(problem: problem, tryAgain: { Task { await app.refresh() } }).padding()
        case .signedOut(let reason): SignInView(SignInModel(app), reason: reason)
        case .signedIn(let person): TabsView(app: app, person: person).id(person)
        }
      }
      .onChange(of: scenePhase) { phase in
        switch phase {
        case .active: app.becameActive()
        case .background: app.enteredBackground()
        default: break
        }
      }
    }
  }
#endif
