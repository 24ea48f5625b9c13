// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Queries the kernel and the file system.
struct HostInspection: Sendable {
  /// Where Debian, Ubuntu and older systems have bluetoothd.
  private static let programs = [
    "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
  ]

  /// The root of the file system.
  let root: String

  // MARK: - The kernel

  func kernel() -> GatewayFacts.Kernel {
    var kernel = GatewayFacts.Kernel()
    var names = utsname()
    if unsafe uname(&names) == 0 {
      let parts = [Self.text(of: names.release), Self.text(of: names.version)]
      kernel.text = parts.joined(separator: " ")
    }
    kernel.hasBluetooth = FileManager.default.fileExists(atPath: root + "/sys/class/bluetooth")
    // The folder also lists the controllers' connections, such as hci0:64.
    kernel.controllers = entries("/sys/class/bluetooth").filter {
      $0.wholeMatch(of: /hci[0-9]+/) != nil
    }
    kernel.usbControllers = usbControllers()
    kernel.board = content("/proc/device-tree/model")?.trimmingCharacters(
      in: .whitespacesAndNewlines.union(.controlCharacters))
    return kernel
  }

  /// Interfaces of the class that USB gives to Bluetooth controllers: E0, 01, 01.
  private func usbControllers() -> Int {
    let devices = entries("/sys/bus/usb/devices").filter { device in
      let folder = "/sys/bus/usb/devices/\(device)/"
      return ["bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol"].map {
        content(folder + $0)?.lowercased()
      } == ["e0", "01", "01"]
    }
    // A controller has two such interfaces, 1-2:1.0 and 1-2:1.1.
    return Set(devices.map { $0.prefix { $0 != ":" } }).count
  }

  func switches() -> [GatewayFacts.RadioSwitch] {
    entries("/sys/class/rfkill").compactMap { entry in
      let folder = "/sys/class/rfkill/\(entry)/"
      guard content(folder + "type") == "bluetooth" else { return nil }
      return GatewayFacts.RadioSwitch(
        name: content(folder + "name") ?? entry, isSoftBlocked: content(folder + "soft") == "1",
        isHardBlocked: content(folder + "hard") == "1")
    }
  }

  // MARK: - The caller

  func caller() -> GatewayFacts.Caller {
    var caller = GatewayFacts.Caller()
    caller.name = NSUserName()
    guard let group = unsafe getgrnam("bluetooth") else { return caller }
    let wanted = unsafe group.pointee.gr_gid
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: Int(max(0, count)))
    let filled = unsafe getgroups(count, &groups)
    caller.isInBluetoothGroup = groups.prefix(Int(max(0, filled))).contains(wanted)
    return caller
  }

  // MARK: - Files

  /// Whether a folder, or the one in which it would be created, can be written to.
  func folder(_ path: String) -> GatewayFacts.Folder {
    var existing = URL(fileURLWithPath: path).standardizedFileURL
    while !FileManager.default.fileExists(atPath: existing.path), existing.path != "/" {
      existing.deleteLastPathComponent()
    }
    let exists = existing.path == URL(fileURLWithPath: path).standardizedFileURL.path
    let key = path + "/outbox-key.token"
    return GatewayFacts.Folder(
      path: path, state: state(of: existing.path, exists: exists),
      keyBeside: FileManager.default.fileExists(atPath: key) ? key : nil)
  }

  private func state(of path: String, exists: Bool) -> GatewayFacts.Folder.State {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .refused(Self.reason(errno)) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return .refused(Self.reason(ENOTDIR)) }
    guard unsafe access(path, W_OK | X_OK) == 0 else { return .refused(Self.reason(errno)) }
    // A sticky folder such as /tmp may contain the folder, but may not be the folder.
    guard !exists || status.st_mode & 0o022 == 0 else { return .exposed }
    var space = statvfs()
    guard unsafe statvfs(path, &space) == 0 else { return .refused(Self.reason(errno)) }
    return .usable(freeBytes: Int(clamping: UInt64(space.f_bavail) &* UInt64(space.f_frsize)))
  }

  func bluetoothd() -> String? {
    Self.programs.map { root + $0 }.first { unsafe access($0, X_OK) == 0 }
  }

  /// What the program prints for `--version`; nil when that is not a version.
  func version(of program: String) async -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["--version"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.yield() }
    guard (try? process.run()) != nil else { return nil }
    for await _ in ends { break }
    let text = try? output.fileHandleForReading.read(upToCount: 64)
    let version = String(decoding: text ?? Data(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return version.wholeMatch(of: /[0-9]+\.[0-9]+/) == nil ? nil : version
  }

  private func entries(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []).sorted()
  }

  private func content(_ path: String) -> String? {
    (try? String(contentsOfFile: root + path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func reason(_ code: Int32) -> String {
    unsafe String(cString: strerror(code))
  }

  /// The text of one of uname's fixed arrays.
  private static func text<Characters>(of characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
