// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
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

  /// Whether to connect to the broker anew though the file says the same of it: the password is
  /// another one now, or nothing could be made of the settings before.
  var isBrokerOutdated: Bool {
    guard let broker = configuration.mqtt else { return false }
    guard let publisher else { return true }
    // A password that cannot be read now may still be right.
    let settings = try? broker.settings(hub: configuration.name, environment: environment)
    return settings.map { $0 != publisher.settings } ?? false
  }

  /// Leaves the broker; what is shown is taken back unless it goes on being shown there.
  func leaveBroker() async {
    brokerEvents?.cancel()
    let old = publisher
    (publisher, mqtt, brokerEvents) = (nil, nil, nil)
    guard let old else { return }
    let settings = configuration.mqtt?.settings(hub: configuration.name)
    let stays = settings.map(old.settings.hasSameTopics) ?? false
    guard await !old.close(isLeaving: !stays), !stays else { return }
    HubLog.warn("not all is taken back from the former broker")
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
