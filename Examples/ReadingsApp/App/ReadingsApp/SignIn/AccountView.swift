// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// Who is signed in; signing out, and what becomes of the readings that wait.
  @MainActor struct AccountView: View {
    @StateObject private var model: AccountModel

    init(_ model: @autoclosure @escaping () -> AccountModel) {
      _model = StateObject(wrappedValue: model())
    }

    var body: some View {
      List {
        Section {
          row(.user, model.state.person.user)
          row(.organization, model.state.person.organization)
          row(.server, model.state.person.server.url.absoluteString)
        }
        Section {
          ForEach(model.state.summary, id: \.self) { Text($0) }
          if let message = model.state.message { MessageView(message: message) }
          if model.state.unsentCount ?? 0 > 0 {
            Button {
              Task { await model.sendFirst() }
            } label: {
              HStack {
                Text(AppText(.sendFirst))
                if model.state.isBusy { ProgressView() }
              }
            }
            .disabled(model.state.isBusy)
          }
          Button(role: .destructive) {
            Task { await model.askToSignOut() }
          } label: {
            Text(AppText(.signOut))
          }
        }
      }
      .navigationTitle(Text(AppText(.account)))
      .task { await model.load() }
      .confirmationDialog(
        Text(AppText(.signOutQuestion)), isPresented: isAsking, titleVisibility: .visible
      ) {
        Button(role: .destructive) {
          Task { await model.signOut() }
        } label: {
          Text(AppText(.signOut))
        }
        Button(role: .cancel) {
          model.stay()
        } label: {
          Text(AppText(.cancel))
        }
      } message: {
        Text(verbatim: model.state.consequences.map(\.localized).joined(separator: " "))
      }
    }

    private func row(_ title: AppText.Key, _ value: String) -> some View {
      LabeledContent {
        Text(verbatim: value).textSelection(.enabled)
      } label: {
        Text(AppText(title))
      }
    }

    private var isAsking: Binding<Bool> {
      Binding(get: { model.state.isAsking }, set: { if !$0 { model.stay() } })
    }
  }
#endif
