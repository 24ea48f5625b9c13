// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioConcurrency
import SantorioCore

/// What is kept about devices from one connection to the next.
///
/// It is in the session's file: a checkpoint is stored in the transaction of the records that it
/// vouches for, and all processes see the same. Without a session it is kept in memory.
struct DeviceStore: Sendable {
  /// The name of this source in the session's file.
  private static let source = "bluetooth"

  /// Names of what is kept; checkpoints have that of their memory behind theirs.
  private enum Key {
    static let known = "known"
    static let identity = "identity"
    static let clock = "clock"
    static let users = "users"
    static let taken = "taken"
    static let passive = "passive"
    static let passiveRead = "passive-read"
    static let checkpointKey = "checkpoint-key"
    static let checkpoint = "checkpoint/"
  }

  private let session: SantorioSession?
  private let memory = Locked<[SourceState]>([])

  /// - Parameter session: Where it is kept; nil keeps it in memory.
  init(session: SantorioSession?) { self.session = session }

  // MARK: - Known devices

  /// The devices that were paired or read before, the one used last first.
  ///
  /// - Throws: ``SessionError`` when they cannot be read.
  func known() async throws(SessionError) -> [KnownPeripheral] {
    try await states(of: nil).filter { $0.name.key == Key.known }.compactMap { $0.decoded() }
  }

  /// Notes that a device was used, and what that shows of the bond.
  ///
  /// - Parameters:
  ///   - identifier: The system's identifier.
  ///   - peripheral: The number of the entry in the catalogue.
  ///   - evidence: How it was used.
  ///   - user: By whom.
  ///   - slot: Which of the device's users that is; nil leaves what is known.
  ///   - beginning: The beginning of the user's ownership, where it is paired; nil for all that it has.
  /// - Throws: ``SessionError`` when it cannot be written.
  func note(
    _ identifier: UUID, as peripheral: Int, _ evidence: BondState.Evidence,
    by user: DeviceOwner, inSlot slot: Int? = nil, beginning: OwnershipStart? = nil
  ) async throws(SessionError) {
    try await change(identifier) { kept in
      let known: KnownPeripheral? = kept.first { $0.name.key == Key.known }?.decoded()
      var used = (known ?? KnownPeripheral(identifier: identifier, peripheral: peripheral))
        .after(evidence, as: peripheral, by: user, beginning: beginning)
      if let slot, used.isEnrolled(for: user) { used.userSlot = slot }
      return [.fact(Self.name(identifier, Key.known), encoded(used))]
    }
  }

  /// Says whose a device is, even if another user has paired it.
  ///
  /// - Parameters:
  ///   - enrolment: Whose it is; nil for nobody's.
  ///   - identifier: The system's identifier.
  ///   - peripheral: The number of the entry in the catalogue.
  ///   - bond: What is known of the bond, where nothing is known here.
  ///   - beginning: The beginning of the ownership; nil where all that it has is the owner's.
  /// - Throws: ``SessionError`` when it cannot be written.
  func setEnrolment(
    _ enrolment: DeviceOwner?, of identifier: UUID, as peripheral: Int,
    bond: BondState = .none, beginning: OwnershipStart? = nil
  ) async throws(SessionError) {
    try await change(identifier) { kept in
      let known: KnownPeripheral? = kept.first { $0.name.key == Key.known }?.decoded()
      let isSame = known?.enrolment == enrolment
      let now = KnownPeripheral(
        identifier: identifier, peripheral: peripheral,
        bond: known.flatMap { $0.bond == .none ? nil : $0.bond } ?? bond, enrolment: enrolment,
        userSlot: isSame ? known?.userSlot : nil,
        ownership: isSame ? known?.ownership?.continued(as: beginning) ?? beginning : beginning)
      return now == known ? [] : [.fact(Self.name(identifier, Key.known), encoded(now))]
    }
  }

  /// How far a device's clock was off when it was read last; nil when it never was.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func clock(of device: UUID) async throws(SessionError) -> MeasuredClock? {
    try await states(of: device).first { $0.name.key == Key.clock }?.decoded()
  }

  /// Notes how far a device's clock was off.
  ///
  /// - Throws: ``SessionError`` when it cannot be written.
  func note(_ clock: MeasuredClock, of device: UUID) async throws(SessionError) {
    try await change(device) { _ in [.fact(Self.name(device, Key.clock), encoded(clock))] }
  }

  /// Changes the beginning of the ownership of a device, if there is one of that date.
  ///
  /// - Throws: ``SessionError`` when it cannot be written.
  func changeOwnership(
    of device: UUID, since date: Date, _ body: @escaping @Sendable (inout OwnershipStart) -> Void
  ) async throws(SessionError) {
    try await change(device) { kept in
      let kept: KnownPeripheral? = kept.first { $0.name.key == Key.known }?.decoded()
      guard var known = kept, var start = known.ownership, start.date == date else { return [] }
      body(&start)
      known.ownership = start
      return known == kept ? [] : [.fact(Self.name(device, Key.known), encoded(known))]
    }
  }

  /// The newest readings of a device that were taken, and for whom.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func taken(of device: UUID) async throws(SessionError) -> TakenReadings {
    try await states(of: device).first { $0.name.key == Key.taken }?.decoded() ?? TakenReadings()
  }

  /// The same for all devices.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func takenByDevice() async throws(SessionError) -> [UUID: TakenReadings] {
    var all: [UUID: TakenReadings] = [:]
    for state in try await states(of: nil) where state.name.key == Key.taken {
      guard let device = UUID(uuidString: state.name.device) else { continue }
      all[device] = state.decoded()
    }
    return all
  }

  /// Notes readings of a device that were taken for a user.
  ///
  /// - Throws: ``SessionError`` when it cannot be written.
  func noteTaken(
    _ logIDs: [String], of device: UUID, for user: String
  ) async throws(SessionError) {
    guard !logIDs.isEmpty else { return }
    try await change(device) { kept in
      var taken: TakenReadings = kept.first { $0.name.key == Key.taken }?.decoded() ?? .init()
      taken.note(logIDs, for: user)
      return [.fact(Self.name(device, Key.taken), encoded(taken))]
    }
  }

  /// Which users a device has shown.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func users(of device: UUID) async throws(SessionError) -> DeviceUsers {
    try await states(of: device).first { $0.name.key == Key.users }?.decoded() ?? DeviceUsers()
  }

  /// Which users all devices have shown that have shown one, or of which something is held back.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func allUsers() async throws(SessionError) -> [UUID: DeviceUsers] {
    var all: [UUID: DeviceUsers] = [:]
    for state in try await states(of: nil) where state.name.key == Key.users {
      guard let device = UUID(uuidString: state.name.device) else { continue }
      all[device] = state.decoded()
    }
    return all
  }

  /// Changes what is kept of a device's users, from what is kept now.
  ///
  /// - Throws: ``SessionError`` when it cannot be written.
  func changeUsers(
    of device: UUID, _ body: @escaping @Sendable (inout DeviceUsers) -> Void
  ) async throws(SessionError) {
    try await change(device) { kept in
      let known: DeviceUsers? = kept.first { $0.name.key == Key.users }?.decoded()
      var users = known ?? DeviceUsers()
      body(&users)
      return users == known ? [] : [.fact(Self.name(device, Key.users), encoded(users))]
    }
  }

  /// Notes which of a device's users the one is for whom it is enrolled.
  ///
  /// - Parameters:
  ///   - slot: The user's number in readings; nil forgets it.
  ///   - device: The device.
  ///   - user: For whom.
  /// - Returns: Whether it is enrolled for that user; if not, nothing was changed.
  /// - Throws: ``SessionError`` when it cannot be written.
  func setUserSlot(
    _ slot: Int?, of device: UUID, for user: DeviceOwner
  ) async throws(SessionError) -> Bool {
    let isEnrolled = Locked(false)
    try await change(device) { kept in
      let known: KnownPeripheral? = kept.first { $0.name.key == Key.known }?.decoded()
      isEnrolled.withLock { $0 = known?.isEnrolled(for: user) ?? false }
      guard var known, known.isEnrolled(for: user) else { return [] }
      known.userSlot = slot
      return [.fact(Self.name(device, Key.known), encoded(known))]
    }
    return isEnrolled.withLock { $0 }
  }

  // MARK: - Passive reading

  /// What is read passively; nil when that was never set, or was switched off.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func passiveSet() async throws(SessionError) -> PassiveSet? {
    try await states(of: nil, isOfSource: true).first { $0.name.key == Key.passive }?.decoded()
  }

  /// The same for a caller that cannot await.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func passiveSetAndWait() throws(SessionError) -> PassiveSet? {
    try session?.statesAndWait(of: Self.source)
      .first { $0.name == Self.name(nil, Key.passive) }?.decoded()
  }

  /// Keeps what is read passively; nil forgets it.
  ///
  /// - Throws: ``SessionError`` when it cannot be written.
  func keep(_ set: PassiveSet?) async throws(SessionError) {
    try await change(nil) { _ in [.fact(Self.name(nil, Key.passive), set.map { encoded($0) })] }
  }

  /// When each device was read passively the last time.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func passiveReads() async throws(SessionError) -> [UUID: Date] {
    let states = try await states(of: nil).filter { $0.name.key == Key.passiveRead }
    return states.reduce(into: [:]) { reads, state in
      guard let device = UUID(uuidString: state.name.device) else { return }
      reads[device] = state.decoded(as: Date.self)
    }
  }

  /// Notes that a device was read passively.
  ///
  /// - Throws: ``SessionError`` when it cannot be written.
  func notePassiveRead(of device: UUID, at date: Date) async throws(SessionError) {
    try await change(device) { _ in [.fact(Self.name(device, Key.passiveRead), encoded(date))] }
  }

  // MARK: - What a driver needs

  /// What is kept about a device, without its secrets.
  ///
  /// - Throws: ``SessionError`` when it cannot be read.
  func state(of device: UUID) async throws(SessionError) -> DeviceState {
    let kept = try await states(of: device)
    var state = DeviceState()
    state.checkpoints = kept.filter { $0.name.key.hasPrefix(Key.checkpoint) }
      .compactMap { $0.decoded() }
    state.checkpointKey = try await checkpointKey()
    state.isIdentified = kept.contains { $0.name.key == Key.identity }
    return state
  }

  /// The key of all checkpoints, made when it is first asked for.
  private func checkpointKey() async throws(SessionError) -> CheckpointKey {
    try await decided(nil, Key.checkpointKey, proposing: .random())
  }

  /// The identity by which a device's measurements are recognised: the one that is kept, or else
  /// the one proposed, which is kept from now on.
  ///
  /// - Parameters:
  ///   - device: The receiver's own identifier of the device.
  ///   - proposed: What the device says now of who it is.
  /// - Returns: The identity, which stays the same whatever the device says later.
  /// - Throws: ``SessionError`` when it cannot be looked up or kept.
  func identity(
    of device: UUID, proposing proposed: DeviceIdentity
  ) async throws(SessionError) -> DeviceIdentity {
    try await decided(device, Key.identity, proposing: proposed)
  }

  /// The identity that is kept; nil of a device that was never read.
  ///
  /// - Throws: ``SessionError`` when it cannot be looked up.
  func keptIdentity(of device: UUID) async throws(SessionError) -> DeviceIdentity? {
    try await states(of: device).first { $0.name.key == Key.identity }?.decoded()
  }

  /// The identities of all devices.
  ///
  /// - Throws: ``SessionError`` when they cannot be looked up.
  func identities() async throws(SessionError) -> [UUID: DeviceIdentity] {
    var all: [UUID: DeviceIdentity] = [:]
    for state in try await states(of: nil) where state.name.key == Key.identity {
      guard let device = UUID(uuidString: state.name.device) else { continue }
      all[device] = state.decoded()
    }
    return all
  }

  /// A value that is decided once.
  private func decided<Value: Codable & Sendable>(
    _ device: UUID?, _ key: String, proposing proposed: Value
  ) async throws(SessionError) -> Value {
    func value(in kept: [SourceState]) -> Value? { kept.first { $0.name.key == key }?.decoded() }
    if let kept = value(in: try await states(of: device, isOfSource: device == nil)) { return kept }
    try await change(device) { kept in
      let isDecided: Bool = kept.first { $0.name.key == key }?.decoded(as: Value.self) != nil
      return isDecided ? [] : [.fact(Self.name(device, key), encoded(proposed))]
    }
    // Another process may have decided first.
    return value(in: try await states(of: device, isOfSource: device == nil)) ?? proposed
  }

  // MARK: - Records

  /// How records are stored.
  struct Storing: Sendable {
    /// The session for which they were read; nil for the current one.
    let session: Int64?
    /// The file that has what was read before; nil for any.
    var generation: [UInt8]?
    /// Whether they wait for the user's approval.
    let holdsBack: Bool
    /// Those that wait in any case.
    var undecided: Set<String> = []
    /// Those from before the device was the user's.
    var older: Set<String> = []
    /// Which users the device has shown, where that has changed.
    var users: DeviceUsers?
    /// The newest readings that were taken, where that has changed.
    var taken: TakenReadings?

    func isHeldBack(_ record: HealthRecord) -> Bool {
      holdsBack || undecided.contains(record.logID) || older.contains(record.logID)
    }
  }

  /// Stores records and how far the transfer of a device's memory has come, both or neither.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - checkpoints: Up to where they have been read.
  ///   - device: The receiver's own identifier of the device.
  ///   - storing: How.
  /// - Throws: ``SessionError`` when nothing was stored.
  func store(
    _ records: [HealthRecord], advancing checkpoints: [SyncCheckpoint], of device: UUID,
    _ storing: Storing
  ) async throws(SessionError) {
    let positions = checkpoints.map {
      StateChange.position(
        Self.name(device, Key.checkpoint + $0.memory), encoded($0), in: storing.generation)
    }
    let users = storing.users.map { [StateChange.fact(Self.name(device, Key.users), encoded($0))] }
    let taken = storing.taken.map { [StateChange.fact(Self.name(device, Key.taken), encoded($0))] }
    let changes = positions + (users ?? []) + (taken ?? [])
    guard let session else { return memory.withLock { Self.apply(changes, to: &$0) } }
    SantorioLogging.shared.log(
      .bluetooth, "records and checkpoints stored together",
      [.count("records", records.count), .count("checkpoints", changes.count)])
    let held = records.filter(storing.isHeldBack)
    guard held.count < records.count || records.isEmpty && !storing.holdsBack else {
      return try await session.hold(
        held, older: storing.older, changing: changes, inSession: storing.session)
    }
    // What is held comes first: the device may forget all when the positions are stored.
    if !held.isEmpty {
      try await session.hold(
        held, older: storing.older, changing: users ?? [], inSession: storing.session)
    }
    let submitted = records.filter { !storing.isHeldBack($0) }
    try await session.submit(
      submitted, changing: changes, inSession: storing.session, leavingHeld: true)
  }

  // MARK: - The table

  private static func name(_ device: UUID?, _ key: String) -> StateName {
    StateName(source: source, device: device?.uuidString ?? "", key: key)
  }

  private func states(
    of device: UUID?, isOfSource: Bool = false
  ) async throws(SessionError) -> [SourceState] {
    let name = device?.uuidString ?? (isOfSource ? "" : nil)
    guard let session else {
      return memory.withLock { $0.filter { name == nil || $0.name.device == name } }
    }
    return try await session.states(of: Self.source, device: name)
  }

  private func change(
    _ device: UUID?, _ body: @escaping @Sendable ([SourceState]) -> [StateChange]
  ) async throws(SessionError) {
    let name = device?.uuidString ?? ""
    guard let session else {
      return memory.withLock { memory in
        Self.apply(body(memory.filter { $0.name.device == name }), to: &memory)
      }
    }
    try await session.changeState(of: Self.source, device: name, body)
  }

  /// The last changed comes first, as in the file.
  private static func apply(_ changes: [StateChange], to memory: inout [SourceState]) {
    for change in changes {
      memory.removeAll { $0.name == change.name }
      guard let value = change.value else { continue }
      memory.insert(SourceState(name: change.name, value: value), at: 0)
    }
  }
}

/// The bytes of a value that is kept.
private func encoded(_ value: some Encodable) -> [UInt8] {
  // Values of texts and numbers can always be encoded.
  (try? JSONEncoder().encode(value)).map(Array.init) ?? []
}

extension SourceState {
  /// The value; nil when it is not of that type.
  fileprivate func decoded<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
    try? JSONDecoder().decode(type, from: Data(value))
  }
}
