// SPDX-License-Identifier: Apache-2.0

// Implements the methods that apps call, which are in the class so that they can be overridden.
extension CBPeripheral {
  func requestRSSI() {
    request(.readRSSI) { peripheral, result in peripheral.finishRSSI(result) }
  }

  func requestServices(_ serviceUUIDs: [CBUUID]?) {
    request(.discoverServices(serviceUUIDs.values)) { peripheral, result in
      if case .success(.services(let found)) = result { peripheral.addServices(found) }
      peripheral.reportServices(result)
    }
  }

  func requestIncludedServices(
    _ includedServiceUUIDs: [CBUUID]?, of service: CBService
  ) {
    guard let handle = handle(of: service) else { return }
    request(.discoverIncludedServices(includedServiceUUIDs.values, of: handle)) {
      peripheral, result in
      if case .success(.services(let found)) = result { peripheral.include(found, in: service) }
      peripheral.delegate?.peripheral(
        peripheral, didDiscoverIncludedServicesFor: service, error: result.error)
    }
  }

  func requestCharacteristics(_ characteristicUUIDs: [CBUUID]?, of service: CBService) {
    guard let handle = handle(of: service) else { return }
    request(.discoverCharacteristics(characteristicUUIDs.values, of: handle)) {
      peripheral, result in
      if case .success(.characteristics(let found)) = result { peripheral.add(found, to: service) }
      peripheral.delegate?.peripheral(
        peripheral, didDiscoverCharacteristicsFor: service, error: result.error)
    }
  }

  func requestDescriptors(of characteristic: CBCharacteristic) {
    guard let handle = handle(of: characteristic) else { return }
    request(.discoverDescriptors(of: handle)) { peripheral, result in
      if case .success(.descriptors(let found)) = result {
        peripheral.add(found, to: characteristic)
      }
      peripheral.delegate?.peripheral(
        peripheral, didDiscoverDescriptorsFor: characteristic, error: result.error)
    }
  }

  func requestValue(of characteristic: CBCharacteristic) {
    guard let handle = handle(of: characteristic) else { return }
    request(.read(handle)) { peripheral, result in
      if case .success(.value(let value)) = result {
        characteristic.state.withLock { $0.value = value }
      }
      peripheral.delegate?.peripheral(
        peripheral, didUpdateValueFor: characteristic, error: result.error)
    }
  }

  func requestWrite(
    _ data: Data, to characteristic: CBCharacteristic, type: CBCharacteristicWriteType
  ) {
    guard let handle = handle(of: characteristic) else { return }
    guard type == .withResponse else {
      return send(data, to: characteristic, handle)
    }
    request(.write(data, handle)) { peripheral, result in
      peripheral.delegate?.peripheral(
        peripheral, didWriteValueFor: characteristic, error: result.error)
    }
  }

  func requestChanges(_ enabled: Bool, of characteristic: CBCharacteristic) {
    guard let handle = handle(of: characteristic) else { return }
    perform {
      if characteristic.isNotifying == enabled { return .known(.success(.done)) }
      guard let kind = characteristic.properties.subscription else {
        return .known(.failure(.attribute(.requestNotSupported)))
      }
      return .ask(.subscribe(enabled ? kind : .none, handle))
    } finish: { peripheral, result in
      if case .success = result {
        characteristic.state.withLock { $0.isNotifying = enabled }
      }
      peripheral.delegate?.peripheral(
        peripheral, didUpdateNotificationStateFor: characteristic, error: result.error)
    }
  }

  func requestValue(of descriptor: CBDescriptor) {
    guard let handle = handle(of: descriptor) else { return }
    request(.read(handle)) { peripheral, result in
      if case .success(.value(let data)) = result {
        let value = descriptor.decode(data)
        descriptor.state.withLock { $0.value = value }
      }
      peripheral.delegate?.peripheral(
        peripheral, didUpdateValueFor: descriptor, error: result.error)
    }
  }

  func requestWrite(_ data: Data, to descriptor: CBDescriptor) {
    precondition(
      descriptor.uuid.value.assigned != 0x2902,
      "Client Characteristic Configuration descriptors must be configured using "
        + "setNotifyValue:forCharacteristic:")
    guard let handle = handle(of: descriptor) else { return }
    request(.write(data, handle)) { peripheral, result in
      peripheral.delegate?.peripheral(
        peripheral, didWriteValueFor: descriptor, error: result.error)
    }
  }

  func requestChannel(_ PSM: CBL2CAPPSM) {
    perform {
      (1...0xFF).contains(PSM)
        ? .ask(.openChannel(PSM)) : .known(.failure(.system(.invalidParameters)))
    } finish: { peripheral, result in
      var channel: CBL2CAPChannel?
      if case .success(.channel(let end)) = result {
        channel = CBL2CAPChannel(end, peer: peripheral)
      }
      peripheral.delegate?.peripheral(peripheral, didOpen: channel, error: result.error)
    }
  }
}

// MARK: - The queue

extension CBPeripheral {
  typealias Finish = (CBPeripheral, Result<PeerAnswer, RadioError>) -> Void

  private func request(_ request: PeerRequest, finish: @escaping Finish) {
    perform {
      .ask(request)
    } finish: {
      finish($0, $1)
    }
  }

  private func perform(_ begin: @escaping () -> CentralRequestQueue.Step, finish: @escaping Finish)
  {
    guard isConnected() else { return }
    let entry = CentralRequestQueue.Entry(begin: begin) { [weak self] result in
      if let self { finish(self, result) }
    }
    storage.withLock { state in
      state.requests.append(entry)
      pump(&state)
    }
  }

  private func send(_ data: Data, to characteristic: CBCharacteristic, _ handle: AttributeHandle) {
    guard isConnected() else { return }
    guard characteristic.properties.contains(.writeWithoutResponse) else {
      return radio.reportMisuse(
        "[CoreBluetooth] WARNING: \(characteristic) does not specify the \"Write Without "
          + "Response\" property - ignoring response-less write")
    }
    let admission = storage.withLock { state in
      state.hidesRoom = false
      let value = Data(data.prefix(state.maximumWrite))
      let admission = state.requests.appendCommand(.writeWithoutResponse(value, handle))
      if admission == .queued { pump(&state) }
      return admission
    }
    guard admission == .dropped else { return }
    reportMisuse(
      "\(self) has no room for a write without response to \(characteristic), which is dropped, "
        + "as all are until peripheralIsReady(toSendWriteWithoutResponse:)")
  }

  /// Sends what can be sent; the lock, held meanwhile, keeps the order of the requests.
  private func pump(_ state: inout State) {
    while let action = state.requests.advance() {
      switch action {
      case .perform(let request, let number):
        session.perform(request, on: identifier, number: number)
      case .answer(let number, let result):
        queue.async { [weak self] in self?.finish(number, result) }
      }
    }
  }

  /// Takes the radio's answer, on the manager's queue.
  func finish(_ number: RequestNumber, _ result: Result<PeerAnswer, RadioError>) {
    let (entry, isReady) = storage.withLock { state -> (CentralRequestQueue.Entry?, Bool) in
      guard state.phase == .connected else { return (nil, false) }
      let entry = state.requests.close(number)
      return (entry, state.requests.becameReady())
    }
    entry?.finish(result)
    if isReady { delegate?.peripheralIsReady(toSendWriteWithoutResponse: self) }
    storage.withLock { state in
      if state.phase == .connected { pump(&state) }
    }
  }

  private func isConnected() -> Bool {
    if state == .connected { return true }
    reportMisuse("\(self) can only accept commands while in the connected state")
    return false
  }

  /// The handle of an attribute of this connection.
  private func handle(of attribute: CBAttribute) -> AttributeHandle? {
    guard isConnected() else { return nil }
    if let handle = attribute.handle, storage.withLock({ $0.attributes[handle] }) === attribute {
      return handle
    }
    reportMisuse("\(attribute) is not valid for \(self)")
    return nil
  }

  private func reportServices(_ result: Result<PeerAnswer, RadioError>) {
    let delegate = self.delegate
    let isImplemented = delegate.map { delegate in
      OptionalRequirement.isImplemented(by: delegate, "didDiscoverServices") {
        delegate.peripheral(self, didDiscoverServices: result.error)
      }
    }
    guard isImplemented != true else { return }
    reportMisuse(
      "Discovering services for peripheral \(self) while delegate is either nil or does not "
        + "implement peripheral:didDiscoverServices:")
  }

  private func finishRSSI(_ result: Result<PeerAnswer, RadioError>) {
    var rssi: NSNumber = 127
    if case .success(.rssi(let value)) = result { rssi = NSNumber(value: value) }
    storage.withLock { $0.rssi = rssi }
    guard let delegate else { return reportUnheardRSSI() }
    let isImplemented = OptionalRequirement.isImplemented(by: delegate, "didReadRSSI") {
      delegate.peripheral(self, didReadRSSI: rssi, error: result.error)
    }
    if isImplemented { return }
    let isOlderImplemented = OptionalRequirement.isImplemented(by: delegate, "didUpdateRSSI") {
      delegate.peripheralDidUpdateRSSI(self, error: result.error)
    }
    if !isOlderImplemented { reportUnheardRSSI() }
  }

  private func reportUnheardRSSI() {
    reportMisuse(
      "Reading RSSI for peripheral \(self) while delegate is either nil or does not implement "
        + "peripheral:didReadRSSI:error:")
  }
}

extension Result where Failure == RadioError {
  /// The object that a delegate receives.
  var error: NSError? {
    if case .failure(let error) = self { return error.object }
    return nil
  }
}

extension [CBUUID]? {
  var values: [BluetoothUUID]? { map { $0.map(\.value) } }
}

extension CBCharacteristicProperties {
  /// How a client subscribes; notifications are preferred.
  var subscription: Subscription? {
    if !isDisjoint(with: [.notify, .notifyEncryptionRequired]) { return .notifications }
    if !isDisjoint(with: [.indicate, .indicateEncryptionRequired]) { return .indications }
    return nil
  }
}
