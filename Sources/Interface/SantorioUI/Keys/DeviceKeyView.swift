// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import HealthDevices
  public import SwiftUI

  /// Where a person enters the key of a device.
  @MainActor public struct DeviceKeyView: View {
    @StateObject private var model: DeviceKeyModel
    @Environment(\.santorioTexts) private var texts
    @State private var entered: [Int: String] = [:]
    private let close: () -> Void

    /// A screen for the key of a device.
    ///
    /// - Parameters:
    ///   - model: What is shown.
    ///   - close: Called when the person is done.
    public init(
      _ model: @autoclosure @escaping () -> DeviceKeyModel, close: @escaping () -> Void
    ) {
      _model = StateObject(wrappedValue: model())
      self.close = close
    }

    /// The screen.
    public var body: some View {
      Form {
        Section {
          Words(.keyExplained)
          Words(model.state.explanation)
        }
        Section {
          ForEach(model.state.fields) { field in entry(field) }
          if let problem = model.state.problem {
            ProblemView(problem: problem).announces(texts(problem.text))
          }
        }
        Section {
          if model.state.isSaved {
            Words(.keySaved).announces(texts(.keySaved))
            WordButton(.done, isProminent: true) { close() }
          } else {
            WordButton(.keySave, isProminent: true) {
              model.save(model.state.fields.map { entered[$0.id] ?? "" })
            }
            WordButton(.cancel, role: .cancel) { close() }
          }
        }
      }
      .navigationTitle(
        Text(verbatim: texts(Phrase(.keyTitle, .verbatim(model.state.device.name))))
      )
    }

    private func entry(_ field: DeviceKeyModel.Field) -> some View {
      VStack(alignment: .leading) {
        Words(field.label).font(.subheadline).accessibilityHidden(true)
        typed(field)
          .font(.body.monospaced())
          .frame(minHeight: leastTapSize)
          .accessibilityLabel(Text(verbatim: texts(field.label)))
      }
    }

    private func typed(_ field: DeviceKeyModel.Field) -> some View {
      let text = TextField(
        "",
        text: Binding(get: { entered[field.id] ?? "" }, set: { entered[field.id] = $0 }),
        axis: .vertical
      )
      .autocorrectionDisabled()
      #if os(iOS)
        return text.textInputAutocapitalization(.characters).keyboardType(.asciiCapable)
      #else
        return text
      #endif
    }
  }

  extension View {
    /// Asks for the key of a device over this screen.
    @MainActor func asksForKey(
      _ request: Binding<DeviceKeyRequest?>,
      of model: @escaping (DeviceKeyRequest) -> DeviceKeyModel, then end: @escaping () -> Void = {}
    ) -> some View {
      sheet(item: request, onDismiss: end) { asked in
        NavigationStack {
          DeviceKeyView(model(asked)) { request.wrappedValue = nil }
        }
      }
    }
  }
#endif
