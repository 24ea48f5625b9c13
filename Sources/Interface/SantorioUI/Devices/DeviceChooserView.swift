// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import HealthDevices
  public import SwiftUI

  /// A list of devices to choose from, with a field for a search.
  @MainActor public struct DeviceChooserView: View {
    @StateObject private var model: DeviceChooserModel
    @Environment(\.santorioTexts) private var texts
    @ScaledMetric private var pictureSide: CGFloat = 44
    private let choose: (DeviceModel) -> Void

    /// A list of devices.
    ///
    /// - Parameters:
    ///   - model: What is shown.
    ///   - choose: Called with the device that was chosen.
    public init(
      _ model: @autoclosure @escaping () -> DeviceChooserModel,
      choose: @escaping (DeviceModel) -> Void
    ) {
      _model = StateObject(wrappedValue: model())
      self.choose = choose
    }

    /// The list.
    public var body: some View {
      List {
        if let note = model.state.note { Words(note).foregroundStyle(.secondary) }
        ForEach(model.state.sections) { section in
          Section {
            ForEach(section.devices) { row($0) }
          } header: {
            Words(section.title)
          }
        }
      }
      .searchable(text: query, prompt: Text(verbatim: texts(.searchDevices)))
      .navigationTitle(Text(verbatim: texts(.chooseDevice)))
      .announces(model.state.note.map { texts($0) })
      .task { await model.load() }
    }

    private var query: Binding<String> {
      Binding(get: { model.state.query }, set: { model.search($0) })
    }

    private func row(_ row: DeviceChooserModel.Row) -> some View {
      Button {
        choose(row.model)
      } label: {
        HStack(spacing: 12) {
          DevicePictureView(url: row.model.imageURL, side: pictureSide).accessibilityHidden(true)
          VStack(alignment: .leading) {
            Text(verbatim: row.name).foregroundStyle(.primary)
            if let note = row.note {
              Words(note).font(.subheadline).foregroundStyle(.secondary)
            }
          }
        }
        .frame(maxWidth: .infinity, minHeight: leastTapSize, alignment: .leading)
      }
      .accessibilityElement(children: .combine)
      .accessibilityAddTraits(.isButton)
    }
  }
#endif
