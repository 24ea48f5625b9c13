// SPDX-License-Identifier: Apache-2.0

/// A peripheral session that publishes one service and serves it.
final class DeviceSide: @unchecked Sendable {
  /// The attributes of the service, by the numbers under which they are published.
  enum Attribute {
    static let service: LocalAttribute = 1
    static let fixed: LocalAttribute = 2
    static let asked: LocalAttribute = 3
    static let written: LocalAttribute = 4
    static let notified: LocalAttribute = 5
    static let indicated: LocalAttribute = 6
    static let protected: LocalAttribute = 7
    static let extra: LocalAttribute = 8
  }

  private let journal = Journal<PeripheralEvent>(label: "conformance device")
  private let lock = NSLock()
  private var opened: (any PeripheralSession)?
  private var answers: [LocalAttribute: Result<Data, RadioError>] = [:]
  private var holdsAnswers = false
  private var isOver = false
  private var hasHeardAfterwards = false

  init(
    _ radio: any Radio, restoring identifier: String? = nil,
    answers: [LocalAttribute: Result<Data, RadioError>] = [:]
  ) {
    self.answers = answers
    // With the lock held, for the first event may come before the assignment.
    locked {
      opened = radio.openPeripheral(queue: journal.queue, restoring: identifier) { [weak self] in
        self?.receive($0)
      }
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  var session: any PeripheralSession { locked { opened } ?? NoSession() }

  /// Answers what is asked of an attribute: of a read the value, of a write success or the error.
  func answer(_ attribute: LocalAttribute, _ result: Result<Data, RadioError>) {
    locked { answers[attribute] = result }
  }

  /// Leaves all requests without an answer from now on.
  func fallSilent() {
    locked { holdsAnswers = true }
  }

  /// Ends the process of the session, which hears nothing from then on.
  func endProcess(_ end: () -> any Radio) -> any Radio {
    journal.hold {
      defer { locked { isOver = true } }
      return end()
    }
  }

  private func receive(_ event: PeripheralEvent) {
    locked { hasHeardAfterwards = hasHeardAfterwards || isOver }
    journal.receive(event) {
      if locked({ holdsAnswers }) { return }
      switch event {
      case .read(let number, _, let attribute, let offset):
        session.respond(to: number, value(of: attribute, from: offset))
      case .write(let number, _, let parts):
        let attribute = parts.first?.characteristic ?? Attribute.written
        session.respond(to: number, locked { answers[attribute] } ?? .success(Data()))
      default:
        break
      }
    }
  }

  private func value(of attribute: LocalAttribute, from offset: Int) -> Result<Data, RadioError> {
    let answer = locked { answers[attribute] } ?? .success(Data())
    return answer.flatMap {
      offset > $0.count
        ? .failure(.attribute(.invalidOffset)) : .success(Data($0.dropFirst(offset)))
    }
  }

  // MARK: - What was reported

  var events: [PeripheralEvent] { journal.lines }

  var complaints: [String] {
    let beginning = events.prefix(isRestored ? 2 : 1)
    var complaints = journal.complaints
    if let last = beginning.last, !last.isState, !(isRestored && beginning.count == 1) {
      complaints.append("an event of the device came before the first state")
    }
    if locked({ hasHeardAfterwards }) {
      complaints.append("the device was told something after its process had ended")
    }
    return complaints
  }

  /// Whether the first event was what the radio had kept.
  var isRestored: Bool {
    if case .restored = events.first { true } else { false }
  }

  var isOn: Bool {
    for case .stateChanged(.poweredOn) in events { return true }
    return false
  }

  func isAdded(_ service: LocalAttribute) -> Bool {
    for case .serviceAdded(service, nil) in events { return true }
    return false
  }

  /// How often advertising was answered, by whether with an error.
  var advertisingAnswers: [RadioError?] {
    events.compactMap {
      if case .advertisingStarted(let error) = $0 { .some(error) } else { nil }
    }
  }

  /// The numbers under which channels were published.
  var publications: [CBL2CAPPSM] {
    events.compactMap { if case .channelPublished(let psm, nil) = $0 { psm } else { nil } }
  }

  /// The numbers that were withdrawn.
  var withdrawals: [CBL2CAPPSM] {
    events.compactMap { if case .channelUnpublished(let psm, nil) = $0 { psm } else { nil } }
  }

  var channels: [any RadioChannel] {
    events.compactMap { if case .channelOpened(_, let channel) = $0 { channel } else { nil } }
  }

  var offsetsRead: [Int] {
    events.compactMap { if case .read(_, _, _, let offset) = $0 { offset } else { nil } }
  }

  var writes: [[WritePart]] {
    events.compactMap { if case .write(_, _, let parts) = $0 { parts } else { nil } }
  }

  var sent: [RequestNumber] {
    events.compactMap { if case .updateSent(let number) = $0 { number } else { nil } }
  }

  func subscribers(of attribute: LocalAttribute) -> Int {
    events.reduce(0) { count, event in
      switch event {
      case .subscribed(_, attribute): count + 1
      case .unsubscribed(_, attribute): count - 1
      default: count
      }
    }
  }

  var lastSubscriber: RemoteCentral? {
    for case .subscribed(let central, _) in events.reversed() { return central }
    return nil
  }
}

extension PeripheralEvent {
  fileprivate var isState: Bool {
    if case .stateChanged = self { true } else { false }
  }
}

/// Stands where a radio has opened nothing.
private final class NoSession: PeripheralSession {
  func add(_ service: LocalService) {}
  func remove(_ service: LocalAttribute) {}
  func removeAll() {}
  func startAdvertising(_ advertisement: RadioAdvertisement) {}
  func stopAdvertising() {}
  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>) {}
  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber
  ) {}
  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier) {}
  func publishChannel(encrypted: Bool) {}
  func unpublishChannel(_ psm: CBL2CAPPSM) {}
  func close() {}
}
