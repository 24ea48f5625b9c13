// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthDevices
package import HealthRecords
public import SantorioCore
import SantorioConcurrency

/// Pairs and reads one peripheral at a time.
///
/// It is a view of one ``DeviceOperation`` after the other, for apps that show one at a time. There
/// are two forms of the same events, in the same order: the delegate, and `async` calls with
/// ``events``. Readings are put on disk the moment they are decoded, since many a device forgets a
/// measurement once it was sent:
/// - Without a delegate they are submitted to the session at once.
/// - With a delegate they are held back on disk until it has been asked whether to submit them.
/// - Without a session they are only handed out.
///
/// A device that was paired or read before is connected without a scan, as soon as it wakes; see
/// ``startReading(from:only:userSlot:)``. Which devices these are is kept by the receiver.
///
/// Controllers of one central share the radio: their operations run at once on different devices,
/// and one after the other on the same. An operation keeps the controller, and the delegate it
/// began with, alive until its end.
public final class BluetoothPeripheralController: Sendable {
  let central: BluetoothCentral
  private let log = EventLog()
  private let state = Locked(State())

  /// For whom it pairs and reads.
  public let receiver: BluetoothReceiver

  private struct State {
    /// The operation under way.
    var operation: DeviceOperation?
    var isBusy = false
    /// Whether its end was asked for.
    var isCancelled = false
    /// Counts the operations.
    var number = 0
    weak var delegate: (any BluetoothPeripheralControllerDelegate)?
  }

  /// Makes a controller; Bluetooth is not touched before the first operation.
  ///
  /// - Parameters:
  ///   - receiver: For whom devices are paired and read.
  ///   - central: The central of the radio.
  public init(for receiver: BluetoothReceiver, on central: BluetoothCentral = .shared) {
    self.receiver = receiver
    self.central = central
  }

  /// Makes a controller for a receiver of its own.
  ///
  /// - Parameters:
  ///   - session: Where readings are submitted; nil when the app only wants to see them.
  ///   - settings: Clocks, time zone and catalogue.
  ///   - central: The central of the radio.
  public convenience init(
    session: SantorioSession? = nil, settings: BluetoothSettings = BluetoothSettings(),
    on central: BluetoothCentral = .shared
  ) {
    self.init(for: BluetoothReceiver(session: session, settings: settings), on: central)
  }

  /// Who hears of pairings and readings; not kept alive.
  public var delegate: (any BluetoothPeripheralControllerDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// Whether a pairing or a reading is under way.
  public var operationInProgress: Bool { state.withLock { $0.isBusy } }

  /// The events of the present or last operation so far, and all that follow.
  ///
  /// Each access makes a new stream; nothing is dropped for a slow reader.
  public var events: AsyncStream<BluetoothEvent> { log.stream() }

  // MARK: - With the delegate

  /// Begins to pair a peripheral.
  ///
  /// - Parameters:
  ///   - peripheral: What to pair.
  ///   - userSlot: Which of the device's users the session's user is; see
  ///     ``BluetoothCentral/pair(_:only:userSlot:for:)``.
  /// - Returns: False when another operation is under way; then nothing happens.
  @discardableResult
  public func startPairing(_ peripheral: DeviceModel, userSlot: Int? = nil) -> Bool {
    begin(
      .init(purpose: .pair, models: [peripheral], userSlot: userSlot.map { .slot($0) })) != nil
  }

  /// Begins to read from a peripheral, see
  /// ``BluetoothCentral/read(_:only:userSlot:for:approval:)``.
  ///
  /// - Parameters:
  ///   - peripheral: What to read.
  ///   - identifiers: The devices to which the reading is restricted, as
  ///     ``PairingMetadata/peripheralUUID`` named them; any when nil.
  ///   - userSlot: The person's number in readings, for devices that several use; see
  ///     ``BluetoothCentral/read(_:only:userSlot:for:approval:)``.
  /// - Returns: False when another operation is under way; then nothing happens.
  @discardableResult
  public func startReading(
    from peripheral: DeviceModel, only identifiers: Set<UUID>? = nil, userSlot: Int? = nil
  ) -> Bool {
    startReading(fromFirstOf: [peripheral], only: identifiers, userSlot: userSlot)
  }

  /// Begins to read from whichever of some peripherals appears first.
  ///
  /// - Parameters:
  ///   - peripherals: What to read; of several entries that fit a device the most specific is
  ///     taken.
  ///   - identifiers: The devices to which the reading is restricted; any when nil.
  ///   - userSlot: The person's number in readings, for devices that several use; see
  ///     ``BluetoothCentral/read(_:only:userSlot:for:approval:)``.
  /// - Returns: False when another operation is under way, or there is none to read from.
  @discardableResult
  public func startReading(
    fromFirstOf peripherals: [DeviceModel], only identifiers: Set<UUID>? = nil,
    userSlot: Int? = nil
  ) -> Bool {
    let request = DeviceOperation.Request(
      purpose: .read, models: peripherals, allowed: identifiers,
      userSlot: userSlot.map { .slot($0) })
    return begin(request) != nil
  }

  /// Asks for the end of the operation under way, which then ends as cancelled unless it ends by
  /// itself before.
  public func cancel() {
    let operation = state.withLock { state in
      state.isCancelled = state.isBusy
      return state.operation
    }
    operation?.cancel()
  }

  // MARK: - Operations

  /// Who is asked whether readings are to be submitted.
  package enum Approver: Sendable {
    /// The delegate.
    case delegate
    /// Nobody: they are submitted at once.
    case nobody
    /// A function.
    case function(@MainActor @Sendable ([HealthRecord]) -> DeviceOperation.Decision)
  }

  /// Begins to read from a peripheral.
  ///
  /// - Parameters:
  ///   - peripheral: What to read.
  ///   - approver: Who is asked whether the readings are to be submitted, if there is a delegate.
  /// - Returns: False when another operation is under way; then nothing happens.
  package func startReading(
    from peripheral: DeviceModel, approvedBy approver: Approver
  ) -> Bool {
    begin(.init(purpose: .read, models: [peripheral]), approver) != nil
  }

  /// Begins an operation; nil when another one is under way, or there is nothing to look for.
  func begin(
    _ request: DeviceOperation.Request, _ approver: Approver = .delegate
  ) -> DeviceOperation? {
    guard let first = request.models.first else { return nil }
    let number: Int? = state.withLock { state in
      guard !state.isBusy else { return nil }
      (state.isBusy, state.isCancelled, state.number) = (true, false, state.number + 1)
      return state.number
    }
    guard let number else { return nil }
    log.clear()
    let delegate = delegate
    let calls = delegate.map { DelegateCalls(self, $0, request.purpose, of: first) }
    let operation = central.begin(
      request, for: receiver, approval: calls?.approval(by: approver)
    ) { [self] event in sent(event, calls) }
    keep(operation, number)
    return operation
  }

  /// Keeps the operation of a number; it may be over already, and another one under way.
  private func keep(_ operation: DeviceOperation, _ number: Int) {
    let isCancelled = state.withLock { state in
      guard state.isBusy, state.number == number else { return false }
      state.operation = operation
      return state.isCancelled
    }
    if isCancelled { operation.cancel() }
  }

  private func sent(_ event: BluetoothEvent, _ calls: DelegateCalls?) {
    log.send(event) {
      guard case .ended = event else { return }
      state.withLock { ($0.isBusy, $0.operation) = (false, nil) }
    }
    calls?.send(event)
  }
}

/// Calls the delegate of one operation on the main actor, in the order of its events.
private final class DelegateCalls: @unchecked Sendable {
  // `calls` is set by the initialiser; `model` and `metadata` are touched by the one task that sends
  // the operation's events.
  private typealias Call = @MainActor @Sendable () -> Void

  private let controller: BluetoothPeripheralController
  private let delegate: any BluetoothPeripheralControllerDelegate
  private let purpose: DriverContext.Purpose
  private var model: DeviceModel
  private var metadata: PairingMetadata?
  private var calls: AsyncStream<Call>.Continuation?

  init(
    _ controller: BluetoothPeripheralController,
    _ delegate: any BluetoothPeripheralControllerDelegate, _ purpose: DriverContext.Purpose,
    of model: DeviceModel
  ) {
    self.controller = controller
    self.delegate = delegate
    self.purpose = purpose
    self.model = model
    // `makeStream` came with iOS 17's SDK.
    let stream = AsyncStream { calls = $0 }
    Task { @MainActor in
      for await call in stream { call() }
    }
  }

  deinit { calls?.finish() }

  /// Who asks whether readings are to be submitted; nil when nobody does.
  func approval(
    by approver: BluetoothPeripheralController.Approver
  ) -> DeviceOperation.Approval? {
    switch approver {
    case .nobody: nil
    case .function(let ask): { records, _ in await self.answer { ask(records) } }
    case .delegate:
      { records, model in
        await self.answer {
          let isApproved = self.delegate.controller(
            self.controller, shouldSubmit: records, from: model)
          return .init(isApproved: isApproved)
        }
      }
    }
  }

  /// Asks after all calls before it.
  private func answer(
    _ ask: @escaping @MainActor @Sendable () -> DeviceOperation.Decision
  ) async -> DeviceOperation.Decision {
    await withCheckedContinuation { continuation in
      calls?.yield { continuation.resume(returning: ask()) }
    }
  }

  func send(_ event: BluetoothEvent) {
    switch event {
    case .found(let model, _): self.model = model
    case .paired(let metadata): self.metadata = metadata
    default: break
    }
    calls?.yield { [controller, delegate, purpose, model, metadata] in
      delegate.heard(event, controller, purpose, model, metadata)
    }
  }
}

extension BluetoothPeripheralControllerDelegate {
  /// Calls the method for an event.
  fileprivate func heard(
    _ event: BluetoothEvent, _ sender: BluetoothPeripheralController,
    _ purpose: DriverContext.Purpose, _ model: DeviceModel, _ metadata: PairingMetadata?
  ) {
    switch event {
    case .found, .waiting, .reading, .older, .paired: break
    case .readyToRead(let model): controller(sender, isReadyToReadFrom: model)
    case .undecided(let record): controller(sender, didHold: record, from: model)
    case .rejected(let rejected): controller(sender, didReject: rejected, from: model)
    case .ended(.cancelled) where metadata == nil: controller(sender, didCancel: model)
    case .ended(.nothingNew): controller(sender, foundNothingNewOn: model)
    case .ended(.finished(let records)), .ended(.cancelled(let records)):
      if let metadata { controller(sender, didPair: model, metadata: metadata) }
      if !records.isEmpty { controller(sender, didRead: records, from: model) }
    case .ended(.failed(let error, _)):
      switch purpose {
      case .pair: controller(sender, didNotPair: model, error: error)
      case .read: controller(sender, readingFailedFor: model, error: error)
      }
    }
  }
}
