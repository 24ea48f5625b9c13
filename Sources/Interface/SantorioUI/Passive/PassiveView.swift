// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  /// A switch for automatic reading, why it does not work, and how each device is.
  @MainActor public struct PassiveView: View {
    @StateObject private var model: PassiveModel
    @Environment(\.santorioTexts) private var texts
    @State private var askedKey: DeviceKeyRequest?

    /// A screen of automatic reading.
    ///
    /// - Parameter model: What is shown.
    public init(_ model: @autoclosure @escaping () -> PassiveModel) {
      _model = StateObject(wrappedValue: model())
    }

    /// The screen.
    public var body: some View {
      List {
        Section {
          Toggle(isOn: isWanted) { Words(.passiveSwitch) }.frame(minHeight: leastTapSize)
          status
          if let problem = model.state.problem {
            ProblemView(problem: problem).announces(texts(problem.text))
          }
          ForEach(model.state.limits, id: \.self) { limit in
            Label {
              Words(limit)
            } icon: {
              Image(systemName: "info.circle").accessibilityHidden(true)
            }
            .font(.footnote)
          }
        }
        if !model.state.devices.isEmpty {
          Section {
            ForEach(model.state.devices) { row($0) }
          } header: {
            Words(.yourDevices)
          }
        }
      }
      .navigationTitle(Text(verbatim: texts(.passiveTitle)))
      .task { await model.follow() }
      .asksForKey($askedKey) {
        model.key($0)
      } then: {
        Task { await model.load() }
      }
    }

    @ViewBuilder private var status: some View {
      if model.state.isOn || !model.state.isWanted {
        Words(model.state.status.text).announces(texts(model.state.status.text))
      } else {
        ProblemView(problem: model.state.status).announces(texts(model.state.status.text))
      }
    }

    private var isWanted: Binding<Bool> {
      Binding(
        get: { model.state.isWanted }, set: { isOn in Task { await model.turn(on: isOn) } })
    }

    private func row(_ row: PassiveModel.Row) -> some View {
      VStack(alignment: .leading, spacing: 4) {
        description(row)
        if let request = row.keyRequest { WordButton(.enterKey) { askedKey = request } }
      }
    }

    private func description(_ row: PassiveModel.Row) -> some View {
      VStack(alignment: .leading, spacing: 4) {
        Text(verbatim: row.name).font(.headline)
        Words(row.state)
        ForEach(row.details, id: \.self) { detail in
          Words(detail).font(.footnote).foregroundStyle(.secondary)
        }
        if let problem = row.problem { Words(problem.text).font(.footnote) }
      }
      .accessibilityElement(children: .combine)
    }
  }
#endif
