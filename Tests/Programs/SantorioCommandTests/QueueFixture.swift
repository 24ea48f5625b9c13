// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import Testing

/// A session's folder, and the command that works on it.
struct QueueFixture {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  let alice = SantorioUser(userID: "u1", organizationID: "o1", accessToken: "t1")

  func record(_ logID: String) -> HealthRecord {
    let time = Date(timeIntervalSince1970: 1_772_600_767)
    return HealthRecord(
      logID: logID, time: RecordTime(start: time, origin: .device, received: time),
      source: RecordSource(type: .bluetooth, device: SourceDevice(model: "M1")),
      metrics: [Metric(.systolic, 127)])
  }

  func session(
    message: String = "no such unit", now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> SantorioSession {
    let url = try #require(URL(string: "http://127.0.0.1:9"))
    var configuration = SantorioSession.Configuration(directory: folder, endpoint: url)
    configuration.transport = PickyServer(message: message)
    configuration.notificationCenter = NotificationCenter()
    configuration.now = now
    return SantorioSession(configuration)
  }

  /// Uploads until so many events of refused records or images were told.
  func upload(_ session: SantorioSession, untilRefused refused: Int) async {
    let events = session.events
    session.resume()
    var count = 0
    for await event in events {
      switch event {
      case .recordFailed, .imageFailed: count += 1
      default: break
      }
      if count == refused { break }
    }
    await session.suspend()
  }

  func run(_ words: [String], environment: [String: String] = [:]) async throws -> CommandProcess {
    try await CommandProcess(
      ["queue"] + words + ["--data", folder.path], environment: environment)
  }

  /// The name of the one archive.
  func archive() async throws -> String {
    try #require(
      try await run(["list", "archives"]).output.split(separator: " ").first.map(String.init))
  }
}

/// A server that takes some records, refuses others and all images, and gives no result for the rest.
private struct PickyServer: HTTPTransport {
  let message: String

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard request.method != "PUT" else {
      return TransportResponse(
        status: 422, body: Array(#"{"error":{"code":"odd","message":""}}"#.utf8))
    }
    guard request.method == "POST" else {
      return TransportResponse(status: 200, body: Array(#"{"id":"u1"}"#.utf8))
    }
    let lines = request.body?.split(separator: UInt8(ascii: "\n")) ?? []
    let logIDs = lines.compactMap { try? HealthRecord(informJSON: $0).logID }
    let results = logIDs.filter { !$0.hasPrefix("later") }.map { logID in
      logID.hasPrefix("bad")
        ? #"{"log_id":"\#(logID)","status":"rejected","error":{"code":"odd","message":"\#(message)","path":"metrics[0].unit"}}"#
        : #"{"log_id":"\#(logID)","status":"created","id":"7"}"#
    }
    return TransportResponse(
      status: 200, body: Array(#"{"results":[\#(results.joined(separator: ","))]}"#.utf8))
  }
}
