// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioJSON

extension HubConfiguration.Device {
  /// A device of the file; nil for one without a valid identifier.
  init?(_ object: ConfigurationObject) {
    let identifier = Self.identifier(object)
    let model = Self.model(object)
    let slot = object.integer("slot", in: 0...Int(UInt32.max))
    if let slot, let model { Self.check(slot, of: model, object) }
    let (bindKey, encryptionKey) = (object.secret("bind_key"), object.secret("encryption_key"))
    let takesMemory = object.bool("with_memory") ?? false
    guard let identifier else { return nil }
    self.init(
      identifier: identifier, model: model?.id, slot: slot, takesMemory: takesMemory,
      bindKey: bindKey,
      encryptionKey: encryptionKey)
  }

  private static func identifier(_ object: ConfigurationObject) -> UUID? {
    guard object.value("device") != nil else {
      object.missing("device", "the identifier that \"santorio scan\" shows")
      return nil
    }
    guard let text = object.string("device") else { return nil }
    guard let identifier = UUID(uuidString: text) else {
      object.error(
        "device",
        "\"\(text.shown)\" is not the identifier of a device, which \"santorio scan\" shows; the model "
          + "belongs into \"model\"")
      return nil
    }
    return identifier
  }

  /// The entry of the catalogue, by its number, its model or its name.
  private static func model(_ object: ConfigurationObject) -> DeviceModel? {
    let entries = DeviceCatalogue.standard.entries
    let list = "\"santorio devices\" lists those that can be read"
    let fitting: [DeviceModel]
    let name: String
    switch object.value("model") {
    case nil: return nil
    case .number:
      guard let number = object.integer("model", in: 0...Int(UInt32.max)) else { return nil }
      fitting = entries.filter { $0.id == number }
      name = "number \(number)"
    case .string(let text):
      let wanted = text.lowercased()
      fitting = entries.filter { [$0.model.lowercased(), $0.name.lowercased()].contains(wanted) }
      name = "model \"\(text.shown)\""
    case .some(let other):
      object.error("model", "expected a number or a model's name, found \(other.typeName)")
      return nil
    }
    guard let first = fitting.first(where: { !$0.isDisabled }) ?? fitting.first else {
      object.error("model", "the catalogue has no \(name); \(list)")
      return nil
    }
    guard !first.isDisabled else {
      object.error("model", "\(first.name) cannot be read. \(first.disabledReason ?? "")")
      return nil
    }
    return first
  }

  private static func check(_ slot: Int, of model: DeviceModel, _ object: ConfigurationObject) {
    guard let numbering = model.userNumbering else {
      object.warning(
        "slot",
        "\(model.name) does not tell people apart, so this has no effect: all its readings are this "
          + "patient's")
      return
    }
    guard numbering.slot(labeled: slot) == nil else { return }
    object.error("slot", "\(model.name) numbers people from 1, as it shows them")
  }
}

/// Which patients have which device.
///
/// A device that two patients have must tell them apart: else readings would be taken for the wrong
/// person's.
struct DeviceShares {
  private struct Share {
    let device: HubConfiguration.Device
    let path: String
  }

  private var shares: [UUID: [Share]] = [:]
  private var order: [UUID] = []

  /// Adds a patient's device, once for a patient.
  mutating func add(_ device: HubConfiguration.Device, at object: ConfigurationObject) {
    if shares[device.identifier] == nil { order.append(device.identifier) }
    shares[device.identifier, default: []].append(Share(device: device, path: object.path))
  }

  /// Reports each device that cannot be shared as the file says, or not be read.
  func check(_ findings: FindingCollector) {
    for device in order {
      guard let all = shares[device], let first = all.first else { continue }
      Self.checkIsReadable(all, first, findings)
      guard all.count > 1 else { continue }
      Self.checkModels(all, first, findings)
      Self.checkSlots(all, findings)
      Self.checkKeys(all, findings)
    }
  }

  private static func checkModels(
    _ all: [Share], _ first: Share, _ findings: FindingCollector
  ) {
    let known = all.first { $0.device.model != nil }
    for share in all where share.device.model != nil && share.device.model != known?.device.model {
      findings.error(
        "\(share.path).model", "\(known?.path ?? "") says another model of the same device")
    }
    guard let model = known?.device.model.flatMap(DeviceModel.init(id:)),
      model.userNumbering == nil
    else { return }
    for share in all.dropFirst() {
      findings.error(
        "\(share.path).device",
        "\(first.path) is the same device, and \(model.name) does not tell people apart: it can "
          + "have one patient only")
    }
  }

  private static func checkSlots(_ all: [Share], _ findings: FindingCollector) {
    var taken: [Int: String] = [:]
    for share in all {
      guard let slot = share.device.slot else {
        let others = all.filter { $0.path != share.path }.map(\.path)
        findings.error(
          "\(share.path).slot",
          "this member is required, since \(others.joined(separator: ", ")) "
            + "\(others.count == 1 ? "is" : "are") the same device: the number that it shows for "
            + "this patient")
        continue
      }
      if let first = taken.updateValue(share.path, forKey: slot) {
        findings.error(
          "\(share.path).slot",
          "\(first) has the same slot of the same device; each patient has its own")
      }
    }
  }

  private typealias Key = KeyPath<HubConfiguration.Device, HubSecret?> & Sendable

  private static let keys: [(name: String, secret: DeviceSecret, key: any Key)] = [
    ("bind_key", .bindKey, \.bindKey), ("encryption_key", .encryptionKey, \.encryptionKey),
  ]

  /// What a device encrypts is not read without its own key.
  private static func checkIsReadable(
    _ all: [Share], _ first: Share, _ findings: FindingCollector
  ) {
    let model = all.lazy.compactMap(\.device.model).first.flatMap(DeviceModel.init(id:))
    guard let model, let needed = keys.first(where: { $0.secret == model.userKey }),
      all.allSatisfy({ $0.device[keyPath: needed.key] == nil })
    else { return }
    findings.warning(
      "\(first.path).\(needed.name)",
      "\(model.name) encrypts what it sends: it is not read before its key is given here")
  }

  private static func checkKeys(_ all: [Share], _ findings: FindingCollector) {
    for (name, _, key) in keys {
      guard let first = all.first(where: { $0.device[keyPath: key] != nil }) else { continue }
      for share in all where share.device[keyPath: key] != nil {
        guard share.device[keyPath: key] != first.device[keyPath: key] else { continue }
        findings.error("\(share.path).\(name)", "\(first.path) says another key of the same device")
      }
    }
  }
}
