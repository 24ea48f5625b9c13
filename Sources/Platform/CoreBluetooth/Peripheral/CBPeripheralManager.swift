// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// Publishes services and advertises them.
open class CBPeripheralManager: CBManager {
  struct Table {
    weak var delegate: (any CBPeripheralManagerDelegate)?
    var isAdvertising = false
    var wantsAdvertising = false
    /// Whether the power is off, and advertising goes on when it is back.
    var isPaused = false
    var database = LocalDatabase()
    var centrals: [PeerIdentifier: CBCentral] = [:]
    var updates = UpdateQueue()
  }

  let table: Locked<Table>
  private let opening = Locked<any PeripheralSession>(AbsentSession())

  /// A manager without a delegate, on the main queue.
  public convenience init() {
    self.init(delegate: nil, queue: nil, options: nil)
  }

  /// A manager that calls its delegate on the queue; nil is the main queue.
  public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
    self.init(delegate: delegate, queue: queue, options: nil)
  }

  /// A manager that calls its delegate on the queue; nil is the main queue.
  ///
  /// With a restore identifier it takes over the state that the system has kept for the manager
  /// that had the identifier before: see <doc:Restoration>.
  ///
  /// - Parameters:
  ///   - delegate: Receives the events; held weakly.
  ///   - queue: The queue for all callbacks.
  ///   - options: Keys that begin with `CBPeripheralManagerOption`.
  public init(
    delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?,
    options: [String: Any]? = nil
  ) {
    table = Locked(Table(delegate: delegate))
    super.init(queue: queue, options: options)
    // The lock is held while the session opens: the first event may arrive before it is stored.
    opening.withLock {
      $0 = radio.openPeripheral(
        queue: self.queue,
        restoring: options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String
      ) { [weak self] event in self?.handle(event) }
    }
  }

  deinit {
    session.close()
  }

  var session: any PeripheralSession { opening.withLock { $0 } }

  /// The object that receives the manager's events; held weakly.
  open var delegate: (any CBPeripheralManagerDelegate)? {
    get { table.withLock { $0.delegate } }
    set { table.withLock { $0.delegate = newValue } }
  }

  /// Whether the manager advertises; false while the power is off.
  ///
  /// Advertising that was paused for lack of power continues by itself, so this is true again when
  /// the delegate hears of the power.
  open var isAdvertising: Bool { table.withLock { $0.isAdvertising && !$0.isPaused } }

  /// Whether the process may publish.
  @available(iOS, introduced: 7.0, deprecated: 13.0, message: "Use CBManagerAuthorization instead")
  @available(
    macOS, introduced: 10.9, deprecated: 10.15, message: "Use CBManagerAuthorization instead"
  )
  @discardableResult
  open class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus {
    CBPeripheralManagerAuthorizationStatus(rawValue: authorization.rawValue) ?? .notDetermined
  }

  /// Advertises a local name and service UUIDs; other keys are ignored.
  ///
  /// Ends in `peripheralManagerDidStartAdvertising`.
  open func startAdvertising(_ advertisementData: [String: Any]?) {
    guard isReady() else { return }
    var advertisement = RadioAdvertisement()
    advertisement.localName = advertisementData?[CBAdvertisementDataLocalNameKey] as? String
    let services = advertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
    advertisement.services = (services ?? []).map(\.value)
    table.withLock { table in
      table.wantsAdvertising = true
      session.startAdvertising(advertisement)
    }
  }

  /// Ends advertising.
  open func stopAdvertising() {
    guard isReady() else { return }
    table.withLock { table in
      table.wantsAdvertising = false
      table.isAdvertising = false
      session.stopAdvertising()
    }
  }

  /// Requests another connection interval for a central.
  open func setDesiredConnectionLatency(
    _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
  ) {
    guard isReady() else { return }
    session.setLatency(latency, for: central.identifier)
  }

  /// Publishes a service as it is now; ends in `didAdd`.
  ///
  /// The services that it includes have to be published first.
  open func add(_ service: CBMutableService) {
    guard isReady() else { return }
    let error = table.withLock { table -> RadioError? in
      do throws(RadioError) {
        session.add(try table.database.add(service))
        return nil
      } catch {
        return error
      }
    }
    if let error { refuse(service, error) }
  }

  private func refuse(_ service: CBMutableService, _ error: RadioError) {
    let service = Unchecked(service)
    queue.async { [weak self] in
      guard let self else { return }
      delegate?.peripheralManager(self, didAdd: service.value, error: error.object)
    }
  }

  /// Withdraws a service.
  open func remove(_ service: CBMutableService) {
    guard isReady() else { return }
    if let id = table.withLock({ $0.database.remove(service) }) { session.remove(id) }
  }

  /// Withdraws all services.
  open func removeAllServices() {
    guard isReady() else { return }
    table.withLock { $0.database.removeAll() }
    session.removeAll()
  }

  /// Answers a read or a write, once; for a write with several parts, answer the first.
  open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
    guard isReady() else { return }
    guard request.replyToken.markAnswered() else {
      return reportMisuse("can only respond once to \(request)")
    }
    let value = request.replyToken.isRead ? request.value ?? Data() : Data()
    session.respond(
      to: request.replyToken.number,
      result == .success ? .success(value) : .failure(.attribute(result)))
  }

  /// Notifies or indicates a value to the subscribed centrals; nil for all of them.
  ///
  /// - Returns: False when the queue is full; then nothing is sent, and
  ///   `peripheralManagerIsReady(toUpdateSubscribers:)` follows.
  @discardableResult
  open func updateValue(
    _ value: Data, for characteristic: CBMutableCharacteristic,
    onSubscribedCentrals centrals: [CBCentral]?
  ) -> Bool {
    guard isReady() else { return false }
    return table.withLock { table in
      guard let id = table.database.id(of: characteristic) else { return true }
      guard let number = table.updates.append() else { return false }
      session.update(value, of: id, for: centrals?.map(\.identifier), number: number)
      return true
    }
  }

  /// Listens for channels under a number that the system chooses; ends in `didPublishL2CAPChannel`.
  ///
  /// Clients do not find the number by themselves: put it into a characteristic of the type
  /// `CBUUIDL2CAPPSMCharacteristicString`, as a little-endian `UInt16`.
  ///
  /// - Parameter encryptionRequired: Whether clients have to pair before they open a channel.
  open func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
    guard isReady() else { return }
    session.publishChannel(encrypted: encryptionRequired)
  }

  /// Stops listening and closes the number's channels; ends in `didUnpublishL2CAPChannel`.
  open func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) {
    guard isReady() else { return }
    session.unpublishChannel(PSM)
  }
}
