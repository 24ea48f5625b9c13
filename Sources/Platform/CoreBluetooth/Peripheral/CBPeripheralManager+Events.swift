// SPDX-License-Identifier: Apache-2.0

// Everything here runs on the manager's queue.
extension CBPeripheralManager {
  func handle(_ event: PeripheralEvent) {
    switch event {
    case .restored(let state):
      restore(state)
    case .stateChanged(let state):
      change(to: state)
    case .serviceAdded(let id, let error):
      reportAdded(id, error)
    case .advertisingStarted(let error):
      if error == nil { table.withLock { $0.isAdvertising = $0.wantsAdvertising } }
      delegate?.peripheralManagerDidStartAdvertising(self, error: error?.object)
    case .read(let number, let central, let id, let offset):
      receiveRead(number, central, id, offset)
    case .write(let number, let central, let parts):
      receiveWrite(number, central, parts)
    case .subscribed(let central, let id):
      subscribe(central, id)
    case .unsubscribed(let central, let id):
      unsubscribe(central, id)
    case .updateSent(let number):
      let isReady = table.withLock { $0.updates.remove(number) }
      if isReady { delegate?.peripheralManagerIsReady(toUpdateSubscribers: self) }
    case .channelPublished(let psm, let error):
      delegate?.peripheralManager(self, didPublishL2CAPChannel: psm, error: error?.object)
    case .channelUnpublished(let psm, let error):
      delegate?.peripheralManager(self, didUnpublishL2CAPChannel: psm, error: error?.object)
    case .channelOpened(let remote, let end):
      let channel = CBL2CAPChannel(end, peer: central(remote))
      delegate?.peripheralManager(self, didOpen: channel, error: nil)
    }
  }

  private func change(to state: CBManagerState) {
    guard state != self.state else { return }
    setState(state)
    table.withLock { $0.isPaused = state == .poweredOff }
    if state != .poweredOn {
      let characteristics = table.withLock { table in
        table.centrals = [:]
        table.updates.removeAll()
        return table.database.allCharacteristics
      }
      for characteristic in characteristics {
        characteristic.state.withLock { $0.subscribers = [] }
      }
    }
    if state.rawValue < CBManagerState.poweredOff.rawValue {
      table.withLock { table in
        table.isAdvertising = false
        table.wantsAdvertising = false
        table.database.removeAll()
      }
    }
    delegate?.peripheralManagerDidUpdateState(self)
  }

  private func reportAdded(_ id: LocalAttribute, _ error: RadioError?) {
    let service = table.withLock { table in
      let service = table.database.service(id)
      if error != nil, let service { _ = table.database.remove(service) }
      return service
    }
    guard let service else { return }
    delegate?.peripheralManager(self, didAdd: service, error: error?.object)
  }

  func central(_ remote: RemoteCentral) -> CBCentral {
    table.withLock { table in
      if let known = table.centrals[remote.identifier] {
        known.setMaximum(remote.maximumUpdate)
        return known
      }
      let new = CBCentral(remote)
      table.centrals[remote.identifier] = new
      return new
    }
  }

  func characteristic(_ id: LocalAttribute) -> CBMutableCharacteristic? {
    table.withLock { $0.database.characteristic(id) }
  }

  // MARK: - Requests

  private func receiveRead(
    _ number: RequestNumber, _ remote: RemoteCentral, _ id: LocalAttribute, _ offset: Int
  ) {
    guard let delegate, let characteristic = characteristic(id) else {
      return session.respond(to: number, .failure(.attribute(.attributeNotFound)))
    }
    let request = CBATTRequest(
      replyToken: CBATTRequest.ReplyToken(number: number, isRead: true), central: central(remote),
      characteristic: characteristic, offset: offset, value: nil)
    let isImplemented = OptionalRequirement.isImplemented(by: delegate, "didReceiveRead") {
      delegate.peripheralManager(self, didReceiveRead: request)
    }
    if !isImplemented { refuse(request.replyToken) }
  }

  private func receiveWrite(
    _ number: RequestNumber, _ remote: RemoteCentral, _ parts: [WritePart]
  ) {
    let replyToken = CBATTRequest.ReplyToken(number: number, isRead: false)
    let central = central(remote)
    let requests = parts.compactMap { part in
      characteristic(part.characteristic).map {
        CBATTRequest(
          replyToken: replyToken, central: central, characteristic: $0, offset: part.offset,
          value: part.value)
      }
    }
    guard let delegate, requests.count == parts.count else {
      return session.respond(to: number, .failure(.attribute(.attributeNotFound)))
    }
    let isImplemented = OptionalRequirement.isImplemented(by: delegate, "didReceiveWrite") {
      delegate.peripheralManager(self, didReceiveWrite: requests)
    }
    if !isImplemented { refuse(replyToken) }
  }

  private func refuse(_ replyToken: CBATTRequest.ReplyToken) {
    guard replyToken.markAnswered() else { return }
    session.respond(to: replyToken.number, .failure(.attribute(.requestNotSupported)))
  }

  // MARK: - Subscriptions

  private func subscribe(_ remote: RemoteCentral, _ id: LocalAttribute) {
    guard let characteristic = characteristic(id) else { return }
    let central = central(remote)
    characteristic.state.withLock { state in
      if !state.subscribers.contains(central) { state.subscribers.append(central) }
    }
    delegate?.peripheralManager(self, central: central, didSubscribeTo: characteristic)
  }

  private func unsubscribe(_ remote: RemoteCentral, _ id: LocalAttribute) {
    guard let characteristic = characteristic(id) else { return }
    let central = central(remote)
    characteristic.state.withLock { state in
      state.subscribers.removeAll { $0 == central }
    }
    delegate?.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
  }
}
