// SPDX-License-Identifier: Apache-2.0

/// An event of a central session.
package enum CentralEvent: Sendable {
  /// The state that the radio has kept for a manager; the scan and the connections continue.
  case restored(CentralRestoration)
  /// Below `.poweredOn` the scan and all connections of the session end without further events.
  case stateChanged(CBManagerState)
  /// An RSSI of 127 means that it is not known.
  case discovered(RadioPeer, RadioAdvertisement, rssi: Int)
  /// The link is up; `maximumWrite` is the longest value of a write without response.
  ///
  /// Also answers `confirmConnection`.
  case connected(RadioPeer, maximumWrite: Int)
  case connectFailed(PeerIdentifier, RadioError)
  /// Answers `disconnect` with nil; otherwise gives the reason why the link was lost.
  case disconnected(PeerIdentifier, RadioError?)
  case answered(RequestNumber, PeerIdentifier, Result<PeerAnswer, RadioError>)
  /// A notification or an indication; the radio has confirmed the latter.
  case valueChanged(PeerIdentifier, AttributeHandle, Data)
  /// The services with these handles are invalid.
  case servicesChanged(PeerIdentifier, [AttributeHandle])
  case nameChanged(PeerIdentifier, String?)
  case maximumWriteChanged(PeerIdentifier, Int)
  /// Answers `watchConnections`.
  case connectionWatched(RadioPeer, CBConnectionEvent)
}
