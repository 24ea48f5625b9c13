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
  /// How long the end waits for the broker's acknowledgements.
  package static let longestFlush = Duration.seconds(5)

  /// The settings that it works by.
  package let settings: HomeAssistantSettings
  private let topics: HomeAssistantTopics
  private let client: MQTTClient
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let outgoing: OutgoingTopics
  private let tasks: [Task<Void, Never>]

  /// What became of a record or a charge.
  package enum Outcome: Hashable, Sendable {
    /// So many of its values are shown, or will be.
    case shown(values: Int)
    /// A later reading of each of its values is shown already.
    case late
    /// It is too old to be shown as the present one.
    case outdated
    /// It is not for showing: a rejected reading, one of an unknown user, one without values, or one
    /// of a device that is not the patient's.
    case withheld
  }

  /// Starts the client and publishes by it.
  ///
  /// - Parameters:
  ///   - client: The client, made with the settings' ``HomeAssistantSettings/client``.
  ///   - settings: The settings.
  ///   - patients: What may be shown, as in ``setAssignments(_:)``; nil for all that is published.
  ///   - clock: The clock of waits.
  ///   - now: The time of day.
  package init(
    _ client: MQTTClient, _ settings: HomeAssistantSettings,
    patients: [String: ShownPatient]? = nil, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    (self.client, self.settings, self.clock, self.now) = (client, settings, clock, now)
    let topics = HomeAssistantTopics(settings)
    self.topics = topics
    let outgoing = OutgoingTopics(
      patients.map(Self.places), installation: settings.installation, now: now)
    self.outgoing = outgoing
    let (claims, claim) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Before the start: what the broker has kept comes at once.
    let events = client.events()
    tasks = [
      Task {
        for await event in events where outgoing.handle(event, topics) { claim.yield() }
        outgoing.settle()
      },
      Task {
        while (try? await clock.sleep(for: Namesakes.period)) != nil {
          outgoing.endPeriod(topics)
          outgoing.expire(before: now().addingTimeInterval(-Double(settings.expiry)), topics)
          claim.yield()
        }
      },
      Task { for await _ in claims { await Self.announce(outgoing, topics, by: client) } },
      Task { await outgoing.send(by: client) },
    ]
    client.start()
  }

  deinit {
    for task in tasks { task.cancel() }
    outgoing.settle()
  }

  /// Tells other hubs of this name that this one is there; without a connection there are none.
  private static func announce(
    _ outgoing: OutgoingTopics, _ topics: HomeAssistantTopics, by client: MQTTClient
  ) async {
    guard let claim = outgoing.claim else { return }
    try? await client.publish(MQTTMessage(topic: topics.installations, payload: claim))
  }

  /// Whether another hub of this name shows readings at the broker, too.
  package var hasNamesake: Bool { outgoing.hasNamesake }

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

  /// Says who the patients are and which devices each has: nothing else is shown from now on, and what
  /// is shown, also from an earlier run, is taken back.
  ///
  /// - Parameter patients: The patients, by their aliases in the configuration.
  package func setAssignments(_ patients: [String: ShownPatient]) {
    outgoing.setPlaces(Self.places(patients), topics)
  }

  private static func places(_ patients: [String: ShownPatient]) -> [String: ShownPlaces] {
    let places = patients.map { alias, patient in
      let owner = String(SHA256Digest.hex(Array(patient.owner.utf8)).prefix(12))
      let devices = Set(patient.devices.map(TopicSegment.text))
      return (TopicSegment.text(alias), ShownPlaces(owner: owner, devices: devices))
    }
    return Dictionary(places, uniquingKeysWith: { $1 })
  }

  /// Says whether a device is there, of which a value is shown; it is from its first value on, until
  /// this says otherwise.
  ///
  /// - Parameters:
  ///   - isAvailable: Whether it is there.
  ///   - device: The device's name.
  ///   - patient: The patient's alias in the configuration.
  package func setAvailability(_ isAvailable: Bool, of device: String, patient: String) {
    let place = DevicePlace(device, patient: patient)
    _ = outgoing.update(place) { retained, _ in
      guard !retained.states(in: topics.folder(place)).isEmpty else { return }
      _ = retained.set(topics.availability(place), .availability, Self.payload(isAvailable))
    }
  }

  /// Waits until all is sent, or cannot be sent at present.
  ///
  /// - Returns: Whether the broker has acknowledged all.
  @discardableResult
  package func flush() async -> Bool { await outgoing.flush() }

  /// Sends what can be sent within ``longestFlush``, says that the hub is offline, and closes the
  /// client, which may take as long again.
  ///
  /// - Parameter isLeaving: Whether all that is shown is taken back before.
  /// - Returns: Whether the broker has acknowledged all.
  @discardableResult
  package func close(isLeaving: Bool = false) async -> Bool {
    if isLeaving { setAssignments([:]) }
    let isSent = await outgoing.flush(within: Self.longestFlush, by: clock)
    await client.close()
    return isSent
  }

  // MARK: - What is sent

  private func publish(_ states: [SensorState], _ device: SensorDevice, _ patient: String)
    -> Outcome
  {
    guard !states.isEmpty else { return .withheld }
    let oldest = now().addingTimeInterval(-Double(settings.expiry))
    let states = states.filter { $0.isRetracted || !$0.object.expires || $0.time >= oldest }
    guard !states.isEmpty else { return .outdated }
    let shown = outgoing.update(DevicePlace(device.name, patient: patient)) { retained, owner in
      states.count { state in
        var state = state
        (state.owner, state.hub) = (owner, settings.installation)
        return show(state, device, patient, in: &retained)
      }
    }
    guard let shown, !states.allSatisfy(\.isRetracted) else { return .withheld }
    return shown == 0 ? .late : .shown(values: shown)
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
    } else if retained.isLate(content, for: topic) {
      return false
    }
    let config = DiscoveryConfig(
      object: state.object, device: device, patient: patient, unit: state.unit, topics: topics,
      expiry: settings.expiry)
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

/// A patient of whom readings are shown.
package struct ShownPatient: Hashable, Sendable {
  /// Who the patient is, whatever the alias.
  package var owner: String
  /// The names of the patient's devices, see ``SensorDevice``.
  package var devices: Set<String>

  /// Describes a patient.
  package init(_ owner: String, devices: Set<String>) {
    self.owner = owner
    self.devices = devices
  }
}
