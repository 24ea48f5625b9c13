// SPDX-License-Identifier: Apache-2.0

import GatewayDiagnosis
import Testing

@Suite struct `Gateway findings` {
  /// A machine on which all is as it should be.
  static var fine: GatewayFacts {
    var facts = GatewayFacts()
    facts.service.program = "/usr/libexec/bluetooth/bluetoothd"
    facts.service.version = "5.66"
    facts.service.unit = .init(load: "loaded", active: "active")
    facts.service.answer = .listed
    facts.adapters = [
      .init(
        name: "hci0", address: "00:1A:7D:DA:71:13", isPowered: true, hasGATT: true,
        freeAdvertisements: 5)
    ]
    facts.agent = .accepted
    facts.kernel.text = "6.12.57+deb13-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 (2025-11-05)"
    facts.kernel.hasBluetooth = true
    facts.kernel.controllers = ["hci0"]
    facts.switches = [.init(name: "hci0", isSoftBlocked: false, isHardBlocked: false)]
    facts.caller.name = "ward"
    facts.folder = .init(path: "/var/lib/santorio", state: .usable(freeBytes: 1 << 30))
    facts.server = .init(
      address: "https://readings.example.org", isExposed: false, isExposureAllowed: false,
      answer: .status(200))
    facts.isClockSynchronised = true
    return facts
  }

  private func finding(
    _ check: GatewayFinding.Check, _ change: (inout GatewayFacts) -> Void
  ) -> GatewayFinding? {
    var facts = Self.fine
    change(&facts)
    return facts.findings.first { $0.check == check }
  }

  @Test func `reports every check as ok, in order, on a working machine`() {
    let findings = Self.fine.findings

    #expect(findings.map(\.check) == GatewayFinding.Check.allCases)
    #expect(findings.allSatisfy { $0.verdict == .ok && $0.remedies.isEmpty })
    #expect(findings[3].text == "Found hci0 (00:1A:7D:DA:71:13).")
  }

  @Test func `reports other checks as unknown without a bus`() {
    var facts = GatewayFacts()
    facts.bus = .unreachable("org.freedesktop.DBus.Error.FileNotFound")
    facts.service.program = "/usr/libexec/bluetooth/bluetoothd"
    facts.kernel.hasBluetooth = true
    facts.kernel.controllers = ["hci0"]

    let verdicts = facts.findings.map { "\($0.check.rawValue) \($0.verdict.rawValue)" }

    #expect(
      verdicts == [
        "systemBus problem", "bluetoothService unknown", "permission unknown", "adapter unknown",
        "radioSwitch ok", "power unknown", "gatt unknown", "agent unknown",
      ])
    #expect(facts.findings[0].remedies.contains("sudo systemctl start dbus.socket"))
    #expect(facts.findings[3].text.contains("The kernel has hci0"))
  }

  // MARK: - bluetoothd

  @Test func `require BlueZ to be installed, with and without a bus`() {
    for bus in [GatewayFacts.Bus.reachable, .unreachable("x")] {
      let finding = finding(.bluetoothService) { facts in
        facts.bus = bus
        facts.service = .init()
        facts.service.answer = bus == .reachable ? .absent : .notQueried
      }
      #expect(finding?.verdict == .problem)
      #expect(
        finding?.remedies == [
          "sudo apt-get install bluez", "sudo systemctl enable --now bluetooth.service",
        ])
    }
  }

  @Test(arguments: [
    ("masked", "inactive", "sudo systemctl unmask bluetooth.service"),
    ("loaded", "failed", "journalctl -b -u bluetooth.service"),
    ("loaded", "activating", "Try again in a moment."),
    ("loaded", "inactive", "sudo systemctl enable --now bluetooth.service"),
    ("not-found", "inactive", "sudo systemctl enable --now bluetooth.service"),
  ])
  func `require bluetoothd to run`(load: String, active: String, remedy: String) {
    let finding = finding(.bluetoothService) { facts in
      facts.service.answer = .absent
      facts.service.unit = .init(load: load, active: active)
    }
    #expect(finding?.verdict == .problem)
    #expect(finding?.remedies.first == remedy)
  }

  @Test func `name the start command without systemd`() {
    let finding = finding(.bluetoothService) { facts in
      facts.service.answer = .absent
      facts.service.unit = nil
    }
    #expect(finding?.remedies == ["sudo service bluetooth start"])
  }

  @Test func `do not blame bluetoothd if the kernel has no Bluetooth`() {
    let change: (inout GatewayFacts) -> Void = { facts in
      facts.service.answer = .absent
      facts.service.unit = .init(load: "loaded", active: "inactive")
      facts.adapters = []
      facts.kernel.hasBluetooth = false
      facts.kernel.controllers = []
    }
    #expect(finding(.bluetoothService, change)?.verdict == .unknown)
    #expect(finding(.adapter, change)?.verdict == .problem)
    #expect(finding(.adapter, change)?.remedies.last == "sudo modprobe -a bluetooth btusb")
  }

  @Test func `suggest restarting a hanging bluetoothd`() {
    let finding = finding(.bluetoothService) {
      $0.service.answer = .failed("org.freedesktop.DBus.Error.NoReply")
    }
    #expect(finding?.verdict == .problem)
    #expect(
      finding?.text == "bluetoothd runs and does not answer (org.freedesktop.DBus.Error.NoReply).")
    #expect(finding?.remedies.first == "sudo systemctl restart bluetooth.service")
  }

  @Test func `name the group that has access`() {
    let finding = finding(.permission) { $0.service.answer = .denied }
    #expect(finding?.verdict == .problem)
    #expect(finding?.remedies.first == "sudo usermod --append --groups bluetooth ward")
  }

  @Test func `suspect the policy if the group does not help`() {
    let finding = finding(.permission) { facts in
      facts.service.answer = .denied
      facts.caller.isInBluetoothGroup = true
    }
    #expect(finding?.verdict == .problem)
    #expect(finding?.remedies.first == "sudo apt-get install --reinstall bluez")
  }

  @Test func `require a pairing agent`() {
    let finding = finding(.agent) { $0.agent = .refused("org.bluez.Error.Failed") }
    #expect(finding?.verdict == .problem)
    #expect(finding?.text.contains("org.bluez.Error.Failed") == true)
  }

  @Test(arguments: [
    ("5.61", false), ("5.9", false), ("4.101", false), ("5.62", true), ("6.0", true),
  ])
  func `require a BlueZ version that reports the packet length`(version: String, isFine: Bool) {
    let finding = finding(.bluezVersion) { $0.service.version = version }
    #expect(finding?.verdict == (isFine ? .ok : .problem))
  }

  // MARK: - The adapter

  private func withoutAdapter(_ facts: inout GatewayFacts) {
    facts.adapters = []
    facts.kernel.controllers = []
  }

  @Test func `require an adapter`() {
    let finding = finding(.adapter, withoutAdapter)
    #expect(finding?.verdict == .problem)
    #expect(finding?.text == "This machine has no Bluetooth adapter.")
    #expect(finding?.remedies.count == 1)
  }

  @Test func `report an adapter without a driver`() {
    let finding = finding(.adapter) { facts in
      withoutAdapter(&facts)
      facts.kernel.usbControllers = 1
    }
    #expect(finding?.remedies.first == "sudo modprobe btusb")
  }

  @Test func `report an adapter without firmware`() {
    let finding = finding(.adapter) { $0.adapters = [] }
    #expect(finding?.verdict == .problem)
    #expect(finding?.text.contains("The kernel has hci0, which does not start") == true)
    #expect(finding?.remedies.last?.contains("firmware-realtek") == true)
  }

  @Test func `name the firmware package and the overlay of a Raspberry Pi`() {
    let firmware = finding(.adapter) { facts in
      facts.adapters = []
      facts.kernel.board = "Raspberry Pi 4 Model B Rev 1.4"
    }
    #expect(firmware?.remedies.last == "sudo apt-get install pi-bluetooth bluez-firmware")

    let absent = finding(.adapter) { facts in
      withoutAdapter(&facts)
      facts.kernel.board = "Raspberry Pi Zero 2 W Rev 1.0"
    }
    #expect(absent?.remedies.last?.contains("dtoverlay=disable-bt") == true)
  }

  @Test func `distinguish software and hardware switches`() {
    let soft = finding(.radioSwitch) { $0.switches[0].isSoftBlocked = true }
    #expect(soft?.verdict == .problem)
    #expect(soft?.remedies == ["sudo rfkill unblock bluetooth"])

    let hard = finding(.radioSwitch) { facts in
      facts.switches[0].isSoftBlocked = true
      facts.switches[0].isHardBlocked = true
    }
    #expect(hard?.verdict == .problem)
    #expect(hard?.remedies == ["Turn on the switch, or enable Bluetooth in the firmware setup."])
  }

  @Test func `require one adapter to be on, and mention others that are off`() {
    let off = finding(.power) { $0.adapters[0].isPowered = false }
    #expect(off?.verdict == .problem)
    #expect(
      off?.remedies.first
        == "busctl set-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Powered b true")

    let second = finding(.power) { facts in
      facts.adapters.append(facts.adapters[0])
      facts.adapters[1].name = "hci1"
      facts.adapters[1].isPowered = false
    }
    #expect(second?.verdict == .note)
    #expect(second?.text == "hci1 is off.")
  }

  @Test func `require Low Energy`() {
    let finding = finding(.gatt) { $0.adapters[0].hasGATT = false }
    #expect(finding?.verdict == .problem)
    #expect(finding?.remedies.last?.contains("ControllerMode = bredr") == true)
  }

  @Test(arguments: [(nil, "cannot advertise"), (0, "use all advertisements")])
  func `mention that nothing can be advertised`(free: Int?, text: String) {
    let finding = finding(.advertising) { $0.adapters[0].freeAdvertisements = free }
    #expect(finding?.verdict == .note)
    #expect(finding?.text.contains(text) == true)
  }

  // MARK: - The machine

  @Test(arguments: [
    ("6.1.0-41-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-09-01)", true),
    ("6.1.192 #1 SMP", true), ("6.1.19 #1 SMP", false), ("6.1.1920 #1 SMP", false),
    ("6.1.0-38-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.147-1 (2025-08-02)", false),
  ])
  func `recognise the kernel that crashes bluetoothd`(text: String, isKnown: Bool) {
    let finding = finding(.kernel) { $0.kernel.text = text }
    #expect(finding?.verdict == (isKnown ? .note : .ok))
  }

  @Test func `require a private, writable folder with free space`() {
    let refused = finding(.dataFolder) {
      $0.folder?.state = .refused("Permission denied")
    }
    #expect(refused?.verdict == .problem)
    #expect(
      refused?.text == "The user ward cannot write to \"/var/lib/santorio\": Permission denied.")
    #expect(
      refused?.remedies == ["sudo install --directory --owner ward --mode 0700 '/var/lib/santorio'"]
    )

    let exposed = finding(.dataFolder) { $0.folder?.state = .exposed }
    #expect(exposed?.remedies == ["chmod 0700 '/var/lib/santorio'"])

    let full = finding(.dataFolder) { $0.folder?.state = .usable(freeBytes: 20 << 20) }
    #expect(full?.verdict == .problem)
    #expect(full?.text.contains("room for 20 MiB") == true)

    #expect(finding(.dataFolder) { $0.folder = nil } == nil)
  }

  @Test func `report a queue key stored beside the queue`() {
    let found = finding(.queueKey) { $0.folder?.keyBeside = "/srv/hub/outbox-key.token" }

    #expect(found?.verdict == .note)
    #expect(found?.text.contains("/srv/hub/outbox-key.token") == true)
    #expect(found?.remedies.first?.hasPrefix("sudo systemd-creds encrypt ") == true)
    #expect(finding(.queueKey) { $0.folder = nil } == nil)
  }

  @Test func `report problems of the connection to the server`() {
    func verdict(
      exposed: Bool = false, allowed: Bool = false, _ answer: GatewayFacts.Server.Answer
    ) -> GatewayFinding.Verdict? {
      finding(.server) {
        $0.server = .init(
          address: "https://a", isExposed: exposed, isExposureAllowed: allowed, answer: answer)
      }?.verdict
    }

    #expect(verdict(.status(200)) == .ok)
    #expect(verdict(.status(404)) == .note)
    #expect(verdict(.none("tls_failed")) == .problem)
    #expect(verdict(exposed: true, .status(200)) == .problem)
    #expect(verdict(exposed: true, allowed: true, .status(200)) == .note)
  }

  @Test func `mention a clock that is not synchronised`() {
    let finding = finding(.clock) { $0.isClockSynchronised = false }
    #expect(finding?.verdict == .note)
    #expect(finding?.remedies.last == "sudo timedatectl set-ntp true")
    #expect(self.finding(.clock) { $0.isClockSynchronised = nil } == nil)
  }
}
