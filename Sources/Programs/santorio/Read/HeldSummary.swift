// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords

/// What one reading of a device has left to be decided.
struct HeldSummary: Sendable {
  let device: DeviceRunner.FoundDevice
  let records: [HealthRecord]
  /// Whether the device is enrolled, so that its user can be kept.
  let isEnrolled: Bool
  /// The number in readings of the session's user; nil where that was not said.
  var ownSlot: Int?

  /// The reason why a reading is held.
  private enum Reason: Hashable {
    /// It was not said which of the device's users this user is.
    case slot(Int)
    /// The device does not know its user.
    case unknownUser
    /// Another user may have had the device when it was measured.
    case time
  }

  private func reason(_ record: HealthRecord) -> Reason {
    if record.isOfUnknownUser { return .unknownUser }
    guard let slot = record.source.device?.userSlot, slot != ownSlot else { return .time }
    return .slot(slot)
  }

  private func text(_ reason: Reason) -> String {
    switch reason {
    case .slot(let slot): "of its \(device.peripheral.name(ofUserIn: slot))"
    case .unknownUser: "of a person whom it does not know"
    case .time: "measured when another user may have had it"
    }
  }

  /// How many readings are held, why, and what to do; nothing where none is.
  var lines: [String] {
    guard !records.isEmpty else { return [] }
    let counts = Dictionary(grouping: records, by: reason).mapValues(\.count)
    let slots = counts.keys.compactMap { if case .slot(let slot) = $0 { slot } else { nil } }
    let shares = (slots.sorted().map(Reason.slot) + [.unknownUser, .time]).compactMap { reason in
      counts[reason].map { "\($0) \(text(reason))" }
    }
    let count = records.count == 1 ? "1 reading" : "\(records.count) readings"
    let held =
      "held: \(count) of \(device.peripheral.name), \(device.identifier): "
      + shares.joined(separator: ", ")
    return [held] + (slots.isEmpty ? [] : slotAdvice) + singleAdvice
  }

  private var slotAdvice: [String] {
    let way =
      isEnrolled
      ? "\"santorio devices --data FOLDER --slot \(device.identifier)=N\""
      : "\"santorio read \(device.identifier) --slot N\""
    let labels =
      device.peripheral.userNumbering?.first == nil
      ? "; how it labels its users is not public, so the numbers are those that it sends" : ""
    return [
      "  say which of its users this user is (\(way)): then that one's are taken and no other's"
        + labels,
      "  \"santorio queue decline --slot \(device.identifier)=N\" says that held ones are not to be sent",
    ]
  }

  private var singleAdvice: [String] {
    let single = records.filter { if case .slot = reason($0) { false } else { true } }
    guard let first = single.first else { return [] }
    return [
      "  \(slotsAreHeld ? "the others" : "they") are in \"santorio queue list held\": \"santorio queue "
        + "release \(first.logID)\" takes one for this user's, \"santorio queue decline\" does not"
    ]
  }

  private var slotsAreHeld: Bool {
    records.contains { if case .slot = reason($0) { true } else { false } }
  }
}
