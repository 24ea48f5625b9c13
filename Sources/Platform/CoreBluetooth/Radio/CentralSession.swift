// SPDX-License-Identifier: Apache-2.0

/// The central role of a ``Radio`` for one manager.
///
/// Each `connect` has one end: `.connectFailed`; or `.disconnected`, before or after `.connected`;
/// or a `.stateChanged` below `.poweredOn`. Nothing about a peer follows its end. Requests that are
/// open at that time get no answer.
package protocol CentralSession: AnyObject, Sendable {
  /// Scans; replaces an earlier scan of this session and forgets its reported peers.
  func startScan(_ scan: ScanRequest)
  func stopScan()

  /// Connects, without a time limit; ends in `.connected` or `.connectFailed`.
  func connect(_ peer: PeerIdentifier, options: ConnectRequest)

  /// Reports `.connected` again if the session is connected to the peer by then, else nothing.
  func confirmConnection(to peer: PeerIdentifier)

  /// Cancels a pending or an established connection; ends in `.disconnected` with nil.
  func disconnect(_ peer: PeerIdentifier)

  /// The peers that the host knows, in the order requested.
  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer]

  /// The peers connected to any app on this host that have one of the services.
  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer]

  /// Reports links made by any app on this host from now on; nil for both ends that.
  ///
  /// The session's own connections lie within their links: a new link is reported before
  /// `.connected`, and its end after `.disconnected`. Without power nothing is reported.
  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?)

  /// Performs a request on a connected peer; ends in `.answered` unless the link ends first.
  ///
  /// The manager has at most one open request for each peer, except commands without response.
  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber)

  /// Ends the session, its scan and its connections; no event follows.
  func close()
}
