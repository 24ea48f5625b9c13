// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// A peripheral that a ``CBCentralManager`` has found.
///
/// Only the app retains it: releasing the last reference ends the connection.
open class CBPeripheral: CBPeer {
  struct State {
    weak var delegate: (any CBPeripheralDelegate)?
    var name: String?
    var phase = CBPeripheralState.disconnected
    var options = ConnectRequest()
    var isReconnectWanted = false
    /// How often a connection was cancelled.
    var cancellations: UInt64 = 0
    var services: [CBService]?
    var attributes: [AttributeHandle: CBAttribute] = [:]
    var maximumWrite = 20
    var rssi: NSNumber?
    var advertisement: (content: RadioAdvertisement, dictionary: [String: Any])?
    var requests = CentralRequestQueue()
    /// Whether the room for writes without response is not shown.
    var hidesRoom = false

    /// Stores a name; returns whether it is a new one.
    mutating func take(_ name: String?) -> Bool {
      guard let name, self.name != name else { return false }
      self.name = name
      return true
    }
  }

  let storage: Locked<State>
  let session: any CentralSession
  let queue: DispatchQueue
  let radio: any Radio
  private let link = Locked(WeakManager())

  private struct WeakManager {
    weak var object: CBCentralManager?
  }

  /// Peripherals come from a central manager.
  @available(*, unavailable)
  public override convenience init() {
    preconditionFailure("Peripherals come from a central manager")
  }

  init(_ peer: RadioPeer, manager: CBCentralManager, session: any CentralSession) {
    storage = Locked(State(name: peer.name))
    self.session = session
    queue = manager.queue
    radio = manager.radio
    super.init(identifier: peer.identifier)
    link.withLock { $0.object = manager }
  }

  deinit {
    let phase = storage.withLock { $0.phase }
    switch phase {
    case .connected:
      reportMisuse("Forcing disconnection of unused peripheral \(self)")
    case .connecting:
      reportMisuse(
        "Cancelling connection for unused peripheral \(self), "
          + "Did you forget to keep a reference to it?")
    default:
      break
    }
    if phase != .disconnected { session.disconnect(identifier) }
    link.withLock { $0.object }?.forget(identifier)
  }

  /// The object that receives values, services and answers; held weakly.
  open var delegate: (any CBPeripheralDelegate)? {
    get { storage.withLock { $0.delegate } }
    set { storage.withLock { $0.delegate = newValue } }
  }

  /// The peripheral's own name if it is known, otherwise the advertised one.
  open var name: String? { storage.withLock { $0.name } }

  /// The signal strength last read.
  @available(iOS, introduced: 5.0, deprecated: 8.0)
  @available(macOS, introduced: 10.7, deprecated: 10.13)
  open var rssi: NSNumber? { storage.withLock { $0.rssi } }

  /// The state of the connection.
  open var state: CBPeripheralState { storage.withLock { $0.phase } }

  /// The services found on this connection; nil before the first discovery.
  open var services: [CBService]? { storage.withLock { $0.services } }

  /// Whether there is room for a write without response; when false, such a write is dropped.
  ///
  /// When there is room again, `peripheralIsReady(toSendWriteWithoutResponse:)` is called.
  open var canSendWriteWithoutResponse: Bool {
    storage.withLock { !$0.hidesRoom && $0.requests.hasRoom }
  }

  /// Always false: Linux has no Apple notification service.
  open var ancsAuthorized: Bool { false }

  /// The longest value of one write, in bytes.
  @discardableResult
  open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
    type == .withResponse ? 512 : storage.withLock { $0.maximumWrite }
  }

  /// Reads the signal strength; ends in `didReadRSSI`.
  open func readRSSI() {
    requestRSSI()
  }

  /// Looks for services, nil for all; ends in `didDiscoverServices`.
  open func discoverServices(_ serviceUUIDs: [CBUUID]?) {
    requestServices(serviceUUIDs)
  }

  /// Looks for services included by a service; nil for all.
  open func discoverIncludedServices(
    _ includedServiceUUIDs: [CBUUID]?, for service: CBService
  ) {
    requestIncludedServices(includedServiceUUIDs, of: service)
  }

  /// Looks for characteristics of a service; nil for all.
  open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
    requestCharacteristics(characteristicUUIDs, of: service)
  }

  /// Looks for all descriptors of a characteristic.
  open func discoverDescriptors(for characteristic: CBCharacteristic) {
    requestDescriptors(of: characteristic)
  }

  /// Reads a complete value; ends in `didUpdateValueFor`, as notifications do.
  open func readValue(for characteristic: CBCharacteristic) {
    requestValue(of: characteristic)
  }

  /// Writes a value.
  ///
  /// With a response, `didWriteValueFor` follows and up to 512 bytes are written completely.
  /// Without one no call follows, bytes beyond the maximum are cut off, and without room the value
  /// is dropped.
  open func writeValue(
    _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
  ) {
    requestWrite(data, to: characteristic, type: type)
  }

  /// Begins or ends notifications, or indications where there are no notifications.
  open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
    requestChanges(enabled, of: characteristic)
  }

  /// Reads a descriptor's value.
  open func readValue(for descriptor: CBDescriptor) {
    requestValue(of: descriptor)
  }

  /// Writes a descriptor's value.
  ///
  /// - Precondition: The descriptor is not the client's configuration (2902).
  open func writeValue(_ data: Data, for descriptor: CBDescriptor) {
    requestWrite(data, to: descriptor)
  }

  /// Opens a channel to a service of the peripheral; ends in `didOpen`, without one on failure.
  ///
  /// Pairs when the service requires encryption. The number is 1 through 0xFF, otherwise the error
  /// is `CBError.invalidParameters`; for a number that is not published it is `.connectionFailed`.
  open func openL2CAPChannel(_ PSM: CBL2CAPPSM) {
    requestChannel(PSM)
  }

  /// The class, the address, the identifier, the name, the MTU and the state.
  open override var description: String {
    let (name, mtu, phase) = storage.withLock {
      ($0.name ?? "(null)", $0.phase == .connected ? $0.maximumWrite + 3 : 0, $0.phase)
    }
    return "<\(type(of: self)): \(address(self)), identifier = \(identifier), name = \(name), "
      + "mtu = \(mtu), state = \(phase)>"
  }

  func reportMisuse(_ complaint: String) {
    radio.reportMisuse("[CoreBluetooth] API MISUSE: \(complaint)")
  }
}

// MARK: - Connection

extension CBPeripheral {
  /// The state of a connection when it ended.
  struct ConnectionEnd {
    var wasCancelled: Bool
    var options: ConnectRequest
    var isReconnectWanted: Bool
    var cancellations: UInt64
  }

  // The lock is held while calling the radio: it keeps the order of the commands.

  /// Asks the radio for a connection; while one is being cancelled the request is kept.
  ///
  /// A connection that exists is reported again, unless it has ended when the radio answers.
  /// An automatic reconnection is not made if the app has cancelled meanwhile.
  func connect(_ options: ConnectRequest, after end: ConnectionEnd? = nil) {
    storage.withLock { state in
      if let end, end.cancellations != state.cancellations { return }
      switch state.phase {
      case .disconnected:
        state.phase = .connecting
        state.options = options
        session.connect(identifier, options: options)
      case .disconnecting:
        state.isReconnectWanted = true
        state.options = options
      case .connected:
        session.confirmConnection(to: identifier)
      default:
        break
      }
    }
  }

  func cancelConnection() {
    storage.withLock { state in
      state.isReconnectWanted = false
      state.cancellations &+= 1
      guard state.phase == .connecting || state.phase == .connected else { return }
      state.phase = .disconnecting
      session.disconnect(identifier)
    }
  }

  /// Stores that the link is up; false when the app has cancelled the connection meanwhile.
  func beginConnection(maximumWrite: Int) -> Bool {
    storage.withLock { state in
      guard state.phase == .connecting || state.phase == .connected else { return false }
      state.phase = .connected
      state.maximumWrite = maximumWrite
      state.hidesRoom = radio.hidesRoomBeforeFirstWrite
      return true
    }
  }

  /// Removes the state of the connection and returns it; nil when there was none.
  func endConnection() -> ConnectionEnd? {
    let (end, attributes) = storage.withLock { state -> (ConnectionEnd?, [CBAttribute]) in
      guard state.phase != .disconnected else { return (nil, []) }
      let end = ConnectionEnd(
        wasCancelled: state.phase == .disconnecting, options: state.options,
        isReconnectWanted: state.isReconnectWanted, cancellations: state.cancellations)
      let attributes = Array(state.attributes.values)
      state.phase = .disconnected
      state.isReconnectWanted = false
      state.services = nil
      state.attributes = [:]
      state.requests = CentralRequestQueue(next: state.requests.next)
      return (end, attributes)
    }
    for case let characteristic as CBCharacteristic in attributes {
      characteristic.state.withLock { $0.isNotifying = false }
    }
    return end
  }

  /// Connects if that was requested while the last connection was being cancelled.
  func connectAgain(after end: ConnectionEnd) {
    if end.isReconnectWanted { connect(end.options, after: end) }
  }

  /// Stores a name and notifies the delegate if it has changed.
  func rename(_ name: String?) {
    let hasChanged = storage.withLock { $0.take(name) }
    if hasChanged { delegate?.peripheralDidUpdateName(self) }
  }

  /// The advertisement for the delegate, and whether the peripheral's name has changed.
  ///
  /// The dictionary is created again only when the content has changed.
  func update(_ content: RadioAdvertisement, named name: String?) -> (
    [String: Any], isRenamed: Bool
  ) {
    storage.withLock { state in
      let isRenamed = state.take(name)
      if let last = state.advertisement, last.content == content {
        return (last.dictionary, isRenamed)
      }
      let dictionary = content.dictionary
      state.advertisement = (content, dictionary)
      return (dictionary, isRenamed)
    }
  }

  func setMaximumWrite(_ maximum: Int) {
    storage.withLock { $0.maximumWrite = maximum }
  }
}
