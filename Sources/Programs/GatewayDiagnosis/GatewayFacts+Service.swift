// SPDX-License-Identifier: Apache-2.0

// The bus and bluetoothd.
extension GatewayFacts {
  static let startService = "sudo systemctl enable --now bluetooth.service"

  var busFinding: GatewayFinding {
    switch bus {
    case .reachable: GatewayFinding(.systemBus, .ok, "The system bus answers.")
    case .unreachable(let error):
      GatewayFinding(
        .systemBus, .problem, "The system bus cannot be reached (\(error)).",
        "sudo apt-get install dbus", "sudo systemctl start dbus.socket",
        "In a container, mount /run/dbus/system_bus_socket of the host.")
    }
  }

  var serviceFinding: GatewayFinding {
    switch service.answer {
    case .listed, .denied: GatewayFinding(.bluetoothService, .ok, "bluetoothd runs.")
    case .failed(let error):
      GatewayFinding(
        .bluetoothService, .problem, "bluetoothd runs and does not answer (\(error)).",
        "sudo systemctl restart bluetooth.service", "journalctl -b -u bluetooth.service")
    case .absent, .notQueried: absentServiceFinding
    }
  }

  private var absentServiceFinding: GatewayFinding {
    guard service.program != nil else {
      return GatewayFinding(
        .bluetoothService, .problem, "BlueZ is not installed.", "sudo apt-get install bluez",
        Self.startService)
    }
    guard bus == .reachable else {
      return GatewayFinding(
        .bluetoothService, .unknown, "BlueZ is installed; it needs the system bus to run.")
    }
    switch (service.unit?.load, service.unit?.active) {
    case ("masked", _):
      return GatewayFinding(
        .bluetoothService, .problem, "bluetoothd cannot start: its unit is masked.",
        "sudo systemctl unmask bluetooth.service", Self.startService)
    case (_, "failed"):
      return GatewayFinding(
        .bluetoothService, .problem, "bluetoothd was started and failed.",
        "journalctl -b -u bluetooth.service", "sudo systemctl restart bluetooth.service")
    case (_, "activating"):
      return GatewayFinding(
        .bluetoothService, .problem, "bluetoothd is being started.", "Try again in a moment.")
    case (nil, _):
      return GatewayFinding(
        .bluetoothService, .problem, "bluetoothd does not run.", "sudo service bluetooth start")
    case _ where !kernel.hasBluetooth:
      // The unit has ConditionPathIsDirectory=/sys/class/bluetooth.
      return GatewayFinding(
        .bluetoothService, .unknown,
        "bluetoothd does not run; it starts once the kernel detects an adapter.")
    default:
      return GatewayFinding(
        .bluetoothService, .problem, "bluetoothd does not run.", Self.startService)
    }
  }

  var permissionFinding: GatewayFinding {
    switch service.answer {
    case .listed:
      GatewayFinding(.permission, .ok, "The user \(caller.name) may use Bluetooth.")
    case .denied where caller.isInBluetoothGroup:
      GatewayFinding(
        .permission, .problem,
        "The bus denies \(caller.name), a member of the group bluetooth, access to bluetoothd.",
        "sudo apt-get install --reinstall bluez",
        "Check /etc/dbus-1/system.d/bluetooth.conf.")
    case .denied:
      GatewayFinding(
        .permission, .problem, "The bus denies \(caller.name) access to bluetoothd.",
        "sudo usermod --append --groups bluetooth \(caller.name)",
        "Log out and in again; for a service, set SupplementaryGroups=bluetooth and restart it.")
    case .absent, .failed, .notQueried:
      GatewayFinding(.permission, .unknown, "Unknown until bluetoothd runs.")
    }
  }

  var agentFinding: GatewayFinding {
    switch agent {
    case .accepted: GatewayFinding(.agent, .ok, "Devices can be paired.")
    case .refused(let error):
      GatewayFinding(
        .agent, .problem, "bluetoothd does not accept a pairing agent (\(error)).",
        "sudo systemctl restart bluetooth.service")
    case .notQueried:
      GatewayFinding(.agent, .unknown, "Unknown until bluetoothd runs.")
    }
  }

  var versionFinding: GatewayFinding? {
    guard let version = service.version else { return nil }
    let parts = version.split(separator: ".").map { Int($0) ?? 0 }
    guard parts.lexicographicallyPrecedes([5, 62]) else {
      return GatewayFinding(.bluezVersion, .ok, "BlueZ is version \(version).")
    }
    return GatewayFinding(
      .bluezVersion, .problem,
      "BlueZ \(version) does not report the maximum packet length; 5.62 and later do.",
      "Upgrade to Debian 12, Ubuntu 22.04 or later.")
  }
}
