// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore

/// What a hub keeps about its devices from one start to the next, beside the patients' sessions.
package struct HubFacts: Hashable, Sendable, Codable {
  /// What was enrolled.
  package var enrolments: [HubEnrolment] = []
  /// What is known of each device, by its identifier.
  package var devices: [String: DeviceFacts] = [:]

  /// The pause in which no device is read; nil while there is none.
  package var pause: HubPause?

  /// What tells this hub from others of its name at a broker.
  package var installation: String?

  package init() {}

  /// What is known of a device.
  package subscript(device: UUID) -> DeviceFacts? {
    get { devices[device.uuidString] }
    set { devices[device.uuidString] = newValue }
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
    for (name, facts) in devices where facts.hasOwner {
      let device = UUID(uuidString: name).flatMap(assignments.device)
      devices[name]?.leave(except: device?.owners ?? [], among: owners)
    }
    for device in assignments.devices {
      var facts = self[device.identifier] ?? DeviceFacts(since: now)
      for owner in device.owners {
        owners[owner.patient].map {
          facts.settle(owner, $0, HandOver(at: now, takesMemory: device.takesMemory))
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
  /// What it is called in Home Assistant.
  package var shownAs: String?
  /// What was told of it and has not ended, by the finding's name, and since when.
  package var findings: [String: Date] = [:]
  /// What is still to be told to single patients' servers.
  package var untold: [UntoldStatus] = []
  /// The last owner of each slot; "*" stands for the one owner of all.
  private var owners: [String: OwnerFacts] = [:]
  /// The readings that were taken for patients who have left the file.
  var taken: TakenReadings?
  /// The owners before them, the latest first.
  private var earlier: [OwnerFacts]?
  private static let mostEarlier = 8

  package init(since: Date) { self.since = since }

  private struct OwnerFacts: Hashable, Sendable, Codable {
    let owner: String
    /// The beginning; nil where all that the device has is the owner's.
    var since: OwnershipStart?
    /// The owner before.
    var former: String?
    /// True once the device is not the owner's any more.
    var hasLeft = false
  }

  private static func key(_ owner: HubAssignments.Owner) -> String {
    owner.label.map(String.init) ?? "*"
  }

  /// True where it is known to have had several owners.
  var hadOthers: Bool { owners.values.contains { $0.former != nil } }

  var hasOwner: Bool { owners.values.contains { !$0.hasLeft } }

  /// The beginning of an ownership; nil where all that the device has is the owner's.
  func since(of owner: HubAssignments.Owner) -> OwnershipStart? { owners[Self.key(owner)]?.since }

  /// The account of the owner before; nil where none is known.
  func former(of owner: HubAssignments.Owner) -> String? { owners[Self.key(owner)]?.former }

  /// The beginning of the ownership of a patient who is given the device now.
  func since(
    givenTo owner: HubAssignments.Owner, _ id: String, _ handOver: HandOver
  ) -> OwnershipStart? {
    settled(owner, id, handOver)?.since
  }

  /// Notes that a reading of the device was confirmed to be the owner's.
  ///
  /// - Parameters:
  ///   - owner: The owner.
  ///   - received: The time of receipt; one from before the enrolment says nothing about it.
  /// - Returns: False where nothing was waited for, or the reading says nothing.
  mutating func confirm(_ owner: HubAssignments.Owner, byReadingOf received: Date) -> Bool {
    let key = Self.key(owner)
    // The beginning is rounded up to the second.
    guard let since = owners[key]?.since, since.waitsForConfirmation, received > since.date - 1
    else { return false }
    owners[key]?.since?.confirm()
    return true
  }

  /// The accounts of those who have the device.
  var present: [String] { owners.values.filter { !$0.hasLeft }.map(\.owner).sorted() }

  /// The last ownership of a patient who does not have the device any more; nil for none.
  func ended(of alias: String, _ account: String) -> HubAssignments.Owner? {
    (Array(owners.values) + (earlier ?? [])).first { $0.owner == account }.map { facts in
      HubAssignments.Owner(
        patient: alias, label: nil, since: facts.since, former: facts.former)
    }
  }

  /// Notes an owner.
  mutating func settle(
    _ owner: HubAssignments.Owner, _ id: String, _ handOver: HandOver
  ) {
    guard let facts = settled(owner, id, handOver) else { return }
    let key = Self.key(owner)
    let isOthers = owners[key]?.owner != id && facts.former != nil
    if isOthers || owners[key]?.hasLeft == true {
      let ending = key == "*" ? Array(owners.values) : owners[key].map { [$0] } ?? []
      earlier = Array((ending + (earlier ?? [])).prefix(Self.mostEarlier))
    }
    // A device with one owner has no slots any more.
    if key == "*" { owners = [:] }
    owners[key] = facts
    guard isOthers else { return }
    // What was found while it was another patient's is not the new owner's.
    (since, findings, untold) = (handOver.date, [:], [])
  }

  /// Moves the beginnings of ownerships that are not earlier than a time.
  mutating func moveOwnerships(since begin: Date, by step: TimeInterval) {
    let moved = { (facts: OwnerFacts) in
      guard let since = facts.since, since.date >= begin else { return facts }
      var moved = facts
      moved.since = since.moved(by: step)
      return moved
    }
    owners = owners.mapValues(moved)
    earlier = earlier?.map(moved)
  }

  /// Notes that the device is not the owners' any more who are not named.
  mutating func leave(
    except staying: [HubAssignments.Owner], among accounts: [String: String]
  ) {
    let staying = Dictionary(
      staying.map { (Self.key($0), accounts[$0.patient]) }, uniquingKeysWith: { first, _ in first })
    for (key, facts) in owners {
      // A device that is shared from now on stays with the one who had all of it.
      let stays =
        key == "*"
        ? staying.values.contains(facts.owner) : (staying[key] ?? staying["*"]) == facts.owner
      if !stays { owners[key]?.hasLeft = true }
    }
  }

  /// The facts of an owner who has the device from now on; as they are where nothing has changed.
  private func settled(
    _ owner: HubAssignments.Owner, _ id: String, _ handOver: HandOver
  ) -> OwnerFacts? {
    let key = Self.key(owner)
    // Before it was shared, all of it was one patient's.
    let before = key == "*" ? Array(owners.values) : [owners[key] ?? owners["*"]].compactMap(\.self)
    let former = before.first { $0.owner != id }
    if former == nil, let known = owners[key] ?? before.first, !known.hasLeft {
      var same = known
      same.since = key == "*" ? before.compactMap(\.since).max { $0.date < $1.date } : known.since
      if handOver.takesMemory { same.since = same.since.flatMap(\.takingMemory) }
      return same
    }
    let isChange = former != nil
    return OwnerFacts(
      owner: id,
      since: handOver.takesMemory && !isChange
        ? nil
        : OwnershipStart(
          handOver.date, isChange: isChange, takesMemory: handOver.takesMemory,
          waitsForConfirmation: handOver.waitsForConfirmation,
          after: former.map { $0.since?.earliest ?? .distantPast }),
      former: former?.owner)
  }
}

/// The way in which a device becomes a patient's.
struct HandOver: Hashable, Sendable {
  /// The instant.
  var date: Date
  /// True where the patient's are also the readings that it has measured before.
  var takesMemory = false
  /// True where all its readings wait until one of them was confirmed to be the patient's.
  var waitsForConfirmation = false

  init(at date: Date, takesMemory: Bool = false, waitsForConfirmation: Bool = false) {
    self.date = date
    self.takesMemory = takesMemory
    self.waitsForConfirmation = waitsForConfirmation
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
  private let file: HubFile
  private let facts: Locked<HubFacts>

  /// Reads the file; a missing one has no facts.
  ///
  /// - Parameter folder: The hub's folder, which exists.
  /// - Throws: `SessionError` when the file cannot be read: without it, devices would be nobody's.
  init(folder: URL) throws(SessionError) {
    file = HubFile(folder: folder)
    facts = Locked(try file.read() ?? HubFacts())
  }

  /// What is known now.
  var current: HubFacts { facts.withLock { $0 } }

  /// What tells this hub from others of its name, made up at the first time; nil where it cannot be
  /// kept.
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

  /// Changes what is known, on disk when this returns.
  ///
  /// - Throws: `SessionError` when it cannot be written; nothing is changed then.
  @discardableResult
  func change<Value>(_ body: (inout HubFacts) -> Value) throws(SessionError) -> Value {
    try facts.withLock { facts throws(SessionError) in
      var new = facts
      let value = body(&new)
      guard new != facts else { return value }
      try file.write(new)
      facts = new
      return value
    }
  }
}
