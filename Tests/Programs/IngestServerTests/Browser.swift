// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import IngestServer

/// Headless Chromium, driven by ChromeDriver (W3C WebDriver); Debian's package `chromium-driver`.
final class Browser {
  private static let path = "/usr/bin/chromedriver"

  /// Whether this machine has one.
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  private let folder: TemporaryFolder
  private let process: Process
  private let port: UInt16
  private var session = ""

  init() throws {
    folder = try TemporaryFolder()
    (process, port) = try Self.startDriver()
    let arguments = ["--headless", "--no-sandbox", "--user-data-dir=\(folder.path)/profile"]
    let answer = try call(
      "POST", "/session",
      ["capabilities": ["alwaysMatch": ["goog:chromeOptions": ["args": arguments]]]])
    session = try #require((answer as? [String: Any])?["sessionId"] as? String)
    _ = try call("POST", "/session/\(session)/timeouts", ["script": 200_000])
  }

  deinit {
    guard process.isRunning else { return }
    if !session.isEmpty { _ = try? call("DELETE", "/session/\(session)", nil) }
    // A child of the tests may have SIGTERM blocked.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts a driver, which takes a free port of IPv6 and then wants the same of IPv4; a program
  /// beside it may have that one.
  private static func startDriver() throws -> (process: Process, port: UInt16) {
    for _ in 0..<10 {
      let (process, output) = (Process(), Pipe.make())
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = ["--port=0"]
      process.environment = ProcessInfo.processInfo.environment.merging(["TZ": "Europe/Berlin"]) {
        $1
      }
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.start()
      if let port = try port(output.fileHandleForReading) { return (process, port) }
      process.waitUntilExit()
    }
    throw SocketClient.Failure(description: "no driver: its port was taken ten times")
  }

  /// The port is in the last line that it writes when it is ready; nil when the port was taken.
  private static func port(_ output: FileHandle) throws -> UInt16? {
    var text = ""
    while true {
      let data = output.availableData
      guard !data.isEmpty else {
        guard text.contains("port not available") else {
          throw SocketClient.Failure(description: "no driver: \(text)")
        }
        return nil
      }
      text += String(decoding: data, as: UTF8.self)
      if let match = text.firstMatch(of: /successfully on port (\d+)/), let port = UInt16(match.1) {
        return port
      }
    }
  }

  func open(_ address: String) throws {
    _ = try call("POST", "/session/\(session)/url", ["url": address])
  }

  /// Waits until an expression is true, and gives the value of another one.
  ///
  /// Each change of the document is a reason to look again.
  func value(of expression: String, when condition: String) throws -> Any? {
    let script = """
      const done = arguments[0];
      const look = () => {
        if (!(\(condition))) return;
        watch.disconnect();
        done(\(expression));
      };
      const watch = new MutationObserver(look);
      watch.observe(document, {
        subtree: true, childList: true, attributes: true, characterData: true });
      look();
      """
    return try call(
      "POST", "/session/\(session)/execute/async", ["script": script, "args": [Any]()])
  }

  /// The resources of the page after its garbage was collected.
  struct Usage {
    /// The time that the page's main thread has worked since the page was opened, in seconds.
    let busySeconds: Double
    let heapBytes: Int
    let nodes: Int
  }

  func usage() throws -> Usage {
    _ = try command("HeapProfiler.collectGarbage")
    _ = try command("Performance.enable")
    let answer = try command("Performance.getMetrics") as? [String: Any]
    let metrics = (answer?["metrics"] as? [[String: Any]] ?? []).map { metric in
      (metric["name"] as? String ?? "", metric["value"] as? Double ?? 0)
    }
    let values = Dictionary(metrics) { first, _ in first }
    return Usage(
      busySeconds: values["TaskDuration"] ?? 0, heapBytes: Int(values["JSHeapUsedSize"] ?? 0),
      nodes: Int(values["Nodes"] ?? 0))
  }

  /// Sends a command of the Chrome DevTools Protocol.
  private func command(_ name: String) throws -> Any? {
    try call(
      "POST", "/session/\(session)/goog/cdp/execute", ["cmd": name, "params": [String: Any]()])
  }

  private func call(_ method: String, _ path: String, _ content: [String: Any]?) throws -> Any? {
    let body = try content.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let client = try SocketClient(port)
    try client.send(
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.count)\r\n\r\n")
    try client.send(Array(body))
    let reply = try client.reply()
    guard reply.status == 200 else { throw SocketClient.Failure(description: reply.text) }
    let answer = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
    return answer?["value"]
  }
}
