// SPDX-License-Identifier: Apache-2.0

/// Opens channels to peers.
enum L2CAPConnector {
  /// Opens a channel over the existing link; the completion runs on the queue, later.
  ///
  /// The kernel pairs when the peer requires it, and gives up after 40 seconds.
  static func open(
    _ psm: CBL2CAPPSM, from adapter: BlueZAddress, to peer: BlueZAddress, queue: DispatchQueue,
    completion: @escaping @Sendable (Result<any RadioChannel, RadioError>) -> Void
  ) {
    do throws(SocketError) {
      let socket = try Socket.l2cap(L2CAPAddress(adapter, psm: 0))
      if try socket.connect(to: L2CAPAddress(peer, psm: psm)) {
        queue.async { completion(channel(over: socket, psm)) }
      } else {
        wait(for: socket, queue) { completion(channel(over: socket, psm)) }
      }
    } catch {
      queue.async { completion(.failure(RadioError(error))) }
    }
  }

  private static func wait(
    for socket: Socket, _ queue: DispatchQueue, _ body: @escaping () -> Void
  ) {
    let source = DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: queue)
    source.setEventHandler {
      source.cancel()
      body()
    }
    source.setCancelHandler { withExtendedLifetime(socket) {} }
    source.resume()
  }

  private static func channel(
    over socket: Socket, _ psm: CBL2CAPPSM
  ) -> Result<any RadioChannel, RadioError> {
    if let error = socket.takeError() { return .failure(RadioError(error)) }
    do throws(SocketError) {
      return .success(try SocketChannel(socket, psm: psm))
    } catch {
      return .failure(RadioError(error))
    }
  }
}
