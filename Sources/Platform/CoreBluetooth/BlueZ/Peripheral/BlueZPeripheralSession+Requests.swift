// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// A request that the manager has not answered; it fails when released.
struct OpenRequest {
  let call: DBusIncomingCall
  /// The path of the central.
  let device: String
}

// Everything here runs on the host's queue.
extension BlueZPeripheralSession: GattApplication.Server {
  func read(_ id: LocalAttribute, _ call: DBusIncomingCall) {
    let options = call.options
    guard let characteristic = attributes[id]?.characteristic, characteristic.isReadable else {
      return call.reply(with: .failure(.attribute(.readNotPermitted)))
    }
    if let value = characteristic.value { return call.reply(with: value.from(options.offset)) }
    ask(call, options) { .read($0, $1, id, offset: options.offset) }
  }

  /// Handles a write; bluetoothd has combined the parts of a long write.
  func write(_ id: LocalAttribute, _ call: DBusIncomingCall) {
    let options = call.options
    guard let characteristic = attributes[id]?.characteristic, characteristic.isWriteable,
      let value = call.arguments.first?.data
    else { return call.reply(with: .failure(.attribute(.writeNotPermitted))) }
    if options.isPermissionCheck { return call.reply() }
    let part = WritePart(characteristic: id, offset: options.offset, value: value)
    ask(call, options) { .write($0, $1, [part]) }
  }

  private func ask(
    _ call: DBusIncomingCall, _ options: GattRequestOptions,
    _ event: (RequestNumber, RemoteCentral) -> PeripheralEvent
  ) {
    guard let device = options.device, let central = central(device, mtu: options.mtu) else {
      return call.reply(with: .failure(.attribute(.unlikelyError)))
    }
    let number = nextRequest
    nextRequest += 1
    requests[number] = OpenRequest(call: call, device: device)
    send(event(number, central))
  }

  /// The central at the other end of a link, even when bluetoothd has already forgotten it.
  func central(_ device: String, mtu: Int? = nil) -> RemoteCentral? {
    guard let identifier = host.identifier(ofDevice: device) ?? centrals[device]?.identifier
    else { return nil }
    // The opcode and the handle take three bytes; no value is longer than 512.
    let maximum = mtu.map { min(max($0 - 3, 20), 512) } ?? centrals[device]?.maximumUpdate
    let central = RemoteCentral(identifier: identifier, maximumUpdate: maximum ?? 20)
    centrals[device] = central
    return central
  }
}
