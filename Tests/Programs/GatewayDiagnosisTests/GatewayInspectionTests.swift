// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatewayDiagnosis
import SantorioDBus
import Testing

/// The tests of the diagnosis; of the radio they say nothing, since its services are played here.
@Suite(.timeLimit(.minutes(15))) struct `Gateway inspection` {
  private let files = FakeFiles()

  private func facts(of bus: DBusAddress) async -> GatewayFacts {
    var inspection = GatewayInspection()
    inspection.bus = bus
    inspection.root = files.root.path
    return await inspection.facts()
  }

  private static func properties(
    _ interface: String, _ properties: [String: DBusValue] = [:]
  ) -> DBusInterface {
    DBusInterface(name: interface, properties: properties)
  }

  private static func agentManager(_ refusal: DBusError?) -> DBusInterface {
    let answer: @Sendable (DBusIncomingCall) -> Void = { call in
      if let refusal { call.fail(refusal) } else { call.reply() }
    }
    return DBusInterface(
      name: "org.bluez.AgentManager1",
      methods: ["RegisterAgent": answer, "UnregisterAgent": { $0.reply() }])
  }

  private func playBluez(
    on bus: PrivateBus, refusal: DBusError? = nil
  ) async throws -> DBusRegistration {
    try await bus.play("org.bluez", root: "/") {
      [
        DBusObject("/org/bluez", [Self.agentManager(refusal)]),
        DBusObject(
          "/org/bluez/hci1",
          [
            Self.properties(
              "org.bluez.Adapter1",
              ["Address": .string("00:1A:7D:DA:71:13"), "Powered": .boolean(false)])
          ]),
        DBusObject(
          "/org/bluez/hci0",
          [
            Self.properties(
              "org.bluez.Adapter1",
              ["Address": .string("B8:27:EB:00:00:01"), "Powered": .boolean(true)]),
            Self.properties("org.bluez.GattManager1"),
            Self.properties(
              "org.bluez.LEAdvertisingManager1", ["SupportedInstances": .byte(5)]),
          ]),
        DBusObject("/org/bluez/hci0/dev_1", [Self.properties("org.bluez.Device1")]),
      ]
    }
  }

  @Test func `lists adapters and what they can do, and registers an agent`() async throws {
    let bus = try await PrivateBus()
    let bluez = try await playBluez(on: bus)

    let facts = await facts(of: bus.address)

    #expect(facts.bus == .reachable)
    #expect(facts.service.answer == .listed)
    #expect(
      facts.adapters == [
        .init(
          name: "hci0", address: "B8:27:EB:00:00:01", isPowered: true, hasGATT: true,
          freeAdvertisements: 5),
        .init(
          name: "hci1", address: "00:1A:7D:DA:71:13", isPowered: false, hasGATT: false,
          freeAdvertisements: nil),
      ])
    #expect(facts.agent == .accepted)
    #expect(facts.service.unit == nil)
    #expect(facts.isClockSynchronised == nil)
    withExtendedLifetime(bluez) {}
  }

  @Test func `reports that an agent is refused`() async throws {
    let bus = try await PrivateBus()
    let bluez = try await playBluez(
      on: bus, refusal: DBusError(name: "org.bluez.Error.Failed", message: ""))

    #expect(await facts(of: bus.address).agent == .refused("org.bluez.Error.Failed"))
    withExtendedLifetime(bluez) {}
  }

  @Test func `reports that the bus denies access`() async throws {
    let bus = try await PrivateBus(policy: #"<deny send_destination="org.bluez"/>"#)
    let bluez = try await playBluez(on: bus)

    let facts = await facts(of: bus.address)

    #expect(facts.service.answer == .denied)
    #expect(facts.adapters.isEmpty)
    #expect(facts.findings.first { $0.check == .permission }?.verdict == .problem)
    withExtendedLifetime(bluez) {}
  }

  @Test func `reports bluetoothd's absence and systemd's state`()
    async throws
  {
    let bus = try await PrivateBus()
    let unit = "/org/freedesktop/systemd1/unit/bluetooth_2eservice"
    let systemd = try await bus.play("org.freedesktop.systemd1", root: "/org/freedesktop/systemd1")
    {
      [
        DBusObject(
          "/org/freedesktop/systemd1",
          [
            DBusInterface(
              name: "org.freedesktop.systemd1.Manager",
              methods: [
                "LoadUnit": { call in
                  guard call.arguments == [.string("bluetooth.service")] else { return }
                  call.reply([.objectPath(unit)])
                }
              ])
          ]),
        DBusObject(
          unit,
          [
            Self.properties(
              "org.freedesktop.systemd1.Unit",
              ["LoadState": .string("masked"), "ActiveState": .string("inactive")])
          ]),
      ]
    }
    let time = try await bus.play("org.freedesktop.timedate1", root: "/org/freedesktop/timedate1") {
      [
        DBusObject(
          "/org/freedesktop/timedate1",
          [Self.properties("org.freedesktop.timedate1", ["NTPSynchronized": .boolean(false)])])
      ]
    }

    let facts = await facts(of: bus.address)

    #expect(facts.service.answer == .absent)
    #expect(facts.service.unit == .init(load: "masked", active: "inactive"))
    #expect(facts.isClockSynchronised == false)
    #expect(facts.agent == .notQueried)
    withExtendedLifetime((systemd, time)) {}
  }

  @Test func `survives a missing bus`() async {
    let facts = await facts(of: .address("unix:path=\(files.root.path)/none"))

    guard case .unreachable = facts.bus else {
      Issue.record("a bus that is not there answers")
      return
    }
    #expect(facts.service.answer == .notQueried)
    #expect(facts.service.program == nil)
  }

  // MARK: - Files

  private var nowhere: DBusAddress { .address("unix:path=\(files.root.path)/none") }

  @Test func `reads what the kernel shows`() async throws {
    try files.write("/sys/class/bluetooth/hci0/type", "primary\n")
    try files.write("/sys/class/bluetooth/hci0:64/x", "")
    for (name, soft) in [("hci0", "1"), ("phy0", "0")] {
      let folder = "/sys/class/rfkill/\(name)/"
      try files.write(folder + "type", name == "hci0" ? "bluetooth\n" : "wlan\n")
      try files.write(folder + "name", "\(name)\n")
      try files.write(folder + "soft", "\(soft)\n")
      try files.write(folder + "hard", "0\n")
    }
    for interface in ["1-2:1.0", "1-2:1.1", "1-3:1.0"] {
      let folder = "/sys/bus/usb/devices/\(interface)/"
      try files.write(folder + "bInterfaceClass", interface == "1-3:1.0" ? "03\n" : "e0\n")
      try files.write(folder + "bInterfaceSubClass", "01\n")
      try files.write(folder + "bInterfaceProtocol", "01\n")
    }
    try files.write("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")

    let facts = await facts(of: nowhere)

    #expect(facts.kernel.hasBluetooth)
    #expect(facts.kernel.controllers == ["hci0"])
    #expect(facts.kernel.usbControllers == 1)
    #expect(facts.kernel.board == "Raspberry Pi 4 Model B Rev 1.4")
    #expect(facts.switches == [.init(name: "hci0", isSoftBlocked: true, isHardBlocked: false)])
  }

  @Test(arguments: [("echo 5.66", "5.66"), ("echo Usage: no", nil), ("exit 1", nil)])
  func `asks bluetoothd for its version`(script: String, version: String?) async throws {
    let program = "/usr/libexec/bluetooth/bluetoothd"
    try files.write(program, "#!/bin/sh\n[ \"$1\" = --version ] && \(script)\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: files.root.path + program)

    let facts = await facts(of: nowhere)

    #expect(facts.service.program == files.root.path + program)
    #expect(facts.service.version == version)
  }

  @Test func `checks the folder for readings even if it does not exist yet`() async throws {
    try files.write("/data/open/x", "")
    try files.write("/data/file", "")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: files.root.path + "/data/open")
    var states: [String: GatewayFacts.Folder.State] = [:]
    for name in ["new/deep", "open", "file"] {
      var inspection = GatewayInspection()
      inspection.bus = nowhere
      inspection.folder = "\(files.root.path)/data/\(name)"
      states[name] = await inspection.facts().folder?.state
    }

    guard case .usable(let free)? = states["new/deep"] else {
      Issue.record("a folder that can be made is refused")
      return
    }
    #expect(free > 0)
    #expect(states["open"] == .exposed)
    #expect(states["file"] == .refused("Not a directory"))
  }
}

/// A folder that stands for the file system.
private final class FakeFiles: Sendable {
  let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("root-\(UUID().uuidString.prefix(8))")

  deinit { try? FileManager.default.removeItem(at: root) }

  func write(_ path: String, _ text: String) throws {
    let file = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
