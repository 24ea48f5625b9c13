// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension HubConfiguration {
  /// What has to be done when a running hub gets another configuration.
  package struct Changes: Hashable, Sendable {
    /// A part of the configuration that can change while the hub runs.
    package enum Part: String, CaseIterable, Hashable, Sendable {
      /// Where readings are sent, and how: every session is opened anew.
      case server
      /// What the hub does beyond what the file says.
      case allow
      /// Where metrics are served.
      case metrics
      /// The users who may use the control socket.
      case users
      /// The broker.
      case mqtt
      /// What becomes of the times of wrong clocks.
      case clock
      /// After how long a device is reported as silent.
      case silence
    }

    /// What has changed of a patient.
    package struct PatientChange: Hashable, Sendable {
      /// A part of what is said of a patient.
      package enum Part: String, CaseIterable, Hashable, Sendable {
        /// The user of the server: another session begins, and the old one's records are archived.
        case user
        /// Where the token is.
        case token
        /// The references of FHIR.
        case references
        /// The code of the wristband.
        case code
        /// The devices, or what is said of them.
        case devices
        /// Where exports of the patient's iPhone are put, or how they are read.
        case healthExports = "health_exports"
      }

      /// The patient before.
      package let old: Patient
      /// The patient from now on, of the same alias and folder.
      package let new: Patient
      /// What has changed.
      package let parts: Set<Part>
    }

    /// A device that belongs to other patients from now on.
    package struct DeviceMove: Hashable, Sendable {
      /// The device.
      package let device: UUID
      /// The aliases of its patients before.
      package let from: [String]
      /// The aliases of its patients from now on.
      package let to: [String]
    }

    /// The patients who are new.
    package let added: [Patient]
    /// The patients who are there no longer.
    package let removed: [Patient]
    /// The patients of whom something else is said.
    package let changed: [PatientChange]
    /// The devices that belonged to one patient and belong to another, in the order of the file.
    package let moved: [DeviceMove]
    /// What has changed beside the patients.
    package let parts: Set<Part>
    /// The places in the file of what changes only when the hub is restarted.
    package let restart: [String]

    /// Whether the two configurations are the same.
    package var isEmpty: Bool {
      added.isEmpty && removed.isEmpty && changed.isEmpty && parts.isEmpty && restart.isEmpty
    }
  }

  /// What has to be done to get from this configuration to another.
  ///
  /// A secret that has changed where it is does not show here: its reader looks again.
  ///
  /// - Parameter new: The configuration from now on.
  /// - Returns: The changes.
  package func changes(to new: HubConfiguration) -> Changes {
    let old = Dictionary(patients.map { ($0.alias, $0) }) { first, _ in first }
    let current = Dictionary(new.patients.map { ($0.alias, $0) }) { first, _ in first }
    // A session cannot move to another folder: that is a patient who leaves, and another who comes.
    let stays = { (one: Patient?, other: Patient) in one?.folder == other.folder }
    return Changes(
      added: new.patients.filter { !stays(old[$0.alias], $0) },
      removed: patients.filter { !stays(current[$0.alias], $0) },
      changed: new.patients.compactMap { patient in
        old[patient.alias].flatMap { Changes.PatientChange($0, patient) }
      },
      moved: moves(to: new), parts: parts(changedIn: new), restart: restart(for: new))
  }

  private func parts(changedIn new: HubConfiguration) -> Set<Changes.Part> {
    let comparisons: [(Changes.Part, Bool)] = [
      (.server, server != new.server), (.allow, allow != new.allow),
      (.metrics, metrics != new.metrics),
      (.users, control.users != new.control.users), (.mqtt, mqtt != new.mqtt),
      (.clock, clock != new.clock), (.silence, silentAfter != new.silentAfter),
    ]
    return Set(comparisons.filter(\.1).map(\.0))
  }

  private func restart(for new: HubConfiguration) -> [String] {
    [
      ("name", name != new.name), ("folder", folder != new.folder), ("radio", radio != new.radio),
      ("queue_key", queueKey != new.queueKey),
      ("control.socket", control.socket != new.control.socket),
    ].filter(\.1).map(\.0)
  }

  private func moves(to new: HubConfiguration) -> [Changes.DeviceMove] {
    var seen: Set<UUID> = []
    let devices = (patients + new.patients).flatMap(\.devices).map(\.identifier)
    return devices.filter { seen.insert($0).inserted }.compactMap { device in
      let from = owners(of: device).map(\.patient.alias)
      let to = new.owners(of: device).map(\.patient.alias)
      // One that is new or gone is a change of its patient alone.
      guard !from.isEmpty, !to.isEmpty, Set(from) != Set(to) else { return nil }
      return Changes.DeviceMove(device: device, from: from, to: to)
    }
  }
}

extension HubConfiguration.Changes.PatientChange {
  /// What has changed of a patient who stays; nil for nothing, and for one who does not stay.
  fileprivate init?(_ old: HubConfiguration.Patient, _ new: HubConfiguration.Patient) {
    guard old.folder == new.folder else { return nil }
    let (before, after) = (old.account, new.account)
    let comparisons: [(Part, Bool)] = [
      (.user, before?.user != after?.user || before?.organization != after?.organization),
      (.token, before?.token != after?.token),
      (.code, old.code != new.code),
      (.references, (old.subject, old.encounter) != (new.subject, new.encounter)),
      (.devices, Set(old.devices) != Set(new.devices)),
      (.healthExports, old.healthExports != new.healthExports),
    ]
    let parts = Set(comparisons.filter(\.1).map(\.0))
    guard !parts.isEmpty else { return nil }
    self.init(old: old, new: new, parts: parts)
  }
}
