// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import SantorioDBus

/// A real dbus-daemon of this test's own, and a connection to it that plays services.
final class PrivateBus: @unchecked Sendable {
  // Unchecked for `process`, which is started at the beginning and ended at the end.
  private let process = Process()
  private let folder: URL
  private let queue = DispatchQueue(label: "private-bus")
  private let connection: DBusConnection
  /// Where it is.
  let address: DBusAddress

  /// Starts a bus that allows everything but what the rules of the policy deny.
  init(policy: String = "") async throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bus-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let configuration = folder.appendingPathComponent("bus.conf")
    try Data(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <listen>unix:path=\(folder.path)/bus</listen>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
          \(policy)
        </policy>
      </busconfig>
      """.utf8
    ).write(to: configuration)
    let output = Pipe.make()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    process.arguments = ["--config-file=\(configuration.path)", "--nofork", "--print-address"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    // It prints the address once it listens.
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    address = .address(line.trimmingCharacters(in: .whitespacesAndNewlines))
    connection = try await Self.open(address, queue)
  }

  deinit {
    let connection = connection
    queue.async { connection.close() }
    // Its threads' signal mask is that of the one that started it, which may block SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func open(
    _ address: DBusAddress, _ queue: DispatchQueue
  ) async throws -> DBusConnection {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        do {
          continuation.resume(
            returning: try DBusConnection.open(address, queue: queue, closed: {}))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  /// Plays a service: takes its name and publishes its objects, as long as the registration is
  /// kept.
  func play(
    _ name: String, root: String, _ objects: @escaping @Sendable () -> [DBusObject]
  ) async throws -> DBusRegistration {
    let bus = "org.freedesktop.DBus"
    let own = DBusCall(
      bus, "/org/freedesktop/DBus", bus, "RequestName", .string(name), .uint32(0))
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [connection] in
        do {
          let registration = try connection.publish(objects(), root: root)
          connection.call(own) { answer in
            continuation.resume(with: answer.map { _ in registration })
          }
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}
