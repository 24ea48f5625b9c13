// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import HealthDevices
  public import SwiftUI

  /// A list of devices to choose from, with a field for a search.
  @MainActor public struct DeviceChooserView: View {
    @StateObject private var model: DeviceChooserModel
    @Environment(\.santorioTexts) private var texts
    @ScaledMetric private var pictureSide: CGFloat = 44
    private let pair: (DeviceModel) -> Void
    private let read: (DeviceModel) -> Void

    /// A list of devices.
    ///
    /// - Parameters:
    ///   - model: What is shown.
    ///   - choose: Called with the device that was chosen.
    public init(
      _ model: @autoclosure @escaping () -> DeviceChooserModel,
      choose: @escaping (DeviceModel) -> Void
    ) {
      self.init(model(), pair: choose, read: choose)
    }

    /// A list of devices, which leads to the next step of the one that was chosen.
    ///
    /// - Parameters:
    ///   - model: What is shown.
    ///   - pair: Called with a device that has to be paired before it is read.
    ///   - read: Called with a device that can be read: paired before, or read without.
    public init(
      _ model: @autoclosure @escaping () -> DeviceChooserModel,
      pair: @escaping (DeviceModel) -> Void, read: @escaping (DeviceModel) -> Void
    ) {
      _model = StateObject(wrappedValue: model())
      (self.pair, self.read) = (pair, read)
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
        (row.mustBePaired ? pair : read)(row.model)
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
