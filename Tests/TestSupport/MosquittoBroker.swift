// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A real mosquitto on a port of this machine.
package final class MosquittoBroker: @unchecked Sendable {
  // Unchecked for `process`: a broker belongs to one test, which calls one method after the other.
  package let port: Int
  private let folder: TemporaryFolder
  private let logsPackets: Bool
  private let log = Locked("")
  private var process: Process

  /// Starts a broker.
  ///
  /// - Parameters:
  ///   - options: Lines of its configuration; without any it lets everyone in.
  ///   - folder: Where its configuration lies.
  ///   - logsPackets: True if ``logText`` is to contain each packet.
  /// - Throws: An error when it does not start.
  package init(
    _ options: [String] = ["allow_anonymous true"], in folder: TemporaryFolder,
    logsPackets: Bool = true
  ) throws {
    self.folder = folder
    self.logsPackets = logsPackets
    // Between the search and the start another process may take the port.
    for _ in 1..<10 {
      let port = try Self.freePort()
      guard let process = try Self.start(port, options, folder, log, logsPackets) else { continue }
      self.port = port
      self.process = process
      return
    }
    port = try Self.freePort()
    guard let process = try Self.start(port, options, folder, log, logsPackets) else {
      throw POSIXError(.EADDRINUSE)
    }
    self.process = process
  }

  deinit { stop() }

  /// What the broker has written to its log so far.
  package var logText: String { log.withLock { $0 } }

  /// Kills the broker; what it has kept in memory is lost.
  package func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts it again on the same port.
  package func restart() throws {
    stop()
    guard let process = try Self.start(port, nil, folder, log, logsPackets) else {
      throw POSIXError(.EADDRINUSE)
    }
    self.process = process
  }

  /// Makes a file of one user.
  ///
  /// - Returns: The line of the configuration that names it.
  package static func passwordFile(
    _ user: String, _ password: String, in folder: TemporaryFolder
  ) throws -> String {
    let path = folder.path("passwords")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_passwd")
    process.arguments = ["-b", "-c", path, user, password]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw POSIXError(.EINVAL) }
    return "password_file \(path)"
  }

  private static func freePort() throws -> Int {
    let (listener, port) = try FaultServer.listeningSocket()
    close(listener)
    return Int(port)
  }

  /// Starts a process and waits until it listens; nil when it ends instead.
  private static func start(
    _ port: Int, _ options: [String]?, _ folder: TemporaryFolder, _ log: Locked<String>,
    _ logsPackets: Bool
  ) throws -> Process? {
    let path = folder.path("mosquitto.conf")
    if let options {
      // Started by root, it would read its files as another user.
      let lines = ["user root", "log_dest stderr", "listener \(port) 127.0.0.1"] + options
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
    }
    let (process, output) = (Process(), Pipe.make())
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/mosquitto")
    process.arguments = (logsPackets ? ["-v"] : []) + ["-c", path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    try process.start()
    let reader = output.fileHandleForReading
    var text = ""
    while !text.contains(" running") {
      let data = reader.availableData
      guard !data.isEmpty else { return nil }
      text += String(decoding: data, as: UTF8.self)
    }
    log.withLock { [text] in $0 += text }
    Thread {
      while case let data = reader.availableData, !data.isEmpty {
        log.withLock { $0 += String(decoding: data, as: UTF8.self) }
      }
    }.start()
    return process
  }
}
