// SPDX-License-Identifier: Apache-2.0

/// The central role of a ``Radio`` for one manager.
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

/// What a scan looks for.
@_spi(Radio)
public struct ScanRequest: Hashable, Sendable {
  /// Advertised services of which one must match; empty for everything.
  public var services: Set<BluetoothUUID>
  /// Solicited services of which one also matches.
  public var solicited: Set<BluetoothUUID>
  /// Whether each packet is reported, not only the first of a peer and those with new data.
  public var allowsDuplicates: Bool

  /// A scan.
  public init(
    services: Set<BluetoothUUID> = [], solicited: Set<BluetoothUUID> = [],
    allowsDuplicates: Bool = false
  ) {
    self.services = services
    self.solicited = solicited
    self.allowsDuplicates = allowsDuplicates
  }

  /// Whether the advertisement passes the filter.
  public func matches(_ advertisement: Advertisement) -> Bool {
    services.isEmpty && solicited.isEmpty
      || !services.isDisjoint(with: advertisement.services)
      || !services.isDisjoint(with: advertisement.overflowServices)
      || !solicited.isDisjoint(with: advertisement.solicitedServices)
  }
}

/// How a connection is made.
@_spi(Radio)
public struct ConnectRequest: Hashable, Sendable {
  /// How long to wait before the first attempt.
  public var delay: Duration

  /// A request.
  public init(delay: Duration = .zero) {
    self.delay = delay
  }
}

/// A peer as the host knows it.
@_spi(Radio)
public struct RadioPeer: Hashable, Sendable {
  /// The host's identifier of the peer.
  public var identifier: PeerIdentifier
  /// Its Generic Access name, or else the name it advertised.
  public var name: String?

  /// A peer.
  public init(identifier: PeerIdentifier, name: String?) {
    self.identifier = identifier
    self.name = name
  }
}

/// Advertisement and scan response, merged.
@_spi(Radio)
public struct Advertisement: Hashable, Sendable {
  public var localName: String?
  public var services: [BluetoothUUID] = []
  public var overflowServices: [BluetoothUUID] = []
  public var solicitedServices: [BluetoothUUID] = []
  public var serviceData: [BluetoothUUID: Data] = [:]
  /// The company identifier first, little-endian.
  public var manufacturerData: Data?
  /// In dBm.
  public var txPower: Int?
  public var isConnectable = true

  /// An advertisement without content.
  public init() {}
}

/// What is asked of a connected peer.
@_spi(Radio)
public enum PeerRequest: Hashable, Sendable {
  /// Answered by `.services`; nil asks for all.
  case discoverServices([BluetoothUUID]?)
  /// Answered by `.services`.
  case discoverIncludedServices([BluetoothUUID]?, of: AttributeHandle)
  /// Answered by `.characteristics`.
  case discoverCharacteristics([BluetoothUUID]?, of: AttributeHandle)
  /// Answered by `.descriptors`.
  case discoverDescriptors(of: AttributeHandle)
  /// Answered by `.value`, whole.
  case read(AttributeHandle)
  /// At most 512 bytes, whole; answered by `.done`.
  case write(Data, AttributeHandle)
  /// Answered by `.done` as soon as the radio has room for another one.
  case writeWithoutResponse(Data, AttributeHandle)
  /// Answered by `.done`.
  case subscribe(Subscription, AttributeHandle)
  /// Answered by `.rssi`.
  case readRSSI
}

/// What a client wants of a characteristic's changes.
@_spi(Radio)
public enum Subscription: UInt8, Hashable, Sendable {
  case none, notifications, indications
}

/// The answer to a ``PeerRequest``.
@_spi(Radio)
public enum PeerAnswer: Hashable, Sendable {
  case services([RemoteService])
  case characteristics([RemoteCharacteristic])
  case descriptors([RemoteDescriptor])
  case value(Data)
  /// In dBm.
  case rssi(Int)
  case done
}

/// A service of a peer.
@_spi(Radio)
public struct RemoteService: Hashable, Sendable {
  public var handle: AttributeHandle
  public var uuid: BluetoothUUID
  public var isPrimary: Bool

  /// A service.
  public init(handle: AttributeHandle, uuid: BluetoothUUID, isPrimary: Bool) {
    self.handle = handle
    self.uuid = uuid
    self.isPrimary = isPrimary
  }
}

/// A characteristic of a peer.
@_spi(Radio)
public struct RemoteCharacteristic: Hashable, Sendable {
  public var handle: AttributeHandle
  public var uuid: BluetoothUUID
  public var properties: CBCharacteristicProperties

  /// A characteristic.
  public init(handle: AttributeHandle, uuid: BluetoothUUID, properties: CBCharacteristicProperties)
  {
    self.handle = handle
    self.uuid = uuid
    self.properties = properties
  }
}

/// A descriptor of a peer.
@_spi(Radio)
public struct RemoteDescriptor: Hashable, Sendable {
  public var handle: AttributeHandle
  public var uuid: BluetoothUUID

  /// A descriptor.
  public init(handle: AttributeHandle, uuid: BluetoothUUID) {
    self.handle = handle
    self.uuid = uuid
  }
}

/// What happens to a central session.
@_spi(Radio)
public enum CentralEvent: Sendable {
  /// Below `.poweredOn` the scan and all connections of the session are gone, without events.
  case stateChanged(CBManagerState)
  /// An RSSI of 127 says that it is not known.
  case discovered(RadioPeer, Advertisement, rssi: Int)
  /// The link is up; `maximumWrite` is the longest value of a write without response.
  case connected(RadioPeer, maximumWrite: Int)
  case connectFailed(PeerIdentifier, RadioError)
  /// Answers `disconnect` with nil, else says why the link was lost.
  case disconnected(PeerIdentifier, RadioError?)
  case answered(RequestNumber, PeerIdentifier, Result<PeerAnswer, RadioError>)
  /// A notification or an indication; the radio has confirmed the latter.
  case valueChanged(PeerIdentifier, AttributeHandle, Data)
  /// The services of these handles are dead.
  case servicesChanged(PeerIdentifier, [AttributeHandle])
  case nameChanged(PeerIdentifier, String?)
  case maximumWriteChanged(PeerIdentifier, Int)
  /// Answers `watchConnections`.
  case connectionWatched(RadioPeer, CBConnectionEvent)
}
