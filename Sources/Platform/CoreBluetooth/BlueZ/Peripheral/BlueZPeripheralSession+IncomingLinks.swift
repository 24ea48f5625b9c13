// SPDX-License-Identifier: Apache-2.0

// Everything here runs on the host's queue.
extension BlueZPeripheralSession {
  /// Disconnects the centrals when the last session that served in this process closes, except
  /// those that are also peripherals of this process.
  func endIncomingLinks() {
    guard host.servers == 0, let adapter = host.adapter else { return }
    let incoming = Set(KernelLinks.read(at: adapter).filter { !$0.isOutgoing }.map(\.address))
    for device in host.devices where device.isConnected {
      guard let address = device.address?.text, incoming.contains(address),
        let peer = host.identifier(ofDevice: device.path), !host.links[peer].isUsed
      else { continue }
      host.connection?.send(BlueZ.call(device.path, BlueZ.device, "Disconnect"))
    }
  }
}
