// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A `dbus-daemon` of the test's own, ended with its last reference.
package final class BusDaemon: @unchecked Sendable {
  // Foundation's process is started in `init` and killed once.
  package let addressText: String
  private let process = Process()
  private let hasEnded = DispatchGroup()
  private let folder: URL

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let configuration = folder.appendingPathComponent("bus.conf")
    try Data(Self.configuration(folder.path).utf8).write(to: configuration)
    try Data(Self.failingService.utf8).write(
      to: folder.appendingPathComponent("org.example.Failing.service"))
    let output = Pipe.make()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Foundation starts it with the signals blocked that Dispatch's threads block; it needs to know
    // when a service that it started has ended.
    process.arguments = [
      "--default-signal=CHLD", "dbus-daemon", "--nofork", "--print-address",
      "--config-file=" + configuration.path,
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let hasEnded = hasEnded
    process.terminationHandler = { _ in hasEnded.leave() }
    hasEnded.enter()
    do {
      try process.start()
    } catch {
      hasEnded.leave()
      throw error
    }
    addressText = Self.line(of: output.fileHandleForReading)
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// SIGKILL: the daemon gets no chance to say that it goes.
  package func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    hasEnded.wait()
  }

  private static func line(of handle: FileHandle) -> String {
    var bytes = Data()
    while !bytes.contains(UInt8(ascii: "\n")), case let more = handle.availableData, !more.isEmpty {
      bytes += more
    }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private static func configuration(_ folder: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:dir=\(folder)</listen>
      <auth>EXTERNAL</auth>
      <servicedir>\(folder)</servicedir>
      <policy context="default">
        <allow send_destination="*"/>
        <allow receive_sender="*"/>
        <allow own="*"/>
        <deny send_interface="org.example.Forbidden"/>
      </policy>
    </busconfig>
    """
  }

  /// A service that ends before it has taken its name.
  private static let failingService = """
    [D-BUS Service]
    Name=org.example.Failing
    Exec=/bin/false
    """
}
