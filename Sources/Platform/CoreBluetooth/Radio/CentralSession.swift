// SPDX-License-Identifier: Apache-2.0

/// The central role of a ``Radio`` for one manager.
///
/// Each `connect` has one end: `.connectFailed`; or `.disconnected`, before or after `.connected`;
/// or a `.stateChanged` below `.poweredOn`. Nothing about a peer follows its end. Requests that are
/// open at that time get no answer.
@_spi(Radio)
public protocol CentralSession: AnyObject, Sendable {
  /// Scans; replaces an earlier scan of this session and forgets what that had reported.
  func startScan(_ scan: ScanRequest)
  func stopScan()

  /// Connects, without a time limit; ends in `.connected` or `.connectFailed`.
  func connect(_ peer: PeerIdentifier, options: ConnectRequest)

  /// Gives up a pending or a live connection of this session; ends in `.disconnected` with nil.
  func disconnect(_ peer: PeerIdentifier)

  /// Those of the peers that the host knows, in the order asked.
  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer]

  /// The peers that anybody on this host is connected to and that have one of the services.
  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer]

  /// Reports links made by anybody on this host from now on; nil twice ends that.
  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?)

  /// Performs a request on a connected peer; ends in `.answered` unless the link ends first.
  ///
  /// The manager leaves at most one request open for each peer, commands without response aside.
  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber)

  /// Ends the session, its scan and its connections; no event follows.
  func close()
}
