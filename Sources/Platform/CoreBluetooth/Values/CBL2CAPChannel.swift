// SPDX-License-Identifier: Apache-2.0

/// The number of a channel's service.
///
/// Published channels have the numbers 0x80 through 0xFF; lower numbers are assigned by the
/// Bluetooth SIG.
public typealias CBL2CAPPSM = UInt16

/// A connection-oriented channel to a peer: bytes both ways, in order, with flow control.
///
/// The app retains the object: when the last reference is released, or both streams are closed, the
/// channel closes. Bytes written before are still sent.
///
/// The streams are neither opened nor scheduled. Set a delegate, schedule them in a run loop and
/// open them; or open them and poll `hasBytesAvailable` and `hasSpaceAvailable`. A `read` without
/// bytes and a `write` without room block, so do neither on a manager's queue. A closed channel
/// ends both streams, the input stream after its last byte; a lost link is an error of ``CBError``.
open class CBL2CAPChannel: NSObject {
  private let transport: ChannelTransport?
  private let other: CBPeer?
  private let input: InputStream?
  private let output: OutputStream?

  /// A channel without a peer; usable channels come from `didOpen`.
  public override init() {
    (transport, other, input, output) = (nil, nil, nil, nil)
  }

  init(_ channel: any RadioChannel, peer: CBPeer) {
    let transport = ChannelTransport(channel)
    self.transport = transport
    other = peer
    input = ChannelInputStream(transport)
    output = ChannelOutputStream(transport)
  }

  deinit {
    transport?.close()
  }

  /// The other end: a ``CBPeripheral``, or a ``CBCentral``.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var peer: CBPeer! { other }

  /// The bytes that the other end sends.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var inputStream: InputStream! { input }

  /// The bytes to send to the other end.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var outputStream: OutputStream! { output }

  /// The number of the channel's service.
  open var psm: CBL2CAPPSM { transport?.psm ?? 0 }
}
