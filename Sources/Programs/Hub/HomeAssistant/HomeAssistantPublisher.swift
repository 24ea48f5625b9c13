// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthRecords
import SantorioConcurrency
import SantorioCryptography
package import SantorioMQTT

/// Shows the latest readings of patients in Home Assistant, by MQTT discovery.
///
/// All methods only note what is to be shown and return at once; a task of the publisher's own sends
/// it. What could not be sent is sent after the next connection, in its latest state.
package final class HomeAssistantPublisher: Sendable {
  private let topics: HomeAssistantTopics
  private let client: MQTTClient
  private let outgoing = OutgoingTopics()
  private let tasks: [Task<Void, Never>]

  /// What became of a record or a charge.
  package enum Outcome: Hashable, Sendable {
    /// So many of its values are shown, or will be.
    case shown(values: Int)
    /// A later reading of each of its values is shown already.
    case late
    /// It is not for showing: a rejected reading, one of an unknown user, or one without values.
    case withheld
  }

  /// Starts the client and publishes by it.
  ///
  /// - Parameters:
  ///   - client: The client, made with the settings' ``HomeAssistantSettings/client``.
  ///   - settings: The settings.
  package init(_ client: MQTTClient, _ settings: HomeAssistantSettings) {
    self.client = client
    let topics = HomeAssistantTopics(settings)
    self.topics = topics
    // Before the start: what the broker has kept comes at once.
    let events = client.events()
    tasks = [
      Task { [outgoing] in
        for await event in events { outgoing.handle(event, topics) }
        outgoing.settle()
      },
      Task { [outgoing] in await outgoing.send(by: client) },
    ]
    client.start()
  }

  deinit {
    for task in tasks { task.cancel() }
    outgoing.settle()
  }

  /// Shows the values of a record of a patient, unless later ones are shown.
  ///
  /// A record that was entered in error takes the values back that it has brought.
  ///
  /// - Parameters:
  ///   - record: The record, of which it is certain whose it is: one that is held is not to be
  ///     given.
  ///   - patient: The patient's alias in the configuration.
  ///   - device: The device's name in the configuration; nil for one made of the record's source.
  /// - Returns: What became of it.
  @discardableResult
  package func publish(
    _ record: HealthRecord, patient: String, device: String? = nil
  ) -> Outcome {
    let device = SensorDevice(name: device, record.source)
    return publish(SensorState.states(of: record), device, patient)
  }

  /// Shows the charge of a device's battery, unless a later one is shown.
  ///
  /// - Parameters:
  ///   - percent: The charge, 0...100.
  ///   - device: The device.
  ///   - patient: The patient's alias in the configuration.
  ///   - time: When it was read.
  /// - Returns: What became of it.
  @discardableResult
  package func publish(
    batteryPercent percent: Int, of device: SensorDevice, patient: String, at time: Date = Date()
  ) -> Outcome {
    publish([.battery(percent, at: time, nil)], device, patient)
  }

  /// Says who the patients are: what is shown of others, also from an earlier run, is taken back.
  ///
  /// - Parameter patients: Who each is, whatever the alias, by the alias in the configuration.
  package func setPatients(_ patients: [String: String]) {
    let owners = patients.map { alias, id in
      (TopicSegment.text(alias), String(SHA256Digest.hex(Array(id.utf8)).prefix(12)))
    }
    outgoing.setOwners(Dictionary(owners, uniquingKeysWith: { $1 }), topics)
  }

  /// Takes back all that is shown of a device.
  ///
  /// - Parameters:
  ///   - device: The device's name.
  ///   - patient: The patient's alias in the configuration.
  package func withdraw(_ device: String, patient: String) {
    let availability = topics.availability(device, patient: patient)
    outgoing.update { retained in
      for state in retained.states {
        let related = topics.related(toState: state) ?? []
        guard related.contains(availability) else { continue }
        for topic in related { retained.withdraw(topic) }
      }
    }
  }

  /// Says whether a device is there; it is from its first value on, until this says otherwise.
  ///
  /// - Parameters:
  ///   - isAvailable: Whether it is there.
  ///   - device: The device's name.
  ///   - patient: The patient's alias in the configuration.
  package func setAvailability(_ isAvailable: Bool, of device: String, patient: String) {
    outgoing.update { retained in
      _ = retained.set(
        topics.availability(device, patient: patient), .availability, Self.payload(isAvailable))
    }
  }

  /// Waits until all is sent, or cannot be sent at present.
  ///
  /// - Returns: Whether the broker has acknowledged all.
  @discardableResult
  package func flush() async -> Bool { await outgoing.flush() }

  /// Sends what can be sent, says that the hub is offline, and closes the client.
  package func close() async {
    await flush()
    await client.close()
  }

  // MARK: - What is sent

  private func publish(_ states: [SensorState], _ device: SensorDevice, _ patient: String)
    -> Outcome
  {
    guard !states.isEmpty else { return .withheld }
    let owner = outgoing.owner(of: patient)
    let count = outgoing.update { retained in
      states.count { state in
        var state = state
        state.owner = owner
        return show(state, device, patient, in: &retained)
      }
    }
    if states.allSatisfy(\.isRetracted) { return .withheld }
    return count == 0 ? .late : .shown(values: count)
  }

  private func show(
    _ state: SensorState, _ device: SensorDevice, _ patient: String,
    in retained: inout RetainedTopics
  ) -> Bool {
    let topic = topics.state(state.object, device.name, patient: patient)
    let content = RetainedTopics.Content.state(
      milliseconds: state.milliseconds, record: state.record, owner: state.owner)
    if state.isRetracted {
      guard case .state(_, let record, _)? = retained.content(topic), record == state.record else {
        return false
      }
    } else if let shown = retained.content(topic), shown.isLater(than: content) {
      return false
    }
    let config = DiscoveryConfig(
      object: state.object, device: device, patient: patient, unit: state.unit, topics: topics)
    // What a sensor is must be known before its state.
    _ = retained.set(config.topic, .discovery, config.payload)
    let availability = topics.availability(device.name, patient: patient)
    if retained.content(availability) == nil {
      _ = retained.set(availability, .availability, Self.payload(true))
    }
    return retained.set(topic, content, state.payload)
  }

  private static func payload(_ isAvailable: Bool) -> [UInt8] {
    Array((isAvailable ? "online" : "offline").utf8)
  }
}

extension RetainedTopics.Content {
  fileprivate func isLater(than other: Self) -> Bool {
    guard case .state(let own, _, _) = self, case .state(let other, _, _) = other else {
      return false
    }
    return own > other
  }
}
