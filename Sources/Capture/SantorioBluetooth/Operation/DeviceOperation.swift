// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthDevices
public import HealthRecords
package import SantorioCore

/// One pairing or one reading, from looking for the device to the end of the connection.
///
/// It runs whether somebody listens or not, until its end or ``cancel()``.
public final class DeviceOperation: Identifiable, Sendable {
  /// Distinguishes it from other operations.
  public let id: UUID
  private let engine: OperationEngine
  private let log = EventLog()
  private let observer: (@Sendable (BluetoothEvent) -> Void)?

  /// - Parameters:
  ///   - engine: What runs it.
  ///   - observer: Called with each event, in order.
  init(_ engine: OperationEngine, observer: (@Sendable (BluetoothEvent) -> Void)? = nil) {
    id = engine.id
    self.engine = engine
    self.observer = observer
  }

  /// The events so far, and all that follow up to ``BluetoothEvent/ended(_:)``.
  ///
  /// Each access makes a new stream; nothing is dropped for a slow reader.
  public var events: AsyncStream<BluetoothEvent> { log.stream() }

  /// The same; the operation is cancelled when they are given up before its end.
  var eventsOrCancel: AsyncStream<BluetoothEvent> { log.stream { [engine] in engine.cancel() } }

  /// How it ended; waits for the end.
  public var value: BluetoothOutcome {
    get async {
      for await event in events {
        if case .ended(let outcome) = event { return outcome }
      }
      // Only a task that was cancelled gets here.
      return .cancelled([])
    }
  }

  /// Asks for the end; it then ends as cancelled, unless it ends by itself before.
  public func cancel() { engine.cancel() }

  /// Asks for the end, unless a device is connected or listened to.
  func cancelUnlessConnected() { engine.cancel(evenConnected: false) }

  func send(_ event: BluetoothEvent) {
    event.log()
    // Who reads the events may begin the next operation: a controller must know of the end by then.
    if case .ended = event { observer?(event) }
    log.send(event)
    guard case .ended = event else { return observer?(event) ?? () }
    log.finish()
  }
}

extension DeviceOperation {
  /// What an operation is to do.
  struct Request: Sendable {
    let purpose: DriverContext.Purpose
    /// What to look for; of several entries that fit a device the most specific is taken.
    let models: [DeviceModel]
    /// The devices to which it is restricted; any when nil.
    var allowed: Set<UUID>?
    /// Whose readings are wanted; those of the user for whom the device is enrolled when nil, or of
    /// its one user.
    var userSlot: UserChoice?
    /// The same for single devices.
    var userSlots: [UUID: UserChoice] = [:]
    /// Devices that are left alone.
    var resting: Set<UUID> = []
    /// How long to look for a device at most.
    var time: Duration?
    /// Whether a reading that names no device takes those that were paired for other users, too.
    var takesOthers = false
    /// Whether nobody waits for it: it looks for its device without an end.
    var isPassive = false
    /// The session that must be current; any when nil.
    var session: Int64?
    /// False where a device that is paired is the user's from now on, and not what it has measured
    /// before.
    var takesMemory = true
    /// The beginning of the ownership of a device that is paired for a user who has not had it, in place
    /// of now; nil where all that it has is the user's.
    var beginning: (@Sendable (UUID) -> OwnershipStart?)?
    /// Passive reading goes on waiting for the devices that it leaves alone.
    var keepsOthersWaiting = false

    /// The devices that passive reading leaves to it.
    var selection: DeviceSelection {
      keepsOthersWaiting ? allowed.map { .only($0) } ?? .except(resting) : .any
    }
  }

  /// What a user says of readings.
  package enum Decision: Sendable {
    /// They are to be submitted, some of them with other content, and without those of some `log_id`s,
    /// which are declined.
    case approved(changed: [HealthRecord] = [], without: Set<String> = [])
    /// They are not to be submitted now.
    case declined
    /// Nobody was there to be asked: the next reading of the device asks again.
    case open

    package init(isApproved: Bool) { self = isApproved ? .approved() : .declined }
  }

  /// Asks a user whether readings are to be submitted.
  package typealias Approval = @Sendable ([HealthRecord], DeviceModel) async -> Decision

  /// Asks with a function that knows only two answers.
  fileprivate static func deciding(
    _ isApproved: @escaping @Sendable ([HealthRecord], DeviceModel) async -> Bool
  ) -> Approval {
    { Decision(isApproved: await isApproved($0, $1)) }
  }
}

extension BluetoothCentral {
  /// Begins to pair whichever of some devices appears first.
  ///
  /// - Parameters:
  ///   - models: What to pair; of several entries that fit a device the most specific is taken.
  ///   - identifiers: The devices to which the pairing is restricted; any when nil.
  ///   - userSlot: Which of the device's users the session's user is, as readings count them (see
  ///     `UserNumbering`). It is kept with the enrolment, as by
  ///     ``BluetoothReceiver/setUserSlot(_:of:)``; nil leaves what is known.
  ///   - receiver: For whom.
  /// - Returns: The pairing, which is under way.
  @discardableResult
  public func pair(
    _ models: [DeviceModel], only identifiers: Set<UUID>? = nil, userSlot: Int? = nil,
    for receiver: BluetoothReceiver
  ) -> DeviceOperation {
    begin(
      .init(
        purpose: .pair, models: models, allowed: identifiers,
        userSlot: userSlot.map { .slot($0) }), for: receiver)
  }

  /// Begins to pair whichever of some devices appears first, for one of its users.
  ///
  /// Passive reading goes on waiting for the devices that cannot be the one.
  ///
  /// - Parameters:
  ///   - models: What to pair.
  ///   - identifiers: The devices to which the pairing is restricted; any when nil.
  ///   - resting: Devices that are left alone.
  ///   - time: How long to look for a device at most; nil for the usual.
  ///   - user: Which of the device's users the session's user is.
  ///   - takesMemory: False where the device is the user's from now on, and not what it has measured
  ///     before.
  ///   - beginning: The beginning of the user's ownership of a device, in place of now.
  ///   - receiver: For whom.
  /// - Returns: The pairing, which is under way.
  package func pair(
    _ models: [DeviceModel], only identifiers: Set<UUID>?, except resting: Set<UUID> = [],
    within time: Duration? = nil, user: UserChoice?, takingMemory takesMemory: Bool,
    beginning: (@Sendable (UUID) -> OwnershipStart?)? = nil, for receiver: BluetoothReceiver
  ) -> DeviceOperation {
    begin(
      .init(
        purpose: .pair, models: models, allowed: identifiers, userSlot: user, resting: resting,
        time: time, takesMemory: takesMemory, beginning: beginning, keepsOthersWaiting: true),
      for: receiver)
  }

  /// Begins to read from whichever of some devices appears first.
  ///
  /// Devices that are known, and those that are named, are connected as soon as they wake. If none
  /// of them answers within a few seconds, devices to which another app of this phone or gateway
  /// has a connection are looked at, and then there is a scan beside. A reading that names devices
  /// takes no other; one that does not takes whichever of the models answers first, but none that
  /// was paired for another user of the session's folder.
  ///
  /// - Parameters:
  ///   - models: What to read; of several entries that fit a device the most specific is taken.
  ///   - identifiers: The devices to which the reading is restricted, as
  ///     ``PairingMetadata/peripheralUUID`` named them; any when nil.
  ///   - userSlot: The person's number in readings, for devices that several use (see
  ///     `UserNumbering`): on whichever device is found, and for this reading only. Readings of the
  ///     others are reported as rejected; a device that keeps them sends them again to a reading
  ///     that wants them. When nil, the slot that was kept for the device is meant, see
  ///     ``BluetoothReceiver/setUserSlot(_:of:)``, or else its one user: once it has shown two,
  ///     readings are held back, see ``BluetoothEvent/undecided(_:)``.
  ///   - receiver: For whom; without approval the readings are submitted to its session at once.
  ///   - approval: Asked at the end whether the readings are to be submitted; until then they are
  ///     held back on disk, and stay so when they are not. Readings of the device that were held
  ///     back before the app was killed, and on which nobody has decided, come first.
  /// - Returns: The reading, which is under way.
  @discardableResult
  public func read(
    _ models: [DeviceModel], only identifiers: Set<UUID>? = nil, userSlot: Int? = nil,
    for receiver: BluetoothReceiver,
    approval: (@Sendable ([HealthRecord], DeviceModel) async -> Bool)? = nil
  ) -> DeviceOperation {
    begin(
      .init(
        purpose: .read, models: models, allowed: identifiers,
        userSlot: userSlot.map { .slot($0) }),
      for: receiver, approval: approval.map(DeviceOperation.deciding))
  }

  /// Begins to read a device, and asks a user who may agree to some of the readings.
  ///
  /// - Parameters:
  ///   - model: What to read.
  ///   - receiver: For whom.
  ///   - approval: Asked at the end, see ``read(_:only:userSlot:for:approval:)``.
  /// - Returns: The reading, which is under way.
  package func read(
    _ model: DeviceModel, for receiver: BluetoothReceiver,
    deciding approval: @escaping DeviceOperation.Approval
  ) -> DeviceOperation {
    begin(.init(purpose: .read, models: [model]), for: receiver, approval: approval)
  }

  /// Begins to read from whichever of some devices appears first, within a time.
  ///
  /// - Parameters:
  ///   - models: What to read; of several entries that fit a device the most specific is taken.
  ///   - identifiers: The devices to which the reading is restricted; any when nil.
  ///   - resting: Devices that are left alone.
  ///   - time: How long to look for a device at most.
  ///   - takesOthers: Whether devices are read, too, that were paired for other users.
  ///   - user: Whose readings are wanted of whichever device is found; nil for what is known of it.
  ///   - users: The same for single devices.
  ///   - receiver: For whom.
  /// - Returns: The reading, which is under way.
  package func read(
    _ models: [DeviceModel], only identifiers: Set<UUID>?, except resting: Set<UUID>,
    within time: Duration?, takingOthers takesOthers: Bool, user: UserChoice? = nil,
    users: [UUID: UserChoice] = [:], for receiver: BluetoothReceiver
  ) -> DeviceOperation {
    begin(
      .init(
        purpose: .read, models: models, allowed: identifiers, userSlot: user, userSlots: users,
        resting: resting, time: time, takesOthers: takesOthers),
      for: receiver)
  }

  /// Begins an operation.
  func begin(
    _ request: DeviceOperation.Request, for receiver: BluetoothReceiver,
    approval: DeviceOperation.Approval? = nil,
    observer: (@Sendable (BluetoothEvent) -> Void)? = nil
  ) -> DeviceOperation {
    let engine = OperationEngine(
      on: self, for: receiver, isPassive: request.isPassive, using: request.selection)
    let operation = DeviceOperation(engine, observer: observer)
    let run = OperationRun(
      request, of: operation, by: engine, for: receiver, approval: approval)
    Task { await run.follow() }
    return operation
  }
}
