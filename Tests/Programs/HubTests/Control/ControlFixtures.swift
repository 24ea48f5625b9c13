// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SantorioConcurrency
import SantorioSockets
import TestSupport
import Testing

@testable import Hub

/// Answers requests as a test says, and notes them.
final class TestHandler: HubControlHandler {
  typealias Answering =
    @Sendable (HubRequest, @escaping @Sendable (HubProgress) -> Void) async -> HubAnswer

  let requests = Locked<[HubRequest]>([])
  let peers = Locked<[PeerCredentials]>([])
  private let answering: Answering

  init(_ answering: @escaping Answering = { _, _ in .resumed }) { self.answering = answering }

  func answer(
    _ request: HubRequest, from peer: PeerCredentials,
    progress: @escaping @Sendable (HubProgress) -> Void
  ) async -> HubAnswer {
    requests.withLock { $0.append(request) }
    peers.withLock { $0.append(peer) }
    return await answering(request, progress)
  }
}

/// A folder for a socket that the hub accepts.
struct SocketFolder {
  let folder: TemporaryFolder
  var path: String { folder.path("hub.sock") }

  init(mode: Int = 0o750) throws {
    folder = try TemporaryFolder()
    try setMode(mode)
  }

  func setMode(_ mode: Int) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.url.path)
  }
}

/// A client that decides each byte.
final class RawClient: @unchecked Sendable {
  // `received` is touched on `queue` only.
  private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  private let queue = DispatchQueue(label: "santorio.test.client")
  private var received: [UInt8] = []

  init(_ path: String) throws {
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    try #require(try SocketFile.connect(descriptor, to: path))
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next line; nil when the server has ended the connection.
  ///
  /// It waits on a queue: the handler needs the threads of tasks.
  func line() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.nextLine()) }
    }
  }

  private func nextLine() -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received += buffer.prefix(count)
    }
  }

  /// The code of a failure; nil for another answer.
  func failure() async throws -> String? {
    let line = try #require(await line())
    guard case .final(.failed(let fault)) = try HubAnswerLine(parsing: line.utf8) else {
      return nil
    }
    return fault.code.name
  }
}

extension HubStatus {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let monitor = UUID(uuidString: ConfigurationText.monitor) ?? UUID()
  static let thermometer = UUID(uuidString: ConfigurationText.thermometer) ?? UUID()

  /// A hub with something of everything.
  static let sample = HubStatus(
    name: "ward-7", version: "0.1.0", since: now - 90_000, at: now,
    reading: .paused(until: now + 600), adapter: Part(works: true, "hci0"),
    mqtt: Part(works: false, "the broker refuses the password"),
    patients: [
      Patient(
        alias: "bed-1", queued: 12, oldest: now - 3700, held: 2, rejected: 1,
        upload: Part(works: false, "the server does not answer"),
        healthExports: HealthExports(
          taken: 2, records: 310, last: now - 7_200, part: Part(works: false, "It has no end.")),
        devices: [
          Device(
            identifier: monitor, model: 10100, name: "Beurer BM54 family", state: .failing,
            reason: "It no longer knows this machine; pair it again.", lastSeen: now - 40,
            lastRead: now - 90_000, nextTry: now + 30, batteryPercent: 45, clockDrift: -71.5),
          Device(identifier: thermometer, name: "AOJ AOJ-20A", state: .waiting),
        ]), Patient(alias: "bed-2", upload: Part(works: true, "")),
    ],
    unknown: [
      UnknownDevice(
        identifier: thermometer, model: 10402, name: "AOJ AOJ-20A", signal: -61, lastSeen: now - 3)
    ])
}
