// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  /// The devices that several people use, and which of their users the person is.
  @MainActor public struct DeviceUsersView: View {
    @StateObject private var model: DeviceUsersModel
    @Environment(\.santorioTexts) private var texts

    /// A screen of the users of devices.
    ///
    /// - Parameter model: What is shown.
    public init(_ model: @autoclosure @escaping () -> DeviceUsersModel) {
      _model = StateObject(wrappedValue: model())
    }

    /// The screen.
    public var body: some View {
      List {
        Section {
          Words(.usersExplained).foregroundStyle(.secondary)
          if let note = model.state.note { Words(note) }
          if let problem = model.state.problem {
            ProblemView(problem: problem, tryAgain: { Task { await model.load() } })
              .announces(texts(problem.text))
          }
          if let released = model.state.released { Words(released) }
        }
        ForEach(model.state.devices) { device in
          Section {
            if !device.users.isEmpty { picker(device) }
            if let note = device.note { Words(note).font(.footnote) }
          } header: {
            Text(verbatim: device.name)
          }
        }
      }
      .navigationTitle(Text(verbatim: texts(.usersTitle)))
      .announces(model.state.released.map { texts($0) })
      .task { await model.load() }
    }

    private func picker(_ device: DeviceUsersModel.Row) -> some View {
      Picker(selection: chosen(device)) {
        Words(.userNotSaid).tag(Int?.none)
        ForEach(device.users) { user in Words(user.name).tag(Optional(user.id)) }
      } label: {
        Words(.userQuestion)
      }
      .frame(minHeight: leastTapSize)
    }

    private func chosen(_ device: DeviceUsersModel.Row) -> Binding<Int?> {
      Binding(
        get: { device.own },
        set: { user in Task { await model.choose(user, of: device.id) } })
    }
  }
#endif
