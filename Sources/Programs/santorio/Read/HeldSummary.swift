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

  /// The readings of one user.
  private struct Share {
    let slot: Int?
    var count: Int
  }

  private var shares: [Share] {
    let slots = Dictionary(grouping: records, by: \.source.device?.userSlot)
    return slots.map { Share(slot: $0, count: $1.count) }
      .sorted { ($0.slot ?? .max) < ($1.slot ?? .max) }
  }

  /// How many readings are held, whose they are, and what to do; nothing where none is.
  var lines: [String] {
    guard !records.isEmpty else { return [] }
    let shares = shares
    let owners = shares.map { share in
      let owner =
        share.slot.map { "of its \(device.peripheral.name(ofUserIn: $0))" }
        ?? "of a person whom it does not know"
      return "\(share.count) \(owner)"
    }
    let count = records.count == 1 ? "1 reading" : "\(records.count) readings"
    let held =
      "held: \(count) of \(device.peripheral.name), \(device.identifier): "
      + owners.joined(separator: ", ")
    return [held] + slotAdvice(shares) + unknownAdvice(shares)
  }

  private func slotAdvice(_ shares: [Share]) -> [String] {
    guard shares.contains(where: { $0.slot != nil }) else { return [] }
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

  private func unknownAdvice(_ shares: [Share]) -> [String] {
    guard shares.contains(where: { $0.slot == nil }) else { return [] }
    let first = records.first { $0.source.device?.userSlot == nil }
    return [
      "  those of an unknown person are in \"santorio queue list held\": \"santorio queue release "
        + "\(first?.logID ?? "LOG_ID")\" takes one for this user's, \"santorio queue decline\" does not"
    ]
  }
}
