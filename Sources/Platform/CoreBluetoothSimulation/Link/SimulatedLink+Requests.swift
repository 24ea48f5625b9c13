// SPDX-License-Identifier: Apache-2.0

/// The client's side of the attribute protocol: one request at a time, pairing on demand.
extension SimulatedLink {
  typealias Completion = (Result<PeerAnswer, RadioError>) -> Void

  func enqueue(_ queued: QueuedRequest) {
    queue.append(queued)
    serveNext()
  }

  private func serveNext() {
    guard isUp, !isServing, !queue.isEmpty else { return }
    isServing = true
    let queued = queue.removeFirst()
    perform(queued, mayPair: true)
  }

  private func perform(_ queued: QueuedRequest, mayPair: Bool) {
    begin(queued) { [weak self] result in
      guard let self, isUp else { return }
      if case .failure(.attribute(let code)) = result, mayPair, code.wantsPairing {
        return pair { [weak self] hasPaired in
          guard let self, isUp else { return }
          if hasPaired {
            perform(queued, mayPair: false)
          } else {
            finish(queued, result)
          }
        }
      }
      finish(queued, result)
    }
  }

  private func finish(_ queued: QueuedRequest, _ result: Result<PeerAnswer, RadioError>) {
    if let session = queued.session, has(session) { session.answer(queued.number, self, result) }
    isServing = false
    serveNext()
  }

  private func begin(_ queued: QueuedRequest, _ completion: @escaping Completion) {
    switch queued.request {
    case .discoverServices(let uuids):
      discover(completion) { .services($0.services(uuids)) }
    case .discoverIncludedServices(let uuids, let handle):
      discover(completion) { .services($0.includedServices(uuids, of: handle)) }
    case .discoverCharacteristics(let uuids, let handle):
      discover(completion) { .characteristics($0.characteristics(uuids, of: handle)) }
    case .discoverDescriptors(let handle):
      discover(completion) { .descriptors($0.descriptors(of: handle)) }
    case .read(let handle):
      read(handle, after: Data(), completion)
    case .write(let value, let handle):
      write(value, to: handle, completion)
    case .writeWithoutResponse(let value, let handle):
      command(value, to: handle, completion)
    case .subscribe(let kind, let handle):
      guard let session = queued.session else { return completion(.failure(.system(.unknown))) }
      subscribe(session, kind, handle, completion)
    case .openChannel(let psm):
      openChannel(psm, by: queued.session, completion)
    case .readRSSI:
      after(interval) { [weak self] in
        guard let self else { return }
        guard central.measuresSignal else {
          return completion(.failure(.system(.operationNotSupported)))
        }
        completion(.success(.rssi(Int(central.rssi(to: peripheral).rounded()))))
      }
    }
  }

  /// One request and the time until its answer arrives; faults of the server are applied here.
  private func roundTrip<Value>(
    _ completion: @escaping (Result<Value, RadioError>) -> Void,
    _ serve: @escaping (@escaping (Result<Value, RadioError>) -> Void) -> Void
  ) {
    let timeOut = environment.after(30_000_000_000) { [weak self] in
      self?.transactionTimedOut(completion)
    }
    let answer = { [weak self] (result: Result<Value, RadioError>) in
      guard let self else { return }
      transmitBack(peripheral.link.answerTime.nanoseconds + interval) {
        timeOut.cancel()
        completion(result)
      }
    }
    transmit(interval) { [weak self] in
      guard let self else { return }
      switch peripheral.faults.next() {
      case .serve: serve(answer)
      case .ignore: break
      case .drop(let reason): end(reason)
      }
    }
  }

  /// A request without an answer for 30 s ends the bearer (Core Specification, Vol 3, F, 3.3.3).
  private func transactionTimedOut<Value>(
    _ completion: @escaping (Result<Value, RadioError>) -> Void
  ) {
    guard isUp else { return }
    completion(.failure(.system(.unknown)))
    end(.system(.connectionTimeout))
  }

  private func discover(
    _ completion: @escaping Completion, _ look: @escaping (AttributeTable) -> PeerAnswer
  ) {
    if let knownDatabase { return after(0) { completion(.success(look(knownDatabase))) } }
    roundTrip(completion) { [weak self] answer in
      guard let self else { return }
      knownDatabase = peripheral.server.table
      answer(.success(look(peripheral.server.table)))
    }
  }

  // MARK: - Reading

  /// Reads the rest of a value; a full packet means that there may be more.
  private func read(
    _ handle: AttributeHandle, after beginning: Data, _ completion: @escaping Completion
  ) {
    let limit = mtu - 1
    roundTrip { [weak self] (result: Result<Data, RadioError>) in
      guard let self else { return }
      switch result {
      case .success(let rest):
        let value = beginning + rest.prefix(limit)
        if rest.count >= limit && value.count < 512 {
          read(handle, after: value, completion)
        } else {
          completion(.success(.value(value)))
        }
      case .failure(let error):
        completion(.failure(error))
      }
    } _: { [weak self] answer in
      self?.serveRead(handle, offset: beginning.count, answer)
    }
  }

  // MARK: - Writing

  private func write(
    _ value: Data, to handle: AttributeHandle, _ completion: @escaping Completion
  ) {
    guard value.count <= 512 else {
      return completion(.failure(.attribute(.invalidAttributeValueLength)))
    }
    guard value.count > mtu - 3 else {
      return roundTrip(completion) { [weak self] answer in
        self?.serveWrite([(0, value)], to: handle) { answer($0.map { _ in .done }) }
      }
    }
    prepare(value, from: 0, to: handle, completion)
  }

  /// Sends a long value in parts, which the server combines at the end.
  private func prepare(
    _ value: Data, from offset: Int, to handle: AttributeHandle,
    _ completion: @escaping Completion
  ) {
    let size = mtu - 5
    guard offset < value.count else {
      let parts = stride(from: 0, to: value.count, by: size).map {
        ($0, Data(value.dropFirst($0).prefix(size)))
      }
      return roundTrip(completion) { [weak self] answer in
        self?.serveWrite(parts, to: handle) { answer($0.map { _ in .done }) }
      }
    }
    roundTrip { [weak self] (result: Result<PeerAnswer, RadioError>) in
      if case .failure = result { return completion(result) }
      self?.prepare(value, from: offset + size, to: handle, completion)
    } _: { [weak self] answer in
      guard let self else { return }
      answer(checkWrite(to: handle).map { .failure($0) } ?? .success(.done))
    }
  }

  private func command(
    _ value: Data, to handle: AttributeHandle, _ completion: @escaping Completion
  ) {
    transmit(interval / Int64(max(1, peripheral.link.packetsPerInterval))) { [weak self] in
      guard let self else { return }
      switch peripheral.faults.next() {
      case .serve: serveWrite([(0, value)], to: handle, isCommand: true) { _ in }
      case .ignore: break
      case .drop(let reason): end(reason)
      }
      completion(.success(.done))
    }
  }

  // MARK: - Subscribing

  private func subscribe(
    _ session: CentralRole, _ kind: Subscription, _ handle: AttributeHandle,
    _ completion: @escaping Completion
  ) {
    roundTrip(completion) { [weak self, weak session] answer in
      guard let self else { return }
      guard let session, has(session),
        let characteristic = peripheral.server.table.characteristic(handle)
      else {
        return answer(.failure(.attribute(.invalidHandle)))
      }
      if let error = checkSubscription(kind, characteristic) { return answer(.failure(error)) }
      subscribe(session, kind, to: characteristic)
      answer(.success(.done))
    }
  }
}

extension CBATTError.Code {
  fileprivate var wantsPairing: Bool {
    self == .insufficientAuthentication || self == .insufficientEncryption
  }
}
