// SPDX-License-Identifier: Apache-2.0

// The machine around Bluetooth.
extension GatewayFacts {
  /// Below this, a gateway that is offline for weeks may run out of space.
  private static let leastFreeBytes = 300 << 20

  var kernelFinding: GatewayFinding? {
    guard !kernel.text.isEmpty else { return nil }
    // l2cap_conn_free() deletes a channel that hci_conn_cleanup() has freed; seen in Debian
    // 6.1.192-2.
    guard kernel.text.contains(/\b6\.1\.192\b/) else {
      return GatewayFinding(.kernel, .ok, "This kernel has no known fault.")
    }
    return GatewayFinding(
      .kernel, .note,
      "Linux 6.1.192 kills bluetoothd when a device that has lost its bond is connected. systemd "
        + "restarts it, and reading continues.",
      "sudo apt-get update && sudo apt-get upgrade")
  }

  var folderFinding: GatewayFinding? {
    guard let folder else { return nil }
    switch folder.state {
    case .usable(let free) where free < Self.leastFreeBytes:
      return GatewayFinding(
        .dataFolder, .problem,
        "\"\(folder.path)\" has room for \(free >> 20) MiB; a queue may take 256 MiB.",
        "Free some space, or choose another folder.")
    case .usable:
      return GatewayFinding(.dataFolder, .ok, "Readings can be kept in \"\(folder.path)\".")
    case .refused(let reason):
      return GatewayFinding(
        .dataFolder, .problem,
        "The user \(caller.name) cannot write to \"\(folder.path)\": \(reason).",
        "sudo install --directory --owner \(caller.name) --mode 0700 '\(folder.path)'")
    case .exposed:
      return GatewayFinding(
        .dataFolder, .problem, "Users other than its owner may write to \"\(folder.path)\".",
        "chmod 0700 '\(folder.path)'")
    }
  }

  var clockFinding: GatewayFinding? {
    switch isClockSynchronised {
    case nil: nil
    case true: GatewayFinding(.clock, .ok, "The clock is synchronised with a time server.")
    case false:
      GatewayFinding(
        .clock, .note,
        "The clock is not synchronised with a time server; the times of readings and the clocks of "
          + "devices are set from it.",
        "sudo apt-get install systemd-timesyncd", "sudo timedatectl set-ntp true")
    }
  }
}
