// SPDX-License-Identifier: Apache-2.0

// Everything here runs on the manager's queue.
extension CBPeripheralManager {
  /// Takes over the state kept by the radio, and notifies the delegate before anything else.
  func restore(_ state: PeripheralRestoration) {
    var dictionary: [String: Any] = [:]
    let services = table.withLock { table in
      table.isAdvertising = state.advertisement != nil
      table.wantsAdvertising = table.isAdvertising
      return table.database.restore(state.services)
    }
    for (id, centrals) in state.subscriptions {
      guard let characteristic = characteristic(id) else { continue }
      let subscribers = centrals.map(central)
      characteristic.state.withLock { $0.subscribers = subscribers }
    }
    if !services.isEmpty { dictionary[CBPeripheralManagerRestoredStateServicesKey] = services }
    if let advertisement = state.advertisement {
      dictionary[CBPeripheralManagerRestoredStateAdvertisementDataKey] =
        advertisement.advertisementData
    }
    reportRestored(dictionary)
  }

  private func reportRestored(_ dictionary: [String: Any]) {
    let isImplemented = delegate.map { delegate in
      OptionalRequirement.isImplemented(by: delegate, "willRestoreState") {
        delegate.peripheralManager(self, willRestoreState: dictionary)
      }
    }
    guard isImplemented != true else { return }
    reportMisuse(
      "has provided a restore identifier but the delegate doesn't implement the "
        + "peripheralManager:willRestoreState: method")
  }
}

extension RadioAdvertisement {
  /// The advertisement data given by the app.
  fileprivate var advertisementData: [String: Any] {
    var result: [String: Any] = [:]
    if let localName { result[CBAdvertisementDataLocalNameKey] = localName }
    if !services.isEmpty {
      result[CBAdvertisementDataServiceUUIDsKey] = services.map { CBUUID($0) }
    }
    return result
  }
}
