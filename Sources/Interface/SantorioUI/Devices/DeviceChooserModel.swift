// SPDX-License-Identifier: Apache-2.0

import Foundation
public import HealthDevices
import PeripheralTypes
public import SantorioBluetooth

/// Lets a person choose a device: the person's own first, the others by what they measure.
@MainActor public final class DeviceChooserModel: ViewModel<DeviceChooserModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// What was typed.
    public internal(set) var query = ""
    /// The devices that match it.
    public internal(set) var sections: [Section] = []
    /// Said when nothing matches; nil otherwise.
    public internal(set) var note: Phrase?
  }

  /// Devices under one heading.
  public struct Section: Hashable, Sendable, Identifiable {
    /// Distinguishes the section.
    public let id: String
    /// The heading.
    public let title: Phrase
    /// The devices, by name.
    public let devices: [Row]
  }

  /// One device to choose.
  public struct Row: Hashable, Sendable, Identifiable {
    /// What it is.
    public let model: DeviceModel
    /// Its name.
    public var name: String { model.name }
    /// Whether one of this kind is paired, or has to be; nil when it needs no pairing.
    public let note: Phrase?
    /// Whether one of this kind is the person's.
    public let isOwn: Bool
    /// Whether it can be read only once it was paired, and is not paired yet.
    public var mustBePaired: Bool { model.requiresPairing && !isOwn }
    /// The number in the catalogue.
    public var id: Int { model.id }
  }

  private let receiver: BluetoothReceiver?
  private let models: [DeviceModel]
  private var own: [DeviceModel] = []
  private var watch: PersonWatch?

  /// A model of all devices that can be read.
  ///
  /// - Parameters:
  ///   - models: What may be chosen; disabled entries are left out.
  ///   - receiver: Knows the person's devices; nil when nobody has any.
  public init(models: [DeviceModel] = DeviceModel.supported, receiver: BluetoothReceiver? = nil) {
    self.models = models.filter { !$0.isDisabled }
    self.receiver = receiver
    super.init(State())
    arrange()
    watch = receiver?.session.map { PersonWatch($0) { [weak self] in self?.forget() } }
  }

  /// Another person has signed in, who has devices of their own.
  private func forget() {
    own = []
    arrange()
    Task { [weak self] in await self?.load() }
  }

  /// Looks up the person's devices; to be called whenever the screen appears.
  ///
  /// Where they cannot be looked up, all devices are shown as strange ones.
  public func load() async {
    let enrolments = (try? await receiver?.enrolments()) ?? []
    var seen: Set<Int> = []
    own = enrolments.compactMap(\.model).filter { seen.insert($0.id).inserted }
    arrange()
  }

  /// Shows only devices of which the name or the manufacturer has each of some words.
  ///
  /// - Parameter query: The words; neither case nor accents count.
  public func search(_ query: String) {
    update { $0.query = query }
    arrange()
  }

  private func arrange() {
    let words = Self.folded(state.query).split(whereSeparator: \.isWhitespace)
    let found = models.filter { model in
      let name = Self.folded(model.name)
      return words.allSatisfy { name.contains($0) }
    }
    let ownIDs = Set(own.map(\.id))
    let mine = own.filter { model in found.contains { $0.id == model.id } }
    var sections: [Section] = []
    if !mine.isEmpty {
      sections.append(
        Section(id: "own", title: Phrase(.yourDevices), devices: mine.map { row($0, isOwn: true) }))
    }
    let others = found.filter { !ownIDs.contains($0.id) }
    for type in PeripheralType.standard + Self.otherTypes(of: others) {
      let rows = others.filter { $0.type == type }.map { row($0, isOwn: false) }
      guard !rows.isEmpty else { continue }
      let sorted = rows.sorted { Self.folded($0.name) < Self.folded($1.name) }
      sections.append(
        Section(id: type.rawValue, title: Phrase(headingOf: type), devices: sorted))
    }
    let query = state.query
    update {
      $0.sections = sections
      $0.note = sections.isEmpty ? Phrase(.noDeviceFound, .verbatim(query)) : nil
    }
  }

  private func row(_ model: DeviceModel, isOwn: Bool) -> Row {
    let note = isOwn ? Phrase(.paired) : model.requiresPairing ? Phrase(.needsPairing) : nil
    return Row(model: model, note: note, isOwn: isOwn)
  }

  private static func otherTypes(of models: [DeviceModel]) -> [PeripheralType] {
    var types: [PeripheralType] = []
    for type in models.map(\.type)
    where !PeripheralType.standard.contains(type) && !types.contains(type) {
      types.append(type)
    }
    return types
  }

  private static func folded(_ text: String) -> String {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
