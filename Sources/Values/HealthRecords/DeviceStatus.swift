// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What a gateway tells of a device: no reading, and nothing of the patient's health.
package enum DeviceStatusFinding: String, CaseIterable, Sendable {
  /// The battery is nearly empty.
  case lowBattery = "low_battery"
  /// Nothing has been heard of it for longer than is usual.
  case silent
  /// It no longer has the keys of its bond and must be paired again.
  case bondLost = "bond_lost"
  /// The battery is charged or new: the end of ``lowBattery``.
  case batteryReplaced = "battery_replaced"
  /// The end of ``silent``.
  case heardAgain = "heard_again"
  /// The end of ``bondLost``.
  case pairedAgain = "paired_again"

  /// The finding that this one ends; nil for one that needs somebody's attention.
  package var ended: DeviceStatusFinding? {
    switch self {
    case .lowBattery, .silent, .bondLost: nil
    case .batteryReplaced: .lowBattery
    case .heardAgain: .silent
    case .pairedAgain: .bondLost
    }
  }

  /// A few words for a reader, for instance `battery low`.
  package var displayName: String {
    switch self {
    case .lowBattery: "battery low"
    case .silent: "not heard"
    case .bondLost: "not paired any more"
    case .batteryReplaced: "battery replaced"
    case .heardAgain: "heard again"
    case .pairedAgain: "paired again"
    }
  }
}

extension HealthRecord {
  /// The name of the tag that says what was found about a device.
  package static let deviceStatusTag = "device_status"

  /// Makes a record of the kind ``RecordKind/deviceStatus``.
  ///
  /// The same finding about the same device since the same moment has the same ``logID``. So telling
  /// it again stores nothing twice, and with another message it replaces the earlier one.
  ///
  /// - Parameters:
  ///   - finding: What was found.
  ///   - device: The device; it is recognised by its ``SourceDevice/id``, else by its serial number
  ///     or System ID, else by its names.
  ///   - since: When it began, the record's time; to a millisecond.
  ///   - date: When it was found.
  ///   - message: What was found and what to do, in plain text without health values.
  package init(
    deviceStatus finding: DeviceStatusFinding, of device: SourceDevice, since: Date, at date: Date,
    message: String
  ) {
    let since = since.roundedToMilliseconds
    let identity =
      device.id ?? device.serialNumber ?? device.systemID
      ?? "\(device.manufacturer ?? "-")\n\(device.model ?? "-")"
    let name =
      "santorio-device-status-1\n\(identity)\n\(finding.rawValue)\n\(since.timeIntervalSince1970)"
    self.init(
      logID: DigestUUID.text(of: name), kind: .deviceStatus,
      time: RecordTime(start: since, origin: .received, received: date),
      source: RecordSource(type: .bluetooth, device: device), metrics: [],
      tags: [RecordTag(name: Self.deviceStatusTag, value: finding.rawValue)])
    extras = ["message": .text(message)]
  }

  /// What the record says of a device; nil for another kind of record, or an unknown finding.
  package var deviceStatus: DeviceStatusFinding? {
    guard kind == .deviceStatus else { return nil }
    return tags.first { $0.name == Self.deviceStatusTag }
      .flatMap { DeviceStatusFinding(rawValue: $0.value) }
  }
}
