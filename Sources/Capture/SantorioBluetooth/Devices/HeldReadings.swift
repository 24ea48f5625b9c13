// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioConcurrency
import SantorioCore

/// Which devices a receiver reads now, and of which it could not decide whose the readings are.
struct HeldReadings: Sendable {
  private struct State {
    var underWay: [UUID: Int] = [:]
    /// The slot that was wanted of each.
    var unsettled: [UUID: Int?] = [:]
    /// Those of them whose reading has come to its end.
    var readToEnd: Set<UUID> = []
  }

  private let state = Locked(State())

  /// An operation has found a device, whose end decides.
  func began(_ device: UUID) {
    state.withLock { state in
      state.underWay[device, default: 0] += 1
      state.unsettled[device] = nil
    }
  }

  /// It is over; `slot` was wanted, `isToEnd` says whether it has come to its end, and `isSettled`
  /// whether it could be decided.
  func ended(_ device: UUID, wanting slot: Int?, isToEnd: Bool, isSettled: Bool) {
    state.withLock { state in
      let count = (state.underWay[device] ?? 1) - 1
      state.underWay[device] = count > 0 ? count : nil
      guard !isSettled else { return }
      state.unsettled.updateValue(slot, forKey: device)
      if isToEnd { state.readToEnd.insert(device) }
    }
  }

  /// A later operation has decided.
  func settled(_ device: UUID) { state.withLock { $0.unsettled[device] = nil } }

  /// The devices whose end could not be noted.
  var readToEnd: Set<UUID> { state.withLock { $0.readToEnd } }

  /// It is noted now.
  func noted(_ device: UUID) { state.withLock { _ = $0.readToEnd.remove(device) } }

  /// Whether a device is being read.
  func isUnderWay(_ device: UUID) -> Bool { state.withLock { $0.underWay[device] != nil } }

  /// Whether this receiver knows that the reading is over, and which slot it wanted.
  func unsettled(_ device: UUID) -> Int?? { state.withLock { $0.unsettled[device] } }
}

extension BluetoothReceiver {
  /// Decides whose the readings are that were left held back: by an end at which that could not be
  /// read or written, or by a process that was killed.
  ///
  /// Those of devices that may be under way, here or in another process, are left alone.
  ///
  /// - Parameters:
  ///   - number: The session whose readings they are.
  ///   - user: Its user.
  /// - Throws: ``SessionError`` when it cannot be decided now.
  func settleHeld(
    inSession number: Int64?, of user: DeviceOwner
  ) async throws(SessionError) {
    guard let session else { return }
    for device in held.readToEnd {
      try await devices.changeUsers(of: device) { $0.noteEnd() }
      held.noted(device)
    }
    let known = try await devices.known()
    var slots: [UUID: Int?] = [:]
    for (device, users) in try await devices.allUsers() where !held.isUnderWay(device) {
      let own = known.first { $0.identifier == device }.flatMap { $0.userSlot(of: user) }
      let slot = (held.unsettled(device) ?? nil) ?? own
      if users.canDecide(with: slot) { slots.updateValue(slot, forKey: device) }
    }
    guard !slots.isEmpty else { return }
    let records = try await session.undecidedRecords()
    for (device, slot) in slots {
      let model = known.first { $0.identifier == device }?.peripheral
      try await settle(device, slot, among: records, inSession: number) { waiting in
        held.unsettled(device) != nil || isOver(waiting, of: model)
      }
      held.settled(device)
    }
  }

  /// Releases what is held back of one user of a device.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - slot: The user; its one user when nil.
  ///   - records: The records that are held back and undecided.
  ///   - number: The session whose readings they are.
  ///   - isOver: Whether no connection of them is under way.
  /// - Returns: How many were released.
  /// - Throws: ``SessionError`` when it cannot be decided now.
  @discardableResult
  func settle(
    _ device: UUID, _ slot: Int?, among records: [HealthRecord], inSession number: Int64?,
    where isOver: ([HealthRecord]) -> Bool
  ) async throws(SessionError) -> Int {
    let users = try await devices.users(of: device)
    let waiting = records.filter { users.undecided.contains($0.logID) }
    guard isOver(waiting) else { return 0 }
    let own = waiting.filter { users.isReading($0, ofUserIn: slot, isAtEnd: users.wasReadToEnd) }
      .map(\.logID)
    if !own.isEmpty {
      try await session?.releaseHeld(own, inSession: number)
      try await devices.noteTaken(own, of: device, for: await user().name)
    }
    let others = Set(waiting.map(\.logID)).subtracting(own)
    let settled = users.undecided.subtracting(others)
    try await devices.changeUsers(of: device) { $0.settle(settled) }
    return own.count
  }

  /// Whether the connection in which records were received is over, in whichever process it was.
  private func isOver(_ records: [HealthRecord], of model: Int?) -> Bool {
    let limit = model.flatMap { settings.catalogue.entry(id: $0)?.readTimeout } ?? .seconds(86_400)
    let now = settings.now()
    return records.allSatisfy {
      abs(now.timeIntervalSince($0.time.received)) > 2 * Double(limit.components.seconds)
    }
  }
}

extension KnownPeripheral {
  /// Which of its users the one is for whom it is enrolled.
  func userSlot(of user: DeviceOwner) -> Int? { isEnrolled(for: user) ? userSlot : nil }
}
