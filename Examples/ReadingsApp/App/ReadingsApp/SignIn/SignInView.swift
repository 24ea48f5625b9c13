// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// The form in which a person signs in.
  @MainActor struct SignInView: View {
    @StateObject private var model: SignInModel
    @FocusState private var focus: SignInModel.Field?
    private let reason: AppText?

    init(_ model: @autoclosure @escaping () -> SignInModel, reason: AppText?) {
      _model = StateObject(wrappedValue: model())
      self.reason = reason
    }

    var body: some View {
      NavigationStack {
        Form {
          Section {
            Text(reason ?? AppText(.signInExplained)).foregroundStyle(.secondary)
            ForEach(SignInModel.Field.allCases, id: \.self) { field in
              SignInField(
                field: field, text: entry(field), fault: model.state.faults[field], focus: $focus)
            }
          }
          Section {
            if let message = model.state.message {
              MessageView(message: message, tryAgain: { signIn() })
            }
            if model.state.isServerSilent {
              Button {
                Task { await model.signInAnyway() }
              } label: {
                Text(AppText(.signInAnyway)).frame(minHeight: 44)
              }
              .buttonStyle(.borderless)
            }
            Button {
              signIn()
            } label: {
              HStack {
                Text(AppText(.signIn)).frame(maxWidth: .infinity)
                if model.state.isBusy { ProgressView() }
              }
            }
            .buttonStyle(.borderedProminent)
            .controlSize(.large)
            .disabled(model.state.isBusy)
          }
          .listRowBackground(Color.clear)
        }
        .navigationTitle(Text(AppText(.signIn)))
        .onSubmit { moveOn() }
      }
    }

    private func entry(_ field: SignInModel.Field) -> Binding<String> {
      Binding(
        get: { model.state.entries[field] ?? "" }, set: { model.enter($0, in: field) })
    }

    private func moveOn() {
      let fields = SignInModel.Field.allCases
      guard let current = focus.flatMap(fields.firstIndex), current + 1 < fields.count else {
        return signIn()
      }
      focus = fields[current + 1]
    }

    private func signIn() {
      Task {
        await model.signIn()
        focus = SignInModel.Field.allCases.first { model.state.faults[$0] != nil }
      }
    }
  }
#endif
