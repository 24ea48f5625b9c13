// SPDX-License-Identifier: Apache-2.0

// Everything here runs on the manager's queue.
extension CBCentralManager {
  /// Takes over the state kept by the radio, and notifies the delegate before anything else.
  ///
  /// Only the delegate retains the peripherals: those that it releases are disconnected.
  func restore(_ state: CentralRestoration) {
    var dictionary = state.scan?.restoredState ?? [:]
    let peripherals = state.peers.map { entry in
      let peripheral = peripheral(entry.peer)
      peripheral.restore(entry)
      return peripheral
    }
    if !peripherals.isEmpty {
      dictionary[CBCentralManagerRestoredStatePeripheralsKey] = peripherals
    }
    table.withLock { $0.isScanning = state.scan != nil }
    let isImplemented = delegate.map { delegate in
      OptionalRequirement.isImplemented(by: delegate, "willRestoreState") {
        delegate.centralManager(self, willRestoreState: dictionary)
      }
    }
    guard isImplemented != true else { return }
    reportMisuse(
      "has provided a restore identifier but the delegate doesn't implement the "
        + "centralManager:willRestoreState: method")
  }
}

extension CBPeripheral {
  /// Takes over a connection, or a pending one, kept by the radio.
  fileprivate func restore(_ entry: CentralRestoration.Peer) {
    storage.withLock { state in
      state.phase = entry.maximumWrite == nil ? .connecting : .connected
      state.options = entry.options
      if let maximumWrite = entry.maximumWrite { state.maximumWrite = maximumWrite }
    }
    restore(entry.attributes)
  }
}

extension ScanRequest {
  /// The restored scan for the delegate: the filter and the options, if there are any.
  fileprivate var restoredState: [String: Any] {
    var options: [String: Any] = [:]
    let uuids = { (set: Set<BluetoothUUID>) in
      set.sorted { $0.string < $1.string }.map { CBUUID($0) }
    }
    if allowsDuplicates {
      options[CBCentralManagerScanOptionAllowDuplicatesKey] = NSNumber(value: true)
    }
    if !solicited.isEmpty {
      options[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] = uuids(solicited)
    }
    var result: [String: Any] = [:]
    if !services.isEmpty { result[CBCentralManagerRestoredStateScanServicesKey] = uuids(services) }
    if !options.isEmpty { result[CBCentralManagerRestoredStateScanOptionsKey] = options }
    return result
  }
}
