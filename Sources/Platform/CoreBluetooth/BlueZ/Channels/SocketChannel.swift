// SPDX-License-Identifier: Apache-2.0

/// One end of a channel, over a connected socket that preserves message boundaries.
final class SocketChannel: RadioChannel {
  let psm: CBL2CAPPSM
  private let stream: SocketStream

  /// Takes over a connected socket.
  init(_ socket: Socket, psm: CBL2CAPPSM, limits: SocketStream.Limits) {
    self.psm = psm
    stream = SocketStream(socket, limits: limits)
    stream.open()
  }

  /// A channel over an L2CAP socket.
  convenience init(_ socket: Socket, psm: CBL2CAPPSM) throws(SocketError) {
    self.init(socket, psm: psm, limits: try socket.unitLimits())
  }

  deinit {
    stream.close()
  }

  var status: RadioChannelStatus { stream.status }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { stream.read(into: buffer) }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int { stream.write(bytes) }

  func setListener(_ listener: (any RadioChannelListener)?) { stream.setListener(listener) }

  func close() { stream.close() }
}

extension RadioChannelEnd {
  /// How a socket has ended, by its last error.
  ///
  /// The kernel gives `ECONNRESET` when the other side closes the channel and when it gives up the
  /// link; only in the first case is the socket shut down (Linux, l2cap_disconnect_req).
  /// `ECONNABORTED` means that this host has given up the link.
  init(_ error: SocketError?, isShutDown: Bool) {
    switch error?.code {
    case _ where isShutDown: self = .closed
    case nil, ECONNABORTED: self = .closed
    case ETIMEDOUT: self = .failed(.system(.connectionTimeout))
    default: self = .failed(.system(.peripheralDisconnected))
    }
  }
}
