// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

/// What is found about devices that somebody should look after: a low battery, a long silence, a lost
/// bond.
///
/// It decides by facts and does nothing. Each finding is told once, and its end as well.
struct DeviceWatch: Hashable, Sendable {
  /// What is known of a device now.
  struct Facts: Hashable, Sendable {
    /// When it was last heard or read; nil when it never was.
    var lastHeard: Date?
    /// For how long it was listened for since, in vain.
    var silentFor: TimeInterval = 0
    /// The charge of its battery, 0 to 100.
    var batteryPercent: Int?
    /// Whether it has lost its bond.
    var isBondLost = false
  }

  /// The charge at which a battery is low, and from which on it is not any more, in per cent.
  static let lowCharge = 15
  static let goodCharge = 25

  /// After how long a device is silent.
  let silence: TimeInterval

  /// What has begun or ended.
  struct Change: Hashable, Sendable {
    let finding: DeviceStatusFinding
    /// Since when it is so.
    let since: Date
    /// The same each time, so that telling it again is recognised.
    let message: String
  }

  /// Compares what is known of a device with what was told of it.
  ///
  /// - Parameters:
  ///   - told: What was told and has not ended; it is brought up to date.
  ///   - facts: What is known.
  ///   - since: Since when the device is read.
  ///   - now: The time of day.
  /// - Returns: What is to be told.
  func changes(
    to told: inout [String: Date], by facts: Facts, since: Date, at now: Date
  ) -> [Change] {
    var changes: [Change] = []
    func settle(
      _ finding: DeviceStatusFinding, _ end: DeviceStatusFinding, _ isSo: Bool?, _ begin: Date,
      _ texts: (String, String)
    ) {
      guard let isSo, isSo != (told[finding.rawValue] != nil) else { return }
      told[finding.rawValue] = isSo ? begin : nil
      changes.append(
        Change(
          finding: isSo ? finding : end, since: isSo ? begin : now,
          message: isSo ? texts.0 : texts.1))
    }
    let heard = max(facts.lastHeard ?? since, since)
    settle(
      .silent, .heardAgain, facts.silentFor >= silence, heard,
      (
        "The device has not been heard for long. Is it used, is it in range, has it a battery?",
        "The device was heard again."
      ))
    settle(
      .lowBattery, .batteryReplaced, Self.isLow(facts.batteryPercent, told), now,
      ("The battery is nearly empty. Replace or charge it.", "The battery is good again."))
    settle(
      .bondLost, .pairedAgain, facts.isBondLost, now,
      (
        "The device does not know this gateway any more. Enrol it again.",
        "The device is paired again."
      ))
    return changes
  }

  /// Whether a battery is low; nil where that has not changed for certain.
  private static func isLow(_ percent: Int?, _ told: [String: Date]) -> Bool? {
    guard let percent else { return nil }
    if percent <= lowCharge { return true }
    return percent >= goodCharge ? false : nil
  }
}
