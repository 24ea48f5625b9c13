// SPDX-License-Identifier: Apache-2.0

// The adapter, and what keeps it from working.
extension GatewayFacts {
  private static let kernelMessages = "sudo dmesg | grep -iE 'bluetooth|firmware'"

  private var isRaspberryPi: Bool { kernel.board?.hasPrefix("Raspberry Pi") ?? false }

  var adapterFinding: GatewayFinding {
    guard adapters.isEmpty else {
      let list = adapters.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
      return GatewayFinding(.adapter, .ok, "Found \(list).")
    }
    guard !kernel.controllers.isEmpty else { return noControllerFinding }
    let controllers = kernel.controllers.joined(separator: ", ")
    guard service.answer == .listed else {
      return GatewayFinding(
        .adapter, .unknown, "The kernel has \(controllers); only bluetoothd can report more.")
    }
    return GatewayFinding(
      .adapter, .problem,
      "The kernel has \(controllers), which does not start; usually its firmware is missing.",
      remedies: [Self.kernelMessages, firmware])
  }

  private var firmware: String {
    isRaspberryPi
      ? "sudo apt-get install pi-bluetooth bluez-firmware"
      : "sudo apt-get install firmware-iwlwifi firmware-realtek firmware-atheros "
        + "firmware-brcm80211  # non-free-firmware; one of them will do"
  }

  private var noControllerFinding: GatewayFinding {
    guard kernel.usbControllers == 0 else {
      return GatewayFinding(
        .adapter, .problem, "A Bluetooth adapter is plugged in, but no kernel module serves it.",
        "sudo modprobe btusb", Self.kernelMessages)
    }
    guard !isRaspberryPi else {
      return GatewayFinding(
        .adapter, .problem, "The built-in Bluetooth adapter was not detected.", firmware,
        "Remove \"dtoverlay=disable-bt\" from /boot/firmware/config.txt, and reboot.")
    }
    return GatewayFinding(
      .adapter, .problem, "This machine has no Bluetooth adapter.",
      remedies: [
        "Plug in an adapter for Bluetooth 4.0 or later; in a virtual machine, pass it through."
      ] + (kernel.hasBluetooth ? [] : ["sudo modprobe -a bluetooth btusb"]))
  }

  var switchFinding: GatewayFinding {
    if let blocked = switches.first(where: \.isHardBlocked) {
      return GatewayFinding(
        .radioSwitch, .problem, "\(blocked.name) is blocked by a hardware switch.",
        "Turn on the switch, or enable Bluetooth in the firmware setup.")
    }
    if let blocked = switches.first(where: \.isSoftBlocked) {
      return GatewayFinding(
        .radioSwitch, .problem, "\(blocked.name) is blocked.", "sudo rfkill unblock bluetooth")
    }
    return GatewayFinding(.radioSwitch, .ok, "No switch blocks Bluetooth.")
  }

  var powerFinding: GatewayFinding {
    guard !adapters.isEmpty else {
      return GatewayFinding(.power, .unknown, "Unknown until bluetoothd lists an adapter.")
    }
    let off = adapters.filter { !$0.isPowered }
    let names = off.map(\.name).joined(separator: ", ")
    guard !off.isEmpty else { return GatewayFinding(.power, .ok, "Bluetooth is on.") }
    let commands = off.map { adapter in
      "busctl set-property org.bluez /org/bluez/\(adapter.name) org.bluez.Adapter1 Powered b true"
    }
    let always = "Set AutoEnable=true in /etc/bluetooth/main.conf, so that it is on at each start."
    return GatewayFinding(
      .power, off.count == adapters.count ? .problem : .note, "\(names) is off.",
      remedies: commands + [always])
  }

  var gattFinding: GatewayFinding {
    guard !adapters.isEmpty else {
      return GatewayFinding(.gatt, .unknown, "Unknown until bluetoothd lists an adapter.")
    }
    let able = adapters.filter(\.hasGATT).map(\.name)
    guard able.isEmpty else {
      return GatewayFinding(
        .gatt, .ok, "\(able.joined(separator: ", ")) supports Bluetooth Low Energy.")
    }
    return GatewayFinding(
      .gatt, .problem, "No adapter supports Bluetooth Low Energy.",
      "Plug in an adapter for Bluetooth 4.0 or later.",
      "If it already is one, remove \"ControllerMode = bredr\" from /etc/bluetooth/main.conf.")
  }

  /// Only virtual devices need it, so its lack is not a problem.
  var advertisingFinding: GatewayFinding? {
    guard adapters.contains(where: \.hasGATT) else { return nil }
    let free = adapters.compactMap(\.freeAdvertisements)
    guard let most = free.max() else {
      return GatewayFinding(
        .advertising, .note, "The adapter cannot advertise; \"santorio simulate\" needs that.")
    }
    guard most > 0 else {
      return GatewayFinding(
        .advertising, .note,
        "Other programs use all advertisements of the adapter; \"santorio simulate\" needs one.")
    }
    return GatewayFinding(.advertising, .ok, "Virtual devices can be advertised.")
  }
}
