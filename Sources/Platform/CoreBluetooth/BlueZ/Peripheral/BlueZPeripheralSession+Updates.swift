// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

// Everything here runs on the host's queue.
extension BlueZPeripheralSession {
  // MARK: - Subscriptions

  /// A central has subscribed.
  ///
  /// bluetoothd offers to take the values through a pipe; when that is refused, it takes them as
  /// signals, which is the only way for indications.
  func subscribe(_ id: LocalAttribute, _ call: DBusIncomingCall) {
    let options = call.options
    call.fail(DBusError(.requestNotSupported))
    guard attributes[id] != nil, let device = options.device,
      let central = central(device, mtu: options.mtu), subscriptions.add(device, to: id)
    else { return }
    send(.subscribed(central, id))
  }

  func unsubscribe(_ id: LocalAttribute, _ call: DBusIncomingCall) {
    call.reply()
    endSubscriptions(to: id)
  }

  /// No subscriber is left.
  func endSubscriptions(to id: LocalAttribute) {
    for device in subscriptions.removeAll(of: id) {
      if let central = central(device) { send(.unsubscribed(central, id)) }
    }
    dropIndications(of: id)
  }

  // MARK: - Links

  func beginLink(_ device: String) {
    let resumed = subscriptions.begin(device)
    guard !resumed.isEmpty, let central = central(device) else { return }
    for id in resumed { send(.subscribed(central, id)) }
  }

  func endLink(_ device: String) {
    let central = centrals[device]
    for id in forget(device) {
      if let central { send(.unsubscribed(central, id)) }
      if subscriptions[id].isEmpty { dropIndications(of: id) }
    }
  }

  /// The adapter is off: the manager learns the end of all links from the state alone.
  func endLinks() {
    for device in Set(subscriptions.subscribers.values.joined()) { _ = forget(device) }
    indications = [:]
    requests = [:]
  }

  private func forget(_ device: String) -> [LocalAttribute] {
    requests = requests.filter { $0.value.device != device }
    let isBonded = host.device(at: device)?.isPaired ?? false
    if !isBonded { centrals[device] = nil }
    return subscriptions.end(device, isBonded: isBonded)
  }

  // MARK: - Values

  func push(
    _ value: Data, of id: LocalAttribute, for centrals: [PeerIdentifier]?, _ number: RequestNumber
  ) {
    guard let attribute = attributes[id], reaches(centrals, id) else {
      return send(.updateSent(number))
    }
    if attribute.characteristic.isIndicatedOnly {
      if let next = indications[id, default: IndicationQueue()].append(value, number: number) {
        emit(next, at: attribute.path)
      }
    } else {
      emit(value, at: attribute.path)
      whenTaken { [weak self] in self?.send(.updateSent(number)) }
    }
  }

  /// Whether the centrals addressed are all subscribers: bluetoothd sends a value to all.
  private func reaches(_ centrals: [PeerIdentifier]?, _ id: LocalAttribute) -> Bool {
    let subscribers = subscriptions[id]
    guard let centrals else { return !subscribers.isEmpty }
    let identifiers = subscribers.compactMap { self.centrals[$0]?.identifier }
    let meant = identifiers.filter(centrals.contains)
    if !meant.isEmpty, meant.count < identifiers.count { reportPartialUpdate() }
    return !meant.isEmpty && meant.count == identifiers.count
  }

  private func reportPartialUpdate() {
    let line =
      "[CoreBluetooth] An update for some of several subscribers was not sent: bluetoothd can only "
      + "update all of them; send it to all subscribers.\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  private func emit(_ value: Data, at path: String) {
    host.connection?.emit(
      path: path, interface: BlueZ.properties, member: "PropertiesChanged",
      [.string(BlueZ.characteristic), .properties(["Value": .bytes(value)]), .strings([])])
  }

  /// Waits until bluetoothd has read everything sent so far: it answers in order.
  private func whenTaken(_ body: @escaping @Sendable () -> Void) {
    guard let connection = host.connection else { return body() }
    connection.call(BlueZ.call("/", "org.freedesktop.DBus.Peer", "Ping")) { _ in body() }
  }

  // MARK: - Confirmations

  func confirm(_ id: LocalAttribute, _ call: DBusIncomingCall) {
    call.reply()
    guard let (sent, next) = indications[id]?.confirm() else { return }
    if let sent { send(.updateSent(sent)) }
    if let next, let path = attributes[id]?.path { emit(next, at: path) }
  }

  private func dropIndications(of id: LocalAttribute) {
    guard var queue = indications.removeValue(forKey: id) else { return }
    for number in queue.removeAll() { send(.updateSent(number)) }
  }
}
