// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency

/// Serves a few texts over plain HTTP that are made for each request, such as metrics.
package final class PageServer: Sendable {
  /// The content of a page.
  package struct Page: Sendable {
    fileprivate let type: String
    fileprivate let text: String

    /// Makes the content of a page.
    ///
    /// - Parameters:
    ///   - type: Its type in HTTP.
    ///   - text: The text.
    package init(type: String, text: String) {
      self.type = type
      self.text = text
    }
  }

  /// The port that it listens on; 0 for a socket file.
  package var port: UInt16 { http.ports.first ?? 0 }

  private let http: HTTPServer

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - address: The address; a socket file is for the program's user and group.
  ///   - port: The port of an address without one of its own; 0 for any free port.
  ///   - pages: Makes each page, by its path; called on any thread, and must not block.
  ///   - log: Receives log lines, on any thread.
  /// - Throws: ``IngestError`` of code `cannot_listen`.
  package init(
    _ address: ListenAddress, port: UInt16, pages: [String: @Sendable () -> Page],
    log: @escaping @Sendable (String) -> Void
  ) throws(IngestError) {
    var limits = IngestServer.Limits()
    // Monitoring needs few, and must not take files from the program that it monitors.
    limits.connections = 16
    limits.connectionsPerAddress = 16
    limits.headMemory = 8 << 10
    limits.discarded = 64 << 10
    http = try HTTPServer(
      HTTPServer.Listening(addresses: [address], port: port, socketMode: 0o660), limits: limits,
      monotonicClock: MonotonicClock(ContinuousClock()),
      application: PageApplication(pages: pages), log: log)
  }

  /// Stops listening, and closes all connections.
  package func stop() { http.stop(until: .now() + .seconds(2)) {} }

  deinit { stop() }
}

/// Answers each request by its header alone.
private struct PageApplication: HTTPApplication {
  let pages: [String: @Sendable () -> PageServer.Page]

  func admit(_ head: RequestHead) -> Admission {
    guard let page = pages[head.path] else {
      return Admission(
        label: "unknown page",
        decision: .refuse(.failure(404, Fault("not_found", "there is no such page"))))
    }
    guard ["GET", "HEAD"].contains(head.method) else {
      let fault = Fault("method_not_allowed", "this page can be read only")
      return Admission(
        label: "page",
        decision: .refuse(.failure(405, fault, headers: [(name: "Allow", value: "GET, HEAD")])))
    }
    let content = page()
    return Admission(
      label: "page",
      decision: .refuse(
        HTTPResponse(200, type: content.type, body: .bytes(Array(content.text.utf8)))))
  }

  func answered(_ label: String, status: Int, milliseconds: Int) {}
}
