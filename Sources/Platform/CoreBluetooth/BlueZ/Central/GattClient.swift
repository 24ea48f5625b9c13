// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// The attribute requests of one link (BlueZ, doc/gatt-api.txt).
final class GattClient {
  typealias Finish = (Result<PeerAnswer, RadioError>) -> Void

  let database: RemoteDatabase
  /// The longest value of a write without response.
  private(set) var maximumWrite = 20

  private let peer: PeerIdentifier
  private unowned let host: BlueZHost
  private let connection: DBusConnection
  private var subscriptions: [String: ValueSubscription] = [:]
  private var pipes: [String: WritePipe] = [:]
  private var paths: [AttributeHandle: String] = [:]
  /// The values that arrived during a read of a characteristic; one of them is the read's result.
  private var held: [String: [Data]] = [:]
  /// The requests that have not been answered, by number.
  private var open: [Int: Finish] = [:]
  private var lastRequest = 0
  private var isClosed = false

  /// Nil when the bus is gone.
  init?(peer: PeerIdentifier, device: String, host: BlueZHost) {
    guard let connection = host.connection, let tree = host.tree else { return nil }
    self.peer = peer
    self.host = host
    self.connection = connection
    database = RemoteDatabase(tree: tree, device: device)
  }

  /// Ends all subscriptions and fails open requests, when the link has ended or is not needed.
  ///
  /// If the subscriptions stayed, bluetoothd would subscribe again at the next connection and
  /// receive values before a session expects them.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for pipe in pipes.values { pipe.close() }
    for path in subscriptions.keys {
      connection.send(BlueZ.call(path, BlueZ.characteristic, "StopNotify"))
    }
    subscriptions = [:]
  }

  // MARK: - Requests

  func perform(
    _ request: PeerRequest, for session: BlueZCentralSession, finish: @escaping Finish
  ) {
    lastRequest += 1
    let number = lastRequest
    open[number] = finish
    begin(request, for: session) { [weak self] result in
      self?.open.removeValue(forKey: number)?(result)
    }
  }

  var hasOpenRequests: Bool { !open.isEmpty }

  /// Fails the open requests.
  func failRequests(_ error: RadioError) {
    let open = self.open
    self.open = [:]
    for (_, finish) in open.sorted(by: { $0.key < $1.key }) { finish(.failure(error)) }
  }

  private func begin(
    _ request: PeerRequest, for session: BlueZCentralSession, _ finish: @escaping Finish
  ) {
    // The pipes are a separate path to bluetoothd: other requests must not overtake their commands.
    if case .writeWithoutResponse = request { return execute(request, for: session, finish) }
    guard !pipes.values.allSatisfy(\.isDrained) else {
      return execute(request, for: session, finish)
    }
    host.after(.milliseconds(1)) { [weak self] in
      if let self, !isClosed { begin(request, for: session, finish) }
    }
  }

  private func execute(
    _ request: PeerRequest, for session: BlueZCentralSession, _ finish: @escaping Finish
  ) {
    switch request {
    case .discoverServices(let wanted):
      finish(.success(.services(database.services(wanted))))
    case .discoverIncludedServices(let wanted, let handle):
      with(handle, finish) { .services(database.includedServices(wanted, of: $0)) }
    case .discoverCharacteristics(let wanted, let handle):
      with(handle, finish) { .characteristics(database.characteristics(wanted, of: $0)) }
    case .discoverDescriptors(let handle):
      with(handle, finish) { .descriptors(database.descriptors(of: $0)) }
    case .read(let handle): read(handle, finish)
    case .write(let value, let handle): write(value, to: handle, finish)
    case .writeWithoutResponse(let value, let handle): send(value, to: handle, finish)
    case .subscribe(.none, let handle): unsubscribe(session, from: handle, finish)
    case .subscribe(_, let handle): subscribe(session, to: handle, finish)
    case .readRSSI: readRSSI(finish)
    case .openChannel(let psm): openChannel(psm, finish)
    }
  }

  private func with(
    _ handle: AttributeHandle, _ finish: Finish, _ body: (String) -> PeerAnswer
  ) {
    finish(path(handle).map(body))
  }

  private func path(_ handle: AttributeHandle) -> Result<String, RadioError> {
    if let path = paths[handle], database.tree.objects[path] != nil { return .success(path) }
    paths[handle] = database.path(of: handle)
    return paths[handle].map(Result.success) ?? .failure(.attribute(.invalidHandle))
  }

  private func interface(of path: String) -> String {
    database.tree[path, BlueZ.descriptor] == nil ? BlueZ.characteristic : BlueZ.descriptor
  }

  /// Tries again while bluetoothd is busy with the same attribute for another program.
  private func retrying(
    _ path: String, _ member: String, _ arguments: [DBusValue], attempts: Int = 40,
    reply: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    var call = BlueZ.call(path, interface(of: path), member)
    call.arguments = arguments
    let reply = Unchecked(reply)
    connection.call(call, timeout: .seconds(40)) { [weak self] result in
      guard let self, !isClosed else { return }
      if case .failure(let error) = result, error.isInProgress, attempts > 1 {
        host.after(.milliseconds(50)) { [weak self] in
          self?.retrying(path, member, arguments, attempts: attempts - 1, reply: reply.value)
        }
      } else {
        reply.value(result)
        if case .failure(let error) = result, error.name == DBusError.noReply {
          host.links[peer].requestTimedOut()
        }
      }
    }
  }

  // MARK: - Values

  private func read(_ handle: AttributeHandle, _ finish: @escaping Finish) {
    guard case .success(let path) = path(handle) else {
      return finish(.failure(.attribute(.invalidHandle)))
    }
    held[path] = []
    retrying(path, "ReadValue", [.properties([:])]) { [self] result in
      let values = held.removeValue(forKey: path) ?? []
      let value = result.map { $0.first?.data ?? Data() }
      // A read also changes bluetoothd's copy of the value, signalled just before the answer.
      let isEcho = (try? value.get()).map { $0 == values.last } ?? false
      for value in isEcho ? values.dropLast() : values[...] { deliver(value, of: path) }
      finish(value.map(PeerAnswer.value).mapError { RadioError($0, isWrite: false) })
    }
  }

  private func write(_ value: Data, to handle: AttributeHandle, _ finish: @escaping Finish) {
    guard case .success(let path) = path(handle) else {
      return finish(.failure(.attribute(.invalidHandle)))
    }
    let options = DBusValue.properties(["type": .string("request")])
    retrying(path, "WriteValue", [.bytes(value), options]) { result in
      finish(result.map { _ in .done }.mapError { RadioError($0, isWrite: true) })
    }
  }

  /// A pipe limits the rate by its free space; but while it is open, bluetoothd accepts no other
  /// write of the characteristic.
  private func send(_ value: Data, to handle: AttributeHandle, _ finish: @escaping Finish) {
    guard case .success(let path) = path(handle) else {
      return finish(.failure(.attribute(.invalidHandle)))
    }
    if let pipe = pipes[path] { return pipe.write(value, finish) }
    guard !database.properties(of: path).contains(.write) else {
      return command(value, path, finish)
    }
    let pipe = WritePipe(path, connection: connection, queue: host.queue) { [weak self] in
      self?.command($0, path, $1)
    }
    pipes[path] = pipe
    pipe.write(value, finish)
  }

  private func command(_ value: Data, _ path: String, _ finish: @escaping Finish) {
    let options = DBusValue.properties(["type": .string("command")])
    retrying(path, "WriteValue", [.bytes(value), options]) { result in
      finish(result.map { _ in .done }.mapError { RadioError($0, isWrite: true) })
    }
  }

  // MARK: - Subscriptions

  func subscribe(
    _ session: BlueZCentralSession, to handle: AttributeHandle, _ finish: @escaping Finish
  ) {
    guard case .success(let path) = path(handle) else {
      return finish(.failure(.attribute(.invalidHandle)))
    }
    var subscription = subscriptions[path] ?? ValueSubscription(handle: handle)
    // The first value may arrive before the answer.
    let isFirst = subscription.sessions.isEmpty
    subscription.sessions.append(session)
    if !subscription.isActive { subscription.waiting.append(finish) }
    subscriptions[path] = subscription
    if subscription.isActive { return finish(.success(.done)) }
    guard isFirst else { return }
    retrying(path, "StartNotify", []) { [self] result in
      let waiting = subscriptions[path]?.waiting ?? []
      subscriptions[path]?.waiting = []
      if case .success = result {
        subscriptions[path]?.isActive = true
      } else {
        subscriptions[path] = nil
      }
      let answer = result.map { _ in PeerAnswer.done }.mapError { RadioError($0, isWrite: true) }
      waiting.forEach { $0(answer) }
    }
  }

  private func unsubscribe(
    _ session: BlueZCentralSession, from handle: AttributeHandle, _ finish: @escaping Finish
  ) {
    guard case .success(let path) = path(handle) else {
      return finish(.failure(.attribute(.invalidHandle)))
    }
    guard remove(session, from: path) else { return finish(.success(.done)) }
    retrying(path, "StopNotify", []) { _ in finish(.success(.done)) }
  }

  /// The session has left the link.
  func unsubscribe(_ session: BlueZCentralSession) {
    for path in subscriptions.keys where remove(session, from: path) {
      connection.send(BlueZ.call(path, BlueZ.characteristic, "StopNotify"))
    }
  }

  /// Returns whether no session is left.
  private func remove(_ session: BlueZCentralSession, from path: String) -> Bool {
    guard var subscription = subscriptions[path] else { return false }
    subscription.sessions.removeAll { $0 === session }
    subscriptions[path] = subscription.sessions.isEmpty ? nil : subscription
    return subscription.sessions.isEmpty
  }

  func characteristicChanged(_ path: String, _ properties: [String: DBusValue]) {
    if let mtu = properties["MTU"]?.int { maximumWrite = max(mtu - 3, 20) }
    guard let value = properties["Value"]?.data else { return }
    if held[path] != nil {
      held[path]?.append(value)
    } else {
      deliver(value, of: path)
    }
  }

  private func deliver(_ value: Data, of path: String) {
    guard let subscription = subscriptions[path] else { return }
    for session in subscription.sessions {
      session.send(.valueChanged(peer, subscription.handle, value))
    }
  }

  // MARK: - The link

  /// Reads the MTU: bluetoothd does not always signal it after a connection.
  func readMaximumWrite(_ finish: @escaping () -> Void) {
    // bluetoothd may report the services as resolved just before it shows them.
    guard let path = firstCharacteristic else {
      return host.afterPendingMessages { [self] in
        firstCharacteristic == nil ? finish() : readMaximumWrite(finish)
      }
    }
    let question = BlueZ.call(
      path, BlueZ.properties, "Get", .string(BlueZ.characteristic), .string("MTU"))
    let finish = Unchecked(finish)
    connection.call(question) { [weak self] result in
      guard let self, !isClosed else { return }
      if let mtu = (try? result.get())?.first?.int { maximumWrite = max(mtu - 3, 20) }
      finish.value()
    }
  }

  /// Finds out what a new link needs: the MTU, and whether changes of the services are indicated.
  func prepare(_ finish: @escaping (_ areChangesIndicated: Bool) -> Void) {
    guard database.subscriptionToChanges != nil else {
      return readMaximumWrite { [self] in checkServiceChangeSubscription(finish) }
    }
    // bluetoothd answers the first before the second, for which it has to ask the device.
    readMaximumWrite {}
    checkServiceChangeSubscription(finish)
  }

  /// Finds out whether the device is going to indicate changes of its services.
  ///
  /// bluetoothd subscribes to them, but reports the services as resolved before the device has
  /// answered. A device answers requests in order, so the answer to the request made here comes
  /// after the subscription.
  ///
  /// A device whose services have changed by then refuses the request with Database Out Of Sync
  /// (Core Specification, Vol 3, Part G, 2.5.2.1). BlueZ 5.66 ignores that and shows the old
  /// services until the link ends.
  private func checkServiceChangeSubscription(
    attempts: Int = 2, _ finish: @escaping (Bool) -> Void
  ) {
    guard let path = database.subscriptionToChanges else { return finish(true) }
    let question = BlueZ.call(path, BlueZ.descriptor, "ReadValue", .properties([:]))
    let finish = Unchecked(finish)
    connection.call(question, timeout: .seconds(5)) { [weak self] result in
      guard let self, !isClosed else { return }
      let isOff = (try? result.get())?.first?.data == Data(count: 2)
      guard isOff, database.hasHash else { return finish.value(true) }
      // With several bearers, one answer may overtake the other.
      guard attempts > 1 else { return finish.value(false) }
      checkServiceChangeSubscription(attempts: attempts - 1, finish.value)
    }
  }

  private var firstCharacteristic: String? {
    database.tree.paths(with: BlueZ.characteristic, below: database.device).first
  }

  private func readRSSI(_ finish: @escaping Finish) {
    if let rssi = host.device(at: database.device)?.rssi {
      return finish(.success(.rssi(rssi)))
    }
    ManagementSocket.readRSSI(of: host.address(of: peer), on: host.adapter, queue: host.queue) {
      finish($0.map(PeerAnswer.rssi))
    }
  }

  private func openChannel(_ psm: CBL2CAPPSM, _ finish: @escaping Finish) {
    guard let adapter = host.adapterAddress, let address = host.address(of: peer) else {
      return finish(.failure(.system(.notConnected)))
    }
    let finish = Unchecked(finish)
    L2CAPConnector.open(psm, from: adapter, to: address, queue: host.queue) { result in
      finish.value(result.map(PeerAnswer.channel))
    }
  }
}

/// The sessions that receive the changes of a characteristic.
private struct ValueSubscription {
  let handle: AttributeHandle
  var sessions: [BlueZCentralSession] = []
  var waiting: [GattClient.Finish] = []
  var isActive = false
}
