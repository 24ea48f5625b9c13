// SPDX-License-Identifier: Apache-2.0

/// The number of a channel's service.
public typealias CBL2CAPPSM = UInt16

/// A connection-oriented channel to a peer.
open class CBL2CAPChannel: NSObject {
  /// The other end.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var peer: CBPeer! { nil }

  /// What the other end sends.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var inputStream: InputStream! { nil }

  /// What is sent to the other end.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var outputStream: OutputStream! { nil }

  /// The number of the channel's service.
  open var psm: CBL2CAPPSM { 0 }
}
