// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthDevices
package import HealthRecords
import SantorioBluetooth
package import SantorioCore

/// Which device is whose: what the file says, and for other devices what was enrolled since.
package struct HubAssignments: Hashable, Sendable {
  /// A patient whose readings a device takes.
  package struct Owner: Hashable, Sendable {
    /// The patient's alias.
    package let patient: String
    /// What the device calls the patient; nil when it knows one person only.
    package let label: Int?
    /// The beginning of the patient's ownership; nil where all that it has is the patient's.
    package var since: OwnershipStart?
    /// The account of the owner before; nil where none is known.
    package var former: String?

    /// Decides about a reading of the device, or its slot.
    package func claim(on record: HealthRecord) -> OwnershipStart.Claim {
      since?.claim(
        on: record.time, toleratedLead: ClockPolicy().toleratedLead / .seconds(1)) ?? .own
    }
  }

  /// A device of one or several patients.
  package struct Device: Hashable, Sendable {
    /// The identifier that the machine assigned to it.
    package let identifier: UUID
    /// The number of its model; nil while it is not known.
    package let model: Int?
    /// Whose it is; several of a device that tells them apart.
    package fileprivate(set) var owners: [Owner]
    /// Where its keys are.
    package let bindKey: HubSecret?
    package let encryptionKey: HubSecret?
    /// True where the file asks for what it has measured before, too.
    package var takesMemory = false

    /// Whether it is read for several patients.
    package var isShared: Bool { owners.count > 1 }

    /// Its entry in the catalogue; nil while that is not known.
    package var entry: DeviceModel? { model.flatMap(DeviceModel.init(id:)) }

    /// Whose the readings of a slot are.
    ///
    /// - Parameter slot: The number of the user in the reading; nil when it has none.
    /// - Returns: The owner; nil when that is not known.
    package func owner(ofSlot slot: Int?) -> Owner? {
      guard isShared else { return owners.first }
      guard let slot, let entry else { return nil }
      let fitting = owners.filter { owner in
        owner.label.flatMap { entry.slot(labeled: $0) } == slot
      }
      return fitting.count == 1 ? fitting[0] : nil
    }

    /// The owner of a reading; nil where that is not known, or another patient may have had the device.
    package func owner(of record: HealthRecord) -> Owner? {
      owner(ofSlot: record.source.device?.userSlot).flatMap {
        $0.claim(on: record) == .own ? $0 : nil
      }
    }

    /// The device with what was noted of it in the session that reads it.
    func reading(as ownership: OwnershipStart?) -> Device {
      var device = self
      for index in owners.indices {
        device.owners[index].since = owners[index].since?.reading(as: ownership)
      }
      return device
    }
  }

  /// The devices: those of the file first, in its order.
  package let devices: [Device]

  /// Puts together what the file and what the command line have said.
  ///
  /// - Parameters:
  ///   - configuration: What the file says. It decides for the devices that it names.
  ///   - facts: What was enrolled, of which the model counts for devices that the file names; and
  ///     since when devices are whose.
  package init(_ configuration: HubConfiguration, _ facts: HubFacts) {
    let enrolled = facts.enrolments
    let models = Dictionary(
      enrolled.compactMap { one in one.model.map { (one.device, $0) } }, uniquingKeysWith: { $1 })
    let owners = configuration.owners
    var named: [UUID: [(Owner, HubConfiguration.Device)]] = [:]
    var order: [UUID] = []
    for patient in configuration.patients {
      for device in patient.devices {
        if named[device.identifier] == nil { order.append(device.identifier) }
        named[device.identifier, default: []].append(
          (Owner(patient: patient.alias, label: device.slot), device))
      }
    }
    let fromFile = order.map { identifier in
      let all = named[identifier] ?? []
      return Device(
        identifier: identifier,
        model: all.compactMap(\.1.model).first ?? models[identifier], owners: all.map(\.0),
        bindKey: all.compactMap(\.1.bindKey).first,
        encryptionKey: all.compactMap(\.1.encryptionKey).first,
        takesMemory: all.contains(where: \.1.takesMemory))
    }
    let others = Dictionary(
      grouping: enrolled.filter { one in
        // A bed that has another patient now has not that patient's devices.
        named[one.device] == nil && one.patient.map { owners[$0] == one.owner } ?? false
      }, by: \.device)
    let fromCommands = others.sorted { $0.key.uuidString < $1.key.uuidString }.map {
      identifier, all in
      Device(
        identifier: identifier, model: models[identifier],
        owners: all.compactMap { one in one.patient.map { Owner(patient: $0, label: one.slot) } },
        bindKey: nil, encryptionKey: nil)
    }
    devices = (fromFile + fromCommands).map { device in
      var device = device
      for index in device.owners.indices {
        let kept = facts[device.identifier]?.owners.owner(ofSlot: device.owners[index].label)
        (device.owners[index].since, device.owners[index].former) = (kept?.since, kept?.former)
      }
      return device
    }
  }

  /// The devices that are one patient's alone.
  package func devices(of patient: String) -> [Device] {
    devices.filter { !$0.isShared && $0.owners.first?.patient == patient }
  }

  /// The devices that a session reads: a patient's, or the one of shared devices.
  func devices(readFor alias: String) -> [Device] {
    alias == HubStatus.Patient.shared ? shared : devices(of: alias)
  }

  /// The devices of several patients.
  package var shared: [Device] { devices.filter(\.isShared) }

  /// A device by its identifier; nil for one that is nobody's.
  package func device(_ identifier: UUID) -> Device? {
    devices.first { $0.identifier == identifier }
  }

  /// Why a device cannot be enrolled for a patient; nil when it can.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - model: What it is.
  ///   - owner: For whom, and what the device calls that patient.
  /// - Returns: The reason, and what to do.
  package func obstacle(to device: UUID, _ model: DeviceModel, for owner: Owner) -> String? {
    guard let known = self.device(device) else { return nil }
    let others = known.owners.filter { $0.patient != owner.patient }
    guard let other = others.first else { return nil }
    let whose = "the device is \(other.patient)'s"
    guard model.userNumbering != nil else {
      return "\(whose), and \(model.name) does not tell people apart: it can have one patient only"
    }
    guard let label = owner.label else {
      return "\(whose), too: say with --slot what it calls \(owner.patient)"
    }
    if others.contains(where: { $0.label == nil }) {
      return "\(whose), and it is not known what it calls \(other.patient): enrol it for "
        + "\(other.patient) once more, with --slot"
    }
    return others.contains { $0.label == label }
      ? "\(whose) in slot \(label): each patient has a slot of their own" : nil
  }
}

/// What was enrolled by the command line, or found out about a device.
package struct HubEnrolment: Hashable, Sendable, Codable {
  /// The device.
  package var device: UUID
  /// The number of its model.
  package var model: Int?
  /// The patient's alias; nil where only the model was found out.
  package var patient: String?
  /// Who the patient was, see `HubConfiguration.Patient.ownerID`.
  package var owner: String?
  /// What the device calls the patient.
  package var slot: Int?

  package init(
    device: UUID, model: Int?, patient: String?, owner: String? = nil, slot: Int? = nil
  ) {
    self.device = device
    self.model = model
    self.patient = patient
    self.owner = owner
    self.slot = slot
  }
}

extension DeviceModel {
  /// The number in readings of the user whom the device labels so; where it is not public how it
  /// labels them, the label is that number.
  func slot(labeled label: Int) -> Int? {
    (userNumbering ?? .notPublic).slot(labeled: label)
  }

  /// What the device shows for the user of a number in readings; nil where that is not public.
  func label(ofSlot slot: Int) -> Int? {
    (0...255).first { self.slot(labeled: $0) == slot }
  }
}

extension HubConfiguration {
  /// Who the patients are, by their aliases.
  var owners: [String: String] {
    Dictionary(patients.map { ($0.alias, $0.ownerID) }, uniquingKeysWith: { $1 })
  }

  /// The patients' aliases, by their accounts.
  var aliases: [String: String] {
    Dictionary(patients.map { ($0.ownerID, $0.alias) }, uniquingKeysWith: { $1 })
  }
}

extension HubConfiguration.Patient {
  /// Who the patient is, whatever the alias: a bed may have another one tomorrow.
  package var ownerID: String {
    account.map { "\($0.organization)/\($0.user)" } ?? "/\(alias)"
  }
}

extension BondState {
  /// Whether a connection can be made by it.
  var isUsable: Bool { self == .verified || self == .provisional }
}
