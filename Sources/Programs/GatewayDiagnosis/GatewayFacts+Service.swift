// SPDX-License-Identifier: Apache-2.0

// The bus and bluetoothd.
extension GatewayFacts {
  static let startService = "sudo systemctl enable --now bluetooth.service"

  var busFinding: GatewayFinding {
    switch bus {
    case .reachable: GatewayFinding(.systemBus, .ok, "The system bus answers.")
    case .unreachable(let error):
      GatewayFinding(
        .systemBus, .problem, "There is no way to the system bus (\(error)).",
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
    case .absent, .notAsked: absentServiceFinding
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
        .bluetoothService, .unknown, "BlueZ is installed; the bus must be there before it can run.")
    }
    switch (service.unit?.load, service.unit?.active) {
    case ("masked", _):
      return GatewayFinding(
        .bluetoothService, .problem, "bluetoothd is kept from running: its unit is masked.",
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
        "bluetoothd does not run; it is started once the kernel shows an adapter.")
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
        "The bus does not let \(caller.name), who is in the group bluetooth, speak to bluetoothd.",
        "sudo apt-get install --reinstall bluez",
        "Look through /etc/dbus-1/system.d/bluetooth.conf.")
    case .denied:
      GatewayFinding(
        .permission, .problem, "The bus does not let \(caller.name) speak to bluetoothd.",
        "sudo usermod --append --groups bluetooth \(caller.name)",
        "Log out and in again; of a service, set SupplementaryGroups=bluetooth and restart it.")
    case .absent, .failed, .notAsked:
      GatewayFinding(.permission, .unknown, "Only a bluetoothd that runs tells it.")
    }
  }

  var agentFinding: GatewayFinding {
    switch agent {
    case .accepted: GatewayFinding(.agent, .ok, "Devices can be paired.")
    case .refused(let error):
      GatewayFinding(
        .agent, .problem, "bluetoothd takes nobody who answers what devices ask (\(error)).",
        "sudo systemctl restart bluetooth.service")
    case .notAsked:
      GatewayFinding(.agent, .unknown, "Only a bluetoothd that runs tells it.")
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
      "BlueZ \(version) does not tell how long a packet may be, as 5.62 and later do.",
      "Upgrade to Debian 12, Ubuntu 22.04 or later.")
  }
}
