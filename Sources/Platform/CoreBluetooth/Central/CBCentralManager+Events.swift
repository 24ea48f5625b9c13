// SPDX-License-Identifier: Apache-2.0

// Everything here runs on the manager's queue.
extension CBCentralManager {
  func handle(_ event: CentralEvent) {
    switch event {
    case .restored(let state):
      restore(state)
    case .stateChanged(let state):
      change(to: state)
    case .discovered(let peer, let advertisement, let rssi):
      discover(peer, advertisement, rssi)
    case .connected(let peer, let maximumWrite):
      connect(peer, maximumWrite)
    case .connectFailed(let identifier, let error):
      fail(identifier, error)
    case .disconnected(let identifier, let error):
      disconnect(identifier, error)
    case .connectionWatched(let peer, let change):
      delegate?.centralManager(self, connectionEventDidOccur: change, for: peripheral(peer))
    case .answered(let number, let identifier, let result):
      existingPeripheral(identifier)?.finish(number, result)
    case .valueChanged(let identifier, let handle, let value):
      existingPeripheral(identifier)?.changeValue(of: handle, to: value)
    case .servicesChanged(let identifier, let handles):
      existingPeripheral(identifier)?.invalidate(handles)
    case .nameChanged(let identifier, let name):
      existingPeripheral(identifier)?.rename(name)
    case .maximumWriteChanged(let identifier, let maximum):
      existingPeripheral(identifier)?.setMaximumWrite(maximum)
    }
  }

  private func change(to state: CBManagerState) {
    guard state != self.state else { return }
    setState(state)
    if state != .poweredOn {
      let peripherals = table.withLock { table in
        table.isScanning = false
        let objects = table.peripherals.values.compactMap(\.object)
        if state.rawValue < CBManagerState.poweredOff.rawValue { table.peripherals = [:] }
        return objects
      }
      for peripheral in peripherals { _ = peripheral.endConnection() }
    }
    delegate?.centralManagerDidUpdateState(self)
  }

  private func discover(_ peer: RadioPeer, _ advertisement: RadioAdvertisement, _ rssi: Int) {
    let (isScanning, delegate) = table.withLock { ($0.isScanning, $0.delegate) }
    guard isScanning, let delegate else { return }
    let peripheral = peripheral(peer)
    let (dictionary, isRenamed) = peripheral.update(advertisement, named: peer.name)
    delegate.centralManager(
      self, didDiscover: peripheral, advertisementData: dictionary, rssi: NSNumber(value: rssi))
    if isRenamed { peripheral.delegate?.peripheralDidUpdateName(peripheral) }
  }

  private func connect(_ peer: RadioPeer, _ maximumWrite: Int) {
    guard let peripheral = existingPeripheral(peer.identifier),
      peripheral.beginConnection(maximumWrite: maximumWrite)
    else { return }
    delegate?.centralManager(self, didConnect: peripheral)
    peripheral.rename(peer.name)
  }

  private func fail(_ identifier: PeerIdentifier, _ error: RadioError) {
    guard let peripheral = existingPeripheral(identifier),
      let end = peripheral.endConnection()
    else { return }
    if end.wasCancelled {
      reportDisconnection(peripheral, end, nil)
    } else {
      delegate?.centralManager(self, didFailToConnect: peripheral, error: error.object)
    }
    peripheral.connectAgain(after: end)
  }

  private func disconnect(_ identifier: PeerIdentifier, _ error: RadioError?) {
    guard let peripheral = existingPeripheral(identifier),
      let end = peripheral.endConnection()
    else { return }
    reportDisconnection(peripheral, end, error)
    peripheral.connectAgain(after: end)
  }

  /// Calls the method without a time stamp first; reconnects only if the delegate lacks it.
  private func reportDisconnection(
    _ peripheral: CBPeripheral, _ end: CBPeripheral.ConnectionEnd, _ error: RadioError?
  ) {
    guard let delegate else { return }
    let isLegacy = OptionalRequirement.isImplemented(by: delegate, "didDisconnectPeripheral") {
      delegate.centralManager(self, didDisconnectPeripheral: peripheral, error: error?.object)
    }
    if isLegacy { return }
    let reconnects = end.options.reconnects && !end.wasCancelled && error != nil
    if reconnects { peripheral.connect(end.options, after: end) }
    delegate.centralManager(
      self, didDisconnectPeripheral: peripheral, timestamp: CFAbsoluteTimeGetCurrent(),
      isReconnecting: reconnects, error: error?.object)
  }
}

extension RadioAdvertisement {
  /// The dictionary that a delegate receives.
  var dictionary: [String: Any] {
    var result: [String: Any] = [
      CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)
    ]
    let uuids = { (list: [BluetoothUUID]) in list.map { CBUUID($0) } }
    if let localName { result[CBAdvertisementDataLocalNameKey] = localName }
    if !services.isEmpty { result[CBAdvertisementDataServiceUUIDsKey] = uuids(services) }
    if !overflowServices.isEmpty {
      result[CBAdvertisementDataOverflowServiceUUIDsKey] = uuids(overflowServices)
    }
    if !solicitedServices.isEmpty {
      result[CBAdvertisementDataSolicitedServiceUUIDsKey] = uuids(solicitedServices)
    }
    if !serviceData.isEmpty {
      let pairs = serviceData.map { (CBUUID($0.key), $0.value) }
      result[CBAdvertisementDataServiceDataKey] = Dictionary(uniqueKeysWithValues: pairs)
    }
    if let manufacturerData { result[CBAdvertisementDataManufacturerDataKey] = manufacturerData }
    if let txPower { result[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: txPower) }
    return result
  }
}
