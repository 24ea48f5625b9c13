// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SwiftUI

  /// One field of the form: its name, what was entered, and what is wrong with it.
  @MainActor struct SignInField: View {
    let field: SignInModel.Field
    @Binding var text: String
    let fault: AppText?
    let focus: FocusState<SignInModel.Field?>.Binding

    var body: some View {
      VStack(alignment: .leading, spacing: 4) {
        Text(field.title).font(.subheadline).accessibilityHidden(true)
        entry
          .focused(focus, equals: field)
          .frame(minHeight: 44)
          .accessibilityLabel(Text(field.title))
          .accessibilityHint(fault.map { Text($0) } ?? Text(verbatim: ""))
        if let fault {
          Label(fault, symbol: "exclamationmark.circle")
            .font(.footnote)
            .foregroundStyle(.red)
            // The field says it, as its hint.
            .accessibilityHidden(true)
        }
      }
      .textInputAutocapitalization(.never)
      .autocorrectionDisabled()
    }

    @ViewBuilder private var entry: some View {
      switch field {
      case .server:
        TextField("", text: $text, prompt: Text(verbatim: "readings.example.org"))
          .keyboardType(.URL)
          .textContentType(.URL)
          .submitLabel(.next)
      case .organization: TextField("", text: $text).submitLabel(.next)
      case .user: TextField("", text: $text).submitLabel(.next)
      case .token: SecureField("", text: $text).submitLabel(.go)
      }
    }
  }
#endif
