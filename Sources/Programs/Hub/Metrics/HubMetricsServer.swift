// SPDX-License-Identifier: Apache-2.0

package import IngestServer

/// Serves a hub's metrics at `/metrics` over HTTP.
package final class HubMetricsServer: Sendable {
  private let pages: PageServer

  /// The port; 0 for a socket file.
  package var port: UInt16 { pages.port }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - configuration: Where to listen.
  ///   - log: Receives log lines, on any thread.
  ///   - metrics: Returns the current metrics; called on any thread, and must not block.
  /// - Throws: `IngestError` when the address cannot be listened on.
  package init(
    _ configuration: HubConfiguration.Metrics, log: @escaping @Sendable (String) -> Void = { _ in },
    metrics: @escaping @Sendable () -> HubMetrics
  ) throws(IngestError) {
    pages = try PageServer(
      ListenAddress(configuration.listen), port: HubConfiguration.Metrics.port,
      pages: [
        "/metrics": { PageServer.Page(type: HubMetrics.contentType, text: metrics().text) }
      ], log: log)
  }

  /// Stops listening, and closes all connections.
  package func stop() { pages.stop() }
}
