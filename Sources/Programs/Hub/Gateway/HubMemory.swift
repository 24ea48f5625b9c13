// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SantorioConcurrency
package import SantorioCore

/// What a hub keeps about its devices from one start to the next, beside the patients' sessions.
package struct HubFacts: Hashable, Sendable, Codable {
  /// What was enrolled.
  package var enrolments: [HubEnrolment] = []
  /// What is known of each device, by its identifier.
  package var devices: [UUID: DeviceFacts] = [:]

  /// The pause in which no device is read; nil while there is none.
  package var pause: HubPause?

  /// The accounts to which readings are being released, by their `log_id`s.
  ///
  /// After a kill, such a reading may be the account's already, and no other one's.
  package var deciding: [String: String] = [:]

  /// What tells this hub from others of its name at a broker.
  package var installation: String?

  package init() {}

  /// What is known of a device.
  package subscript(device: UUID) -> DeviceFacts? {
    get { devices[device] }
    set { devices[device] = newValue }
  }

  /// For how many seconds devices were listened for, all in all.
  package var listened: TimeInterval = 0

  /// The starts of the hub, all in all.
  package var starts = 0
  /// The ends without an order: killed, crashed, or without power.
  package var unexpectedEnds = 0
  /// The start of the machine by its clock, when that was last looked at.
  var machine: MachineStart?

  /// The start of the running hub; nil when it has ended in good order.
  package var runningSince: Date?

  /// Notes that the hub was started.
  ///
  /// - Returns: The start before, if the hub has not ended in good order since.
  package mutating func start(at now: Date) -> Date? {
    let before = runningSince
    starts += 1
    if before != nil { unexpectedEnds += 1 }
    runningSince = now
    return before
  }

  /// Notes the owners of devices: a device, or a slot of one, is a new owner's from now on, and not what
  /// it still has in its memory, unless that is asked for.
  ///
  /// - Parameters:
  ///   - assignments: The devices and their patients.
  ///   - owners: The patients' accounts, by their aliases.
  ///   - now: The time of day.
  package mutating func settleOwners(
    of assignments: HubAssignments, _ owners: [String: String], at now: Date
  ) {
    for device in devices.keys {
      let staying = assignments.device(device)?.owners ?? []
      devices[device]?.owners.leave(
        except: Dictionary(
          staying.compactMap { owner in owners[owner.patient].map { (owner.label, $0) } },
          uniquingKeysWith: { first, _ in first }), at: now)
    }
    for device in assignments.devices {
      var facts = self[device.identifier] ?? DeviceFacts(since: now)
      for owner in device.owners {
        owners[owner.patient].map {
          facts.settle($0, slot: owner.label, HandOver(at: now, takesMemory: device.takesMemory))
        }
      }
      self[device.identifier] = facts
    }
  }

  /// Enrols a device for a patient, in place of what was said of both before.
  ///
  /// A patient whose bed is another's now has the device no more, also once the bed is theirs again.
  ///
  /// - Parameters:
  ///   - enrolment: The device and the patient.
  ///   - owners: Who the patients are, by their aliases.
  package mutating func enroll(_ enrolment: HubEnrolment, among owners: [String: String]) {
    enrolments.removeAll { known in
      guard known.device == enrolment.device else { return false }
      guard let patient = known.patient else { return true }
      return patient == enrolment.patient || owners[patient] != known.owner
    }
    enrolments.append(enrolment)
  }

  /// Takes devices that the file names off those for whom they were enrolled: once the file names
  /// them no more, they are nobody's.
  ///
  /// What they are is still known.
  ///
  /// - Parameter named: The devices that the file names.
  package mutating func leaveToFile(_ named: Set<UUID>) {
    let leaving = enrolments.filter { named.contains($0.device) && $0.patient != nil }
    enrolments.removeAll(where: leaving.contains)
    for enrolment in leaving { enrolment.model.map { learn($0, of: enrolment.device) } }
  }

  /// Takes a device off a patient, or off all.
  ///
  /// Its model, its owners and what was told of it are still known: what it has in its memory must not
  /// become the next patient's, and others who share it are told of an end, too.
  package mutating func forget(_ device: UUID, of patient: String?) {
    enrolments.removeAll {
      $0.device == device && $0.patient != nil && (patient == nil || $0.patient == patient)
    }
  }

  /// Notes what a device is that the file names without its model.
  package mutating func learn(_ model: Int, of device: UUID) {
    guard !enrolments.contains(where: { $0.device == device && $0.model != nil }) else { return }
    enrolments.append(HubEnrolment(device: device, model: model, patient: nil))
  }
}

/// A time in which no device is read, also by the next process.
package struct HubPause: Hashable, Sendable, Codable {
  /// The longest pause that ends by itself.
  package static let longest: TimeInterval = 7 * 86_400

  /// When it ends; nil for when somebody ends it.
  package var until: Date?

  /// The pause as it is for who begins now: one that was begun by a clock that was far ahead ends by
  /// the longest time.
  func limited(at now: Date) -> HubPause {
    HubPause(until: until.map { min($0, now + Self.longest) })
  }
}

/// What is known of a device that outlives the process.
package struct DeviceFacts: Hashable, Sendable, Codable {
  /// Since when it is read.
  package var since: Date
  /// When it was last heard, to some minutes, or read.
  package var lastHeard: Date?
  /// How long the hub had listened then, all in all.
  package var heardAfter: TimeInterval = 0
  /// The charge of its battery, 0 to 100.
  package var batteryPercent: Int?
  /// By what it is recognised in readings; nil while it has sent none.
  package var identity: String?
  /// What it is called in Home Assistant.
  package var shownAs: String?
  /// What was told of it and has not ended, by the finding's name, and since when.
  package var findings: [String: Date] = [:]
  /// What is still to be told to single patients' servers.
  package var untold: [UntoldStatus] = []
  /// The owners, now and before.
  package var owners = DeviceOwners()
  /// The readings that were taken for patients who have left the file.
  var taken: TakenReadings?

  package init(since: Date) { self.since = since }

  /// Notes an owner.
  mutating func settle(_ account: String, slot: Int?, _ handOver: HandOver) {
    guard owners.settle(account, slot: slot, handOver) else { return }
    // What was found while it was another patient's is not the new owner's.
    (since, findings, untold) = (handOver.date, [:], [])
  }
}

/// Something about a device that a patient's server has not been told yet.
package struct UntoldStatus: Hashable, Sendable, Codable {
  /// The patient's alias.
  package let patient: String
  /// What was found, by its name.
  package let finding: String
  /// Since when it is so.
  package let since: Date
  /// The same for a person.
  package let message: String
}

/// The facts of a hub, in memory and in its file.
final class HubMemory: Sendable {
  private let store: HubStore
  private let facts: Locked<HubFacts>

  /// Reads the facts; a hub that was never started has none.
  ///
  /// - Throws: `SessionError` when they cannot be read: without them, devices would have no patient.
  init(_ store: HubStore) throws(SessionError) {
    self.store = store
    facts = Locked(try store.read())
  }

  /// Closes the file until the next change.
  func close() { store.close() }

  /// The facts as they are now.
  var current: HubFacts { facts.withLock { $0 } }

  /// The mark that tells this hub from others of its name, made up at the first time; nil where it cannot
  /// be kept.
  func installation() -> String? {
    if let known = current.installation { return known }
    do throws(SessionError) {
      return try change { facts in
        let new = facts.installation ?? String(UUID().uuidString.lowercased().prefix(13))
        facts.installation = new
        return new
      }
    } catch {
      return nil
    }
  }

  /// Changes the facts, on disk when this returns.
  ///
  /// - Throws: `SessionError` when they cannot be written; nothing is changed then.
  @discardableResult
  func change<Value>(_ body: (inout HubFacts) -> Value) throws(SessionError) -> Value {
    try facts.withLock { facts throws(SessionError) in
      var new = facts
      let value = body(&new)
      guard new != facts else { return value }
      try store.write(new, over: facts)
      facts = new
      return value
    }
  }
}
