// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// By which characteristics an Omron device's memory is reached.
package struct OmronAccess: Hashable, Sendable {
  /// Where requests are written; the first takes the first piece of a frame.
  package let requests: [GATTAttribute]
  /// Where answers come from, in the same order.
  package let answers: [GATTAttribute]
  /// Where the device is opened.
  package let unlock: GATTAttribute?
  /// Whether it is opened by a key that was written once, not by the bond alone.
  package let usesKey: Bool

  private init(service: String, channelCount: Int, usesKey: Bool) {
    let requests = [
      "DB5B55E0-AEE7-11E1-965E-0002A5D5C51B", "E0B8A060-AEE7-11E1-92F4-0002A5D5C51B",
      "0AE12B00-AEE8-11E1-A192-0002A5D5C51B", "10E1BA60-AEE8-11E1-89E5-0002A5D5C51B",
    ]
    let answers = [
      "49123040-AEE8-11E1-A74D-0002A5D5C51B", "4D0BF320-AEE8-11E1-A0D9-0002A5D5C51B",
      "5128CE60-AEE8-11E1-B84B-0002A5D5C51B", "560F1420-AEE8-11E1-8184-0002A5D5C51B",
    ]
    self.requests = requests.prefix(channelCount).map { GATTAttribute(service, $0) }
    self.answers = answers.prefix(channelCount).map { GATTAttribute(service, $0) }
    unlock = GATTAttribute(service, "B305B680-AEE7-11E1-A730-0002A5D5C51B")
    self.usesKey = usesKey
  }

  /// Models up to about 2018: four channels each way, and a key.
  package static let classic = OmronAccess(
    service: "ECBE3980-C9A2-11E1-B1BD-0002A5D5C51B", channelCount: 4, usesKey: true)
  /// Later models: one channel each way, and the bond.
  package static let modern = OmronAccess(service: "FE4A", channelCount: 1, usesKey: false)
}

extension DriverModel {
  /// Omron's monitors whose memory is read over four channels.
  package static let omronClassicMemory = DriverModel(
    id: "omron-classic-memory", name: "Omron memory, four channels",
    required: OmronAccess.classic.requests + OmronAccess.classic.answers
      + [OmronAccess.classic.unlock].compactMap { $0 },
    optional: profile,
    confidence: .agreed,
    sources: ["userx14/omblepy", "oliexdev/openScale", "LeonidAn1988/omron-bp"],
    readsMemory: true, userNumbering: .omronMemory
  ) { OmronMemoryDriver($0, access: .classic) }

  private static let profile: [GATTAttribute] = [
    .bloodPressureMeasurement, .currentTime, .omronRecordAccess,
  ]

  /// Omron's monitors whose memory is read over one channel.
  package static let omronModernMemory = DriverModel(
    id: "omron-modern-memory", name: "Omron memory, one channel",
    required: OmronAccess.modern.requests + OmronAccess.modern.answers,
    optional: [OmronAccess.modern.unlock].compactMap { $0 } + profile,
    confidence: .agreed, sources: ["eigger/hass-omron", "LeonidAn1988/omron-bp"],
    readsMemory: true, userNumbering: .omronMemory
  ) { OmronMemoryDriver($0, access: .modern) }
}

extension UserNumbering {
  /// The memory has an area for each user, the first for the one whom the switch calls 1.
  fileprivate static let omronMemory = UserNumbering.from(
    1, sources: ["userx14/omblepy, deviceSpecific (user1, user2)", "eigger/hass-omron, issue 13"])
}

extension DeviceReading {
  /// A slot of the memory; nil when it is empty.
  init?(omronSlot bytes: [UInt8], layout: OmronRecordLayout, user: Int) {
    do throws(PayloadError) {
      guard let record = try OmronRecord(slot: bytes, layout: layout) else { return nil }
      self.init(
        systolic: record.systolic, diastolic: record.diastolic, pulseRate: record.pulseRate,
        clock: .local(record.time), payload: bytes)
      sequenceNumber = record.sequence.map { Int($0) }
      if record.hasBodyMovement { findings.append(.init("body_movement")) }
      if record.hasIrregularPulse { findings.append(.init("irregular_pulse")) }
    } catch {
      self.init(error, payload: bytes)
    }
    userSlot = user
  }
}
