// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  /// Lets a person choose what is read from Apple Health.
  @MainActor public struct HealthView: View {
    @StateObject private var model: HealthModel
    @Environment(\.santorioTexts) private var texts

    /// A screen of what is read.
    ///
    /// - Parameter model: What is shown.
    public init(_ model: @autoclosure @escaping () -> HealthModel) {
      _model = StateObject(wrappedValue: model())
    }

    /// The screen.
    public var body: some View {
      List {
        Section {
          Words(.healthExplained).foregroundStyle(.secondary)
          ForEach(model.state.sets) { row($0) }
        }
        Section {
          if case .failed(let problem) = model.state.step {
            ProblemView(problem: problem, tryAgain: { apply() }).announces(texts(problem.text))
          } else {
            StepView(message: model.state.message, isBusy: model.state.step == .asking)
          }
          WordButton(.healthApply, isProminent: true) { apply() }
            .disabled(model.state.step == .asking)
        }
        Section {
          WordButton(.healthCheck) { Task { await model.check() } }
          if let findings = model.state.findings {
            if findings.isEmpty { Words(.healthCheckPassed) }
            ForEach(findings, id: \.self) { Words($0).font(.footnote) }
          }
        }
      }
      .navigationTitle(Text(verbatim: texts(.healthTitle)))
      .task { await model.load() }
    }

    private func apply() { Task { await model.apply() } }

    private func row(_ row: HealthModel.Row) -> some View {
      Toggle(
        isOn: Binding(get: { row.isOn }, set: { model.choose(row.content, isOn: $0) })
      ) {
        VStack(alignment: .leading) {
          Words(row.title)
          Words(row.detail).font(.footnote).foregroundStyle(.secondary)
        }
      }
      .frame(minHeight: leastTapSize)
    }
  }
#endif
