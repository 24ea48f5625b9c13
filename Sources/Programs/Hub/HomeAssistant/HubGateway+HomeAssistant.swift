// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import SantorioCryptography
import SantorioMQTT

extension HubGateway {
  /// Who the patients are, and what the devices are called that each has now.
  var shownPatients: [String: ShownPatient] {
    let facts = memory.current
    var patients = configuration.owners.mapValues { ShownPatient($0, devices: []) }
    for device in assignments.devices {
      guard let name = facts[device.identifier]?.shownAs else { continue }
      for owner in device.owners { patients[owner.patient]?.devices.insert(name) }
    }
    return patients
  }

  /// What the device of a reading is called.
  ///
  /// - Parameters:
  ///   - record: The reading.
  ///   - device: The device; nil where that has to be found out by what the reading says.
  ///   - alias: Whose reading it is.
  /// - Returns: The name; nil where it may be of several devices.
  func shownName(of record: HealthRecord, from device: UUID?, patient alias: String) -> String? {
    let (facts, said) = (memory.current, SensorDevice(record.source).name)
    if let device { return shownName(of: device, saying: said) }
    let own = assignments.devices.filter { one in one.owners.contains { $0.patient == alias } }
    let names = Set(own.compactMap { facts[$0.identifier]?.shownAs }).filter { name in
      name == said || own.contains { name == HubFacts.name(said, apart: $0.identifier) }
    }
    return names.count > 1 ? nil : names.first ?? said
  }

  /// What a device is called that is somebody's.
  func shownName(of device: UUID, saying said: String) -> String {
    memory.current.shownName(
      of: device, saying: said, among: Set(assignments.devices.map(\.identifier)))
  }

  /// Whether to connect to the broker anew though the file says the same of it: the password is
  /// another one now, or nothing could be made of the settings before.
  var isBrokerOutdated: Bool {
    guard let broker = configuration.mqtt else { return false }
    guard let publisher else { return true }
    // A password that cannot be read now may still be right.
    guard
      var settings = try? broker.settings(hub: configuration.name, environment: environment)
    else { return false }
    settings.installation = memory.installation()
    return settings != publisher.settings
  }

  /// Leaves the broker; what is shown is taken back unless it goes on being shown there.
  func leaveBroker() async {
    brokerEvents?.cancel()
    let old = publisher
    (publisher, mqtt, brokerEvents, isNamesakeWarned) = (nil, nil, nil, false)
    guard let old else { return }
    let settings = configuration.mqtt?.settings(hub: configuration.name)
    let stays = settings.map(old.settings.hasSameTopics) ?? false
    guard await !old.close(isLeaving: !stays), !stays else { return }
    HubLog.warn("not all is taken back from the former broker")
  }

  /// How the connection to the broker is; nil without one.
  var brokerPart: HubStatus.Part? {
    guard let mqtt, mqtt.works, publisher?.hasNamesake == true else { return mqtt }
    return HubStatus.Part(
      works: false, "another hub has this name; give one of them another \"name\", and restart it")
  }

  /// Warns once of another hub of this name.
  func warnOfNamesake() {
    let isThere = publisher?.hasNamesake == true
    if isThere, !isNamesakeWarned { HubLog.warn("another hub of this name is at the broker") }
    isNamesakeWarned = isThere
  }

  func note(_ event: MQTTEvent) {
    switch mqtt?.note(event) {
    case .connected: HubLog.note("broker connected")
    case .lost(let reason): HubLog.warn("broker lost", .error(named: reason))
    case .unreachable(let reason): HubLog.warn("broker not reached", .error(named: reason))
    case nil: break
    }
  }
}

extension HubFacts {
  /// What a device is called: what it says of itself, unless another device says the same.
  ///
  /// Many a device has no serial number, or the same one as all others.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - said: The name that is made of what it says.
  ///   - others: The devices that are somebody's.
  /// - Returns: The name, which stays the same.
  func shownName(of device: UUID, saying said: String, among others: Set<UUID>) -> String {
    let own = Self.name(said, apart: device)
    let isTaken = others.contains { $0 != device && self[$0]?.shownAs == said }
    return isTaken || self[device]?.shownAs == own ? own : said
  }

  /// A name with what tells the device from others of that name.
  static func name(_ said: String, apart device: UUID) -> String {
    "\(said) \(SHA256Digest.hex(Array(device.uuidString.utf8)).prefix(4))"
  }
}
