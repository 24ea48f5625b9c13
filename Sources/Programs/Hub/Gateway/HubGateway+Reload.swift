// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioMQTT

extension HubGateway {
  /// Reads the configuration again and works by it, unless it has errors.
  ///
  /// After all reloads that were asked for before, whose outcome it cannot undo: the file is read
  /// when they are done.
  package func reload() async -> HubAnswer.Reload {
    await reloads.add { await self.reloadNow() }.value
  }

  private func reloadNow() async -> HubAnswer.Reload {
    guard let file else {
      return HubAnswer.Reload(
        isInUse: false,
        findings: [HubFinding(.error, at: "", "this hub was started without a file")])
    }
    let reading = HubConfiguration.check(
      file: file, environment: environment, isRunning: true)
    guard var new = reading.configuration else {
      HubLog.warn("configuration not read again: it has errors")
      return HubAnswer.Reload(isInUse: false, findings: reading.findings)
    }
    let old = configuration
    let changes = old.changes(to: new)
    // What cannot change while it runs stays as it is.
    (new.name, new.folder, new.radio) = (old.name, old.folder, old.radio)
    (new.queueKey, new.control.socket) = (old.queueKey, old.control.socket)
    let leaving = changes.changed.filter { $0.parts.contains(.user) && $0.old.account != nil }
    let kept = await waiting(of: changes.removed + leaving.map(\.old))
    await self.changes.add { [new] in await self.apply(new) }.value
    let isBrokerOutdated = isBrokerOutdated
    if changes.parts.contains(.mqtt) || isBrokerOutdated { await connectBroker() }
    reloaded?(changes, new)
    await update()
    HubLog.note("configuration read again")
    var sentences = changes.sentences(kept)
    if isBrokerOutdated, publisher != nil, !changes.parts.contains(.mqtt) {
      sentences.append("mqtt: connects anew, with the password that is there now")
    }
    return HubAnswer.Reload(
      isInUse: true, changes: sentences, restart: changes.restart,
      findings: reading.findings)
  }

  /// Says what is to be done with a new configuration beside the gateway's own work.
  func setReloaded(
    _ body: @escaping @Sendable (HubConfiguration.Changes, HubConfiguration) -> Void
  ) { reloaded = body }

  /// How many records of some patients are still on the disk.
  private func waiting(of patients: [HubConfiguration.Patient]) async -> [String: Int] {
    var waiting: [String: Int] = [:]
    for patient in patients {
      guard let session = await sessions[patient.alias]?.session else { continue }
      let (pending, held) = (try? await session.pendingCount(), try? await session.heldCount())
      waiting[patient.alias] = (pending ?? 0) + (held ?? 0)
    }
    return waiting
  }

  // MARK: - MQTT

  /// Connects to the broker of the configuration, if there is one.
  package func connectBroker() async {
    await leaveBroker()
    // Another reload may have connected meanwhile.
    guard publisher == nil, let broker = configuration.mqtt else { return }
    do {
      var settings = try broker.settings(hub: configuration.name, environment: environment)
      settings.installation = memory.installation()
      try settings.validate()
      let client = MQTTClient(settings.client)
      let events = client.events()
      publisher = HomeAssistantPublisher(
        client, settings, patients: shownPatients, now: radio.now)
      mqtt = .awaitedBroker
      brokerEvents = Task { for await event in events { self.note(event) } }
    } catch {
      mqtt = HubStatus.Part(works: false, "\(error)")
      HubLog.warn("broker cannot be used")
    }
  }
}

extension HubConfiguration.Broker {
  /// What the publisher needs.
  ///
  /// - Throws: `HubSecret.Failure` when the password cannot be read.
  func settings(
    hub: String, environment: [String: String]
  ) throws(HubSecret.Failure) -> HomeAssistantSettings {
    var settings = settings(hub: hub)
    settings.password = try password.map { secret throws(HubSecret.Failure) in
      Array(try secret.read(environment: environment).utf8)
    }
    return settings
  }

  /// The same without the password.
  func settings(hub: String) -> HomeAssistantSettings {
    var settings = HomeAssistantSettings(hub: hub, host: host)
    (settings.port, settings.usesTLS, settings.caFile) = (Int(port), isSecure, authorities)
    settings.username = user
    (settings.prefix, settings.discoveryPrefix) = (topic, discovery)
    settings.expiry = expiresAfter * 3600
    return settings
  }
}

extension HubConfiguration.Changes {
  /// What was done, for a person.
  fileprivate func sentences(_ kept: [String: Int]) -> [String] {
    added.map { "\($0.alias): is read for from now on" }
      + removed.map { patient in
        let count = kept[patient.alias] ?? 0
        return "\(patient.alias): is not read for any more"
          + (count > 0
            ? "; \(count) records stay in the folder \(patient.folder) and are not sent: "
              + "\"santorio queue\" works on it" : "")
      }
      + changed.map { change in
        let parts = change.parts.map(\.rawValue).sorted().joined(separator: ", ")
        let count = change.parts.contains(.user) ? kept[change.old.alias] ?? 0 : 0
        return "\(change.new.alias): changed: \(parts)"
          + (count > 0
            ? "; \(count) records of the former user are archived in the folder "
              + "\(change.old.folder) and are not sent: \"santorio queue list archives\" shows them"
            : "")
      }
      + moved.map { move in
        "\(move.device.uuidString): was \(move.from.joined(separator: ", "))'s, is "
          + "\(move.to.joined(separator: ", "))'s now"
      } + parts.map(\.rawValue).sorted().map { "changed: \($0)" }
  }
}
