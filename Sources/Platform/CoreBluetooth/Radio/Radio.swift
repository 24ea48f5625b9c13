// SPDX-License-Identifier: Apache-2.0

/// The key of the option that names the ``Radio`` of a manager; without it the default radio is used.
@_spi(Radio) public let CBManagerOptionRadioKey: String = "org.santorio.radio"

/// One Bluetooth adapter of one host, as the managers need it: commands in, events out.
///
/// The radio owns links, bonds and the attribute protocol. It reads and writes long values whole,
/// pairs when a server demands it and then repeats the request, and shares one link between the
/// sessions of its host. What belongs to objects and delegates is the managers' part.
///
/// Commands may come from any thread and return at once. Events reach a session's handler on the
/// session's queue, in order, never inside a command.
@_spi(Radio)
public protocol Radio: AnyObject, Sendable {
  /// Whether this process may use the radio.
  var authorization: CBManagerAuthorization { get }

  /// Opens the central role for one manager. The first event is `.stateChanged`.
  func openCentral(
    queue: DispatchQueue, handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession

  /// Opens the peripheral role for one manager. The first event is `.stateChanged`.
  func openPeripheral(
    queue: DispatchQueue, handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession

  /// Takes a line that says how an app misuses the interface.
  func reportMisuse(_ line: String)
}

extension Radio {
  /// Writes the line to standard error.
  public func reportMisuse(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}

/// The radio of managers that name none.
@_spi(Radio)
public enum DefaultRadio {
  private static let slot = Guarded<(any Radio)?>(nil)

  /// The radio; nil leaves managers in the state `.unsupported`.
  public static var current: (any Radio)? {
    get { slot.withLock { $0 } }
    set { slot.withLock { $0 = newValue } }
  }

  static func radio(for options: [String: Any]?) -> any Radio {
    options?[CBManagerOptionRadioKey] as? any Radio ?? current ?? AbsentRadio()
  }
}

/// The identifier by which a host knows a peer; stable on that host, different on another.
@_spi(Radio) public typealias PeerIdentifier = UUID

/// A number of the caller's choice that comes back with the answer.
@_spi(Radio) public typealias RequestNumber = UInt64

/// Names a remote attribute while its peer's database is unchanged.
@_spi(Radio) public typealias AttributeHandle = UInt32

/// Why a request or a link failed.
@_spi(Radio)
public enum RadioError: Error, Hashable, Sendable {
  /// The attribute server answered with an error.
  case attribute(CBATTError.Code)
  /// This side failed.
  case system(CBError.Code)

  /// The object that delegates receive.
  public var object: NSError {
    switch self {
    case .attribute(let code): code.error
    case .system(let code): code.error
    }
  }
}

/// The radio of a process that has none.
final class AbsentRadio: Radio {
  var authorization: CBManagerAuthorization { .allowedAlways }

  func openCentral(
    queue: DispatchQueue, handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession {
    queue.async { handler(.stateChanged(.unsupported)) }
    return AbsentSession()
  }

  func openPeripheral(
    queue: DispatchQueue, handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession {
    queue.async { handler(.stateChanged(.unsupported)) }
    return AbsentSession()
  }
}

/// A session that never has anything to report.
final class AbsentSession: CentralSession, PeripheralSession {
  func startScan(_ scan: ScanRequest) {}
  func stopScan() {}
  func connect(_ peer: PeerIdentifier, options: ConnectRequest) {}
  func disconnect(_ peer: PeerIdentifier) {}
  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer] { [] }
  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer] { [] }
  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?) {}
  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber) {}
  func add(_ service: LocalService) {}
  func remove(_ service: LocalAttribute) {}
  func removeAll() {}
  func startAdvertising(_ advertisement: Advertisement) {}
  func stopAdvertising() {}
  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>) {}
  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber
  ) {}
  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier) {}
  func close() {}
}
