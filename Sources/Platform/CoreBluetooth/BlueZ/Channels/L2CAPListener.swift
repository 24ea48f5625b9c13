// SPDX-License-Identifier: Apache-2.0

/// Accepts the channels that centrals open under one number; used on one queue.
final class L2CAPListener {
  /// The number that the kernel has chosen, 0x80 through 0xFF.
  let psm: CBL2CAPPSM
  private let source: any DispatchSourceRead

  /// Listens at an adapter until the listener is released.
  ///
  /// `accepted` is called on the queue with each channel and the address of its central.
  init(
    at adapter: BlueZAddress, encrypted: Bool, queue: DispatchQueue,
    accepted: @escaping (SocketChannel, BlueZAddress) -> Void
  ) throws(SocketError) {
    let socket = try Socket.l2cap(L2CAPAddress(adapter, psm: 0))
    try socket.listen(encrypted: encrypted)
    let psm = try socket.localAddress().psm
    self.psm = psm
    source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
    source.setEventHandler {
      while let (new, remote) = socket.accept() {
        if let channel = try? SocketChannel(new, psm: psm) { accepted(channel, remote.address) }
      }
    }
    source.setCancelHandler { withExtendedLifetime(socket) {} }
    source.resume()
  }

  deinit {
    source.cancel()
  }
}
