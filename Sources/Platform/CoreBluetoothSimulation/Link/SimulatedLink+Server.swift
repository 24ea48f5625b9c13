// SPDX-License-Identifier: Apache-2.0

/// The server's side of the attribute protocol.
extension SimulatedLink {
  typealias ValueAnswer = (Result<Data, RadioError>) -> Void

  // MARK: - Permissions

  /// The error for a client without encryption: a bonded one has to encrypt, others have to pair.
  var untrustedClientError: RadioError {
    .attribute(
      peripheral.bonds[central.index] == nil
        ? .insufficientAuthentication : .insufficientEncryption)
  }

  /// The server's error while its application is in the background without the mode.
  private static let disabled = RadioError.attribute(.unlikelyError)

  private func checkRead(_ characteristic: AttributeTable.Characteristic) -> RadioError? {
    guard characteristic.isServed else { return Self.disabled }
    let local = characteristic.local
    if let code = peripheral.faults.errors[local.uuid] { return .attribute(code) }
    guard local.properties.contains(.read),
      !local.permissions.isDisjoint(with: [.readable, .readEncryptionRequired])
    else { return .attribute(.readNotPermitted) }
    return local.permissions.contains(.readEncryptionRequired) && !isEncrypted
      ? untrustedClientError : nil
  }

  func checkWrite(to handle: AttributeHandle) -> RadioError? {
    guard let characteristic = peripheral.server.table.characteristic(handle) else {
      let isDescriptor = peripheral.server.table.descriptor(handle) != nil
      return .attribute(isDescriptor ? .writeNotPermitted : .invalidHandle)
    }
    guard characteristic.isServed else { return Self.disabled }
    let local = characteristic.local
    if let code = peripheral.faults.errors[local.uuid] { return .attribute(code) }
    if local.permissions.contains(.writeEncryptionRequired) {
      return isEncrypted ? nil : untrustedClientError
    }
    return local.permissions.contains(.writeable) ? nil : .attribute(.writeNotPermitted)
  }

  func checkSubscription(
    _ kind: Subscription, _ characteristic: AttributeTable.Characteristic
  ) -> RadioError? {
    guard characteristic.isServed else { return Self.disabled }
    let local = characteristic.local
    if let code = peripheral.faults.errors[local.uuid] { return .attribute(code) }
    let needsEncryption = local.properties.contains(
      kind == .indications ? .indicateEncryptionRequired : .notifyEncryptionRequired)
    return kind != .none && needsEncryption && !isEncrypted ? untrustedClientError : nil
  }

  // MARK: - Values

  func serveRead(_ handle: AttributeHandle, offset: Int, _ answer: @escaping ValueAnswer) {
    guard let characteristic = peripheral.server.table.characteristic(handle) else {
      return answer(readDescriptor(handle, offset))
    }
    if let error = checkRead(characteristic) { return answer(.failure(error)) }
    if let value = characteristic.local.value { return answer(value.from(offset)) }
    guard let role = characteristic.role else {
      return answer(.failure(.attribute(.readNotPermitted)))
    }
    role.read(characteristic.local.id, offset: offset, by: remoteCentral, answer)
  }

  private func readDescriptor(_ handle: AttributeHandle, _ offset: Int) -> Result<Data, RadioError>
  {
    guard let (descriptor, characteristic) = peripheral.server.table.descriptor(handle) else {
      return .failure(.attribute(.invalidHandle))
    }
    guard characteristic.isServed else { return .failure(Self.disabled) }
    let configuration = Data([subscriptions[characteristic.handle]?.rawValue ?? 0, 0])
    return (descriptor.value ?? configuration).from(offset)
  }

  func serveWrite(
    _ parts: [(offset: Int, value: Data)], to handle: AttributeHandle, isCommand: Bool = false,
    _ answer: @escaping ValueAnswer
  ) {
    if let error = checkWrite(to: handle) { return answer(.failure(error)) }
    guard let characteristic = peripheral.server.table.characteristic(handle),
      let role = characteristic.role
    else { return answer(.failure(.attribute(.writeNotPermitted))) }
    let properties = characteristic.local.properties
    guard properties.contains(isCommand ? .writeWithoutResponse : .write) else {
      return answer(.failure(.attribute(.writeNotPermitted)))
    }
    let requests = parts.map {
      WritePart(characteristic: characteristic.local.id, offset: $0.offset, value: $0.value)
    }
    role.write(requests, by: remoteCentral, answer)
  }

  // MARK: - Notifications and indications

  func push(_ value: Data, of handle: AttributeHandle, _ sent: @escaping () -> Void) {
    pushes.append(Push(handle: handle, value: Data(value.prefix(mtu - 3)), sent: sent))
    pushNext()
  }

  private func pushNext() {
    guard isUp, !isPushing, let push = pushes.first else { return }
    isPushing = true
    let isIndication = subscriptions[push.handle] == .indications
    let slot = interval / Int64(max(1, peripheral.link.packetsPerInterval))
    transmitBack(isIndication ? interval : slot) { [weak self] in
      self?.arrive(push, isIndication: isIndication)
    }
  }

  private func arrive(_ push: Push, isIndication: Bool) {
    switch peripheral.faults.next() {
    case .serve: deliver(push)
    case .ignore: break
    case .drop(let reason): return end(reason)
    }
    // The next indication waits for the confirmation.
    after(isIndication ? interval : 0) { [weak self] in
      guard let self else { return }
      if !pushes.isEmpty { pushes.removeFirst() }
      isPushing = false
      push.sent()
      pushNext()
    }
  }

  private func deliver(_ push: Push) {
    for session in subscribers(of: push.handle) {
      session.send(.valueChanged(peerIdentifier, push.handle, push.value))
    }
  }

  // MARK: - Pairing

  /// Pairs as both hosts are set; on success both have a new key and the link is encrypted.
  func pair(_ completion: @escaping (Bool) -> Void) {
    transmit(interval) { [weak self] in
      guard let self else { return }
      var answers = [central.pairing, peripheral.pairing]
      switch peripheral.faults.next() {
      case .serve: break
      case .ignore: answers.append(.ignore)
      case .drop(let reason): return end(reason)
      }
      let usual = peripheral.pairingTime
      let delay = answers.map { $0.delay(usually: usual) }.max() ?? 0
      after(max(0, delay - interval)) { [weak self] in
        guard let self else { return }
        let hasPaired = answers.allSatisfy(\.succeeds)
        if hasPaired { bond() }
        completion(hasPaired)
      }
    }
  }

  private func bond() {
    central.bond(with: peripheral, as: peerIdentifier, centralIdentifier)
    isEncrypted = true
  }
}

extension SimulatedPairing {
  fileprivate var succeeds: Bool {
    switch self {
    case .accept, .acceptAfter: true
    case .reject, .fail, .ignore: false
    }
  }

  fileprivate func delay(usually: Duration) -> Int64 {
    switch self {
    case .accept, .reject, .fail: usually.nanoseconds
    case .acceptAfter(let delay): usually.nanoseconds + delay.nanoseconds
    // The timeout of pairing (Core Specification, Vol 3, H, 3.4).
    case .ignore: 30_000_000_000
    }
  }
}

extension Data {
  /// The bytes from an offset on.
  fileprivate func from(_ offset: Int) -> Result<Data, RadioError> {
    offset > count ? .failure(.attribute(.invalidOffset)) : .success(Data(dropFirst(offset)))
  }
}
