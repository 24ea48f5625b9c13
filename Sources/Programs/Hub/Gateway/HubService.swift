// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer
import SantorioConcurrency
import SantorioCore
import SantorioSystemd

/// A gateway with its control socket, its metrics and systemd's supervision, from its start to its end.
package final class HubService: Sendable {
  /// The gateway.
  package let gateway: HubGateway
  private let notifier: ServiceNotifier?
  private let control: HubControlServer
  private let metrics = Locked<HubMetricsServer?>(nil)
  private let log: @Sendable (String) -> Void

  /// Makes the service, which answers on its socket and reads nothing yet.
  ///
  /// - Parameters:
  ///   - configuration: What it is to do.
  ///   - file: The file of it.
  ///   - radio: The radio.
  ///   - environment: The environment of the process.
  ///   - log: Receives log lines of the servers, on any thread.
  /// - Throws: `SessionError`, ``HubControlError`` or `IngestError` when a folder, the socket or the
  ///   port of the metrics cannot be used.
  package init(
    _ configuration: HubConfiguration, file: String?, radio: HubRadio,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    log: @escaping @Sendable (String) -> Void
  ) throws {
    self.log = log
    notifier = ServiceNotifier(environment: environment)
    gateway = try HubGateway(configuration, file: file, radio: radio, environment: environment)
    control = try HubControlServer(
      socket: configuration.control.socket, users: configuration.control.users, log: log,
      handler: gateway)
    try serveMetrics(configuration.metrics)
  }

  /// Reads devices until somebody asks for the end, by the control socket or by `untilStopped`.
  ///
  /// - Parameters:
  ///   - reloads: Each element makes it read its configuration again.
  ///   - untilStopped: Returns when the process is to end.
  package func run(
    reloads: AsyncStream<Void>, untilStopped: @escaping @Sendable () async -> Void
  ) async {
    await gateway.setReloaded { [weak self] changes, configuration in
      self?.reloaded(changes, configuration)
    }
    await withTaskGroup { group in
      group.addTask {
        await self.gateway.start()
        await self.gateway.connectBroker()
        self.notifier?.send(.ready, .status(await self.summary()))
        await self.reassure()
      }
      group.addTask { for await _ in reloads { await self.reload() } }
      group.addTask { await untilStopped() }
      group.addTask { await self.gateway.untilStopRequested() }
      // Of these only the last two end by themselves.
      await group.next()
      group.cancelAll()
    }
    notifier?.send(.stopping, .status("stopping: what is being read is read to its end"))
    await control.stop()
    await gateway.stop()
    metrics.withLock { $0?.stop() }
  }

  // MARK: - Reload

  private func reload() async {
    notifier?.send(.reloading)
    let outcome = await gateway.reload()
    for finding in outcome.findings { log("\(finding)") }
    for change in outcome.changes { log(change) }
    if !outcome.isInUse { log("the configuration was not changed: it has errors") }
    if !outcome.restart.isEmpty {
      log("only a restart changes: \(outcome.restart.joined(separator: ", "))")
    }
    notifier?.send(.ready, .status(await summary()))
  }

  private func reloaded(
    _ changes: HubConfiguration.Changes, _ configuration: HubConfiguration
  ) {
    control.allow(configuration.control.users)
    guard changes.parts.contains(.metrics) else { return }
    do {
      try serveMetrics(configuration.metrics)
    } catch {
      log("metrics are not served: \(error)")
    }
  }

  private func serveMetrics(_ configuration: HubConfiguration.Metrics?) throws(IngestError) {
    try metrics.withLock { metrics throws(IngestError) in
      metrics?.stop()
      metrics = nil
      guard let configuration else { return }
      metrics = try HubMetricsServer(configuration, log: log) { [gateway] in gateway.metrics }
    }
  }

  // MARK: - Supervision

  /// Tells systemd that the gateway works, as often as it asks for.
  private func reassure() async {
    let pause = min(notifier?.watchdogInterval.map { $0 / 2 } ?? .seconds(60), .seconds(60))
    while (try? await Task.sleep(for: pause)) != nil {
      // Through all that could hang: the gateway, the central's queue.
      let text = await summary()
      guard let notifier else { continue }
      notifier.send(.watchdog, .status(text))
    }
  }

  /// One line without aliases.
  private func summary() async -> String {
    let status = await gateway.status()
    let devices = status.patients.reduce(0) { $0 + $1.devices.count }
    let queued = status.patients.reduce(0) { $0 + $1.queued }
    let held = status.patients.reduce(0) { $0 + $1.held }
    let patients = status.patients.count { !$0.isShared }
    return
      "\(patients) patients, \(devices) devices, \(queued) readings wait for the server, \(held) "
      + "for a decision" + (status.adapter.works ? "" : "; Bluetooth cannot be used")
  }
}
