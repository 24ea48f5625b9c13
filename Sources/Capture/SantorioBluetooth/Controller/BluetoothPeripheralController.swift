// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
public import HealthDevices
import HealthGATT
import HealthRecords
public import SantorioCore
import SantorioConcurrency

/// Pairs and reads one peripheral at a time.
///
/// There are two views of the same events, in the same order: the delegate, and `async` calls with
/// ``events``. Readings are put on disk the moment they are decoded, since many a device forgets a
/// measurement once it was sent:
/// - Without a delegate they are submitted to the session at once.
/// - With a delegate they are held back on disk until it has been asked whether to submit them.
/// - Without a session they are only handed out.
///
/// A device that was paired or read before is connected without a scan, as soon as it wakes; see
/// ``startReading(from:only:userSlot:)``. Which devices these are is kept in the session's folder;
/// without a session, as long as the controller lives.
///
/// An operation keeps the controller, and the delegate it began with, alive until its end.
public final class BluetoothPeripheralController: @unchecked Sendable {
  // Unchecked for `delegateQueue` alone: a queue may be used from any thread, and SDKs before iOS
  // 17 do not say so to the compiler.
  let session: Session?
  let settings: Settings
  let known: KnownPeripherals
  let deviceStates: DeviceStates
  private let delegateQueue: DispatchQueue
  private let state = Locked(State())
  let engine: OperationEngine

  /// What can be changed for tests and for special hosts.
  public struct Settings: Sendable {
    /// The clock for time-outs.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The time of day.
    public var now: @Sendable () -> Date = { Date() }
    /// The time zone in which devices keep their local time.
    public var timeZone: @Sendable () -> TimeZone = { .autoupdatingCurrent }

    /// Who is measured, for scales that compute with age, sex and height.
    public var user: DeviceUser?
    /// Whether a pairing takes a device over that was paired for another user of the session's
    /// folder, with all that it has in its memory; else it fails with
    /// ``BluetoothError/Code/enrolledForAnother``.
    public var takesDevicesOver = false
    /// Where keys and passwords of devices are kept; the session's store when nil.
    public var credentials: (any CredentialStoring)?

    /// Where files of keys and licences are; the root of the app's bundle if nothing else is said.
    public var keyFolder: URL = Bundle.main.resourceURL ?? Bundle.main.bundleURL
    /// The devices that can be paired and read; an app registers its own here.
    public var catalogue = DeviceCatalogue.standard

    /// The settings for a phone or a gateway.
    public init() {}
  }

  private struct State {
    var isBusy = false
    /// Counts the operations.
    var operation = 0
    var log: [BluetoothEvent] = []
    var streams: [UUID: AsyncStream<BluetoothEvent>.Continuation] = [:]
    /// The streams that end with the operation under way.
    var operationStreams: [UUID: AsyncStream<BluetoothEvent>.Continuation] = [:]
    weak var delegate: (any BluetoothPeripheralControllerDelegate)?
  }

  /// Makes a controller; Bluetooth is not touched before the first operation.
  ///
  /// - Parameters:
  ///   - session: Where readings are submitted; nil when the app only wants to see them.
  ///   - settings: Clocks and time zone.
  ///   - managerOptions: Options for the `CBCentralManager`; on Linux they may name a simulated
  ///     radio.
  ///   - delegateQueue: A serial queue on which the delegate is called.
  public init(
    session: Session? = nil, settings: Settings = Settings(),
    managerOptions: sending [String: Any]? = nil, delegateQueue: DispatchQueue = .main
  ) {
    self.session = session
    self.settings = settings
    self.delegateQueue = delegateQueue
    func lock(_ name: String) -> StateLock? {
      session.map { StateLock(for: $0.directory.appendingPathComponent(name)) }
    }
    known = KnownPeripherals(
      store: session.map { SealedState(session: $0, name: KnownPeripherals.stateName) },
      lock: lock(KnownPeripherals.stateName))
    deviceStates = DeviceStates(
      store: session.map { SealedState(session: $0, name: DeviceStates.stateName) },
      lock: lock(DeviceStates.stateName),
      credentials: settings.credentials ?? session?.credentials)
    engine = OperationEngine(
      settings: settings, deviceStates: deviceStates, managerOptions: managerOptions)
  }

  deinit {
    let streams = state.withLock { Array($0.streams.values) + Array($0.operationStreams.values) }
    for stream in streams { stream.finish() }
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
  public var events: AsyncStream<BluetoothEvent> {
    AsyncStream { continuation in
      let id = UUID()
      continuation.onTermination = { [state] _ in
        state.withLock { $0.streams[id] = nil }
      }
      state.withLock { state in
        for event in state.log { continuation.yield(event) }
        state.streams[id] = continuation
      }
    }
  }

  /// The events of the operation of a number, which is cancelled when they are given up before its
  /// end.
  func events(ofOperation operation: Int) -> AsyncStream<BluetoothEvent> {
    AsyncStream { continuation in
      let id = UUID()
      let isOver = state.withLock { state in
        // Another one has begun meanwhile: its readings are not those that were asked for.
        guard state.operation == operation else { return true }
        for event in state.log { continuation.yield(event) }
        if state.isBusy { state.operationStreams[id] = continuation }
        return !state.isBusy
      }
      if isOver { return continuation.finish() }
      continuation.onTermination = { [weak self] reason in
        guard let self else { return }
        let isUnderWay = state.withLock { state in
          state.operationStreams[id] = nil
          return state.isBusy && state.operation == operation
        }
        if isUnderWay, case .cancelled = reason { cancel() }
      }
    }
  }

  /// What is known of the bond with a device.
  ///
  /// - Parameter peripheralUUID: The device, as ``PairingMetadata/peripheralUUID`` named it.
  /// - Returns: ``BondState/none`` for a device that was never used.
  public func bond(with peripheralUUID: UUID) -> BondState { known.bond(with: peripheralUUID) }

  /// The devices that were paired for the session's user, as ``PairingMetadata/peripheralUUID``
  /// named them; the one used last first.
  ///
  /// One that was paired while there was no user, or the default user, becomes the first user's who
  /// reads it. Who reads in the background, for a user who is not asked, names these: a reading
  /// that names no device takes whichever answers, a stranger's too.
  public var enrolledDevices: [UUID] {
    get async { known.enrolled(for: await user()).map(\.identifier) }
  }

  /// The devices that were paired for other users of the same folder, and are not read for this one
  /// until they are paired again.
  package var devicesOfOthers: [UUID] {
    get async { known.enrolledForOthers(than: await user()).map(\.identifier) }
  }

  /// Whose devices are paired now.
  func user() async -> KnownPeripheral.Enrolment {
    KnownPeripheral.Enrolment(try? await session?.storedUser())
  }

  // MARK: - With the delegate

  /// Begins to pair a peripheral.
  ///
  /// - Parameter peripheral: What to pair.
  /// - Returns: False when another operation is under way; then nothing happens.
  @discardableResult
  public func startPairing(_ peripheral: DeviceModel) -> Bool {
    begin(.pair, [peripheral]) != nil
  }

  /// Begins to pair whichever of some peripherals appears first.
  ///
  /// - Parameters:
  ///   - peripherals: What to pair; of several entries that fit a device the most specific is
  ///     taken.
  ///   - identifiers: The devices to which the pairing is restricted; any when nil.
  /// - Returns: False when another operation is under way, or there is none to pair.
  @discardableResult
  package func startPairing(
    firstOf peripherals: [DeviceModel], only identifiers: Set<UUID>? = nil
  ) -> Bool {
    begin(.pair, peripherals, allowed: identifiers) != nil
  }

  /// Begins to read from a peripheral.
  ///
  /// Devices that are known, and those that are named, are connected as soon as they wake. If none
  /// of them answers within a few seconds, devices to which another app of this phone or gateway
  /// has a connection are looked at, and then there is a scan beside. A reading that names devices
  /// takes no other; one that does not takes whichever of that model answers first.
  ///
  /// - Parameters:
  ///   - peripheral: What to read.
  ///   - identifiers: The devices to which the reading is restricted, as
  ///     ``PairingMetadata/peripheralUUID`` named them; any when nil.
  ///   - userSlot: The memory slot of the person, as the device counts them, for devices that
  ///     several use. Readings of the others are reported as rejected; a device that keeps them
  ///     sends them again to a reading that wants them. Those of all when nil.
  /// - Returns: False when another operation is under way; then nothing happens.
  @discardableResult
  public func startReading(
    from peripheral: DeviceModel, only identifiers: Set<UUID>? = nil, userSlot: Int? = nil
  ) -> Bool {
    begin(.read, [peripheral], allowed: identifiers, userSlot: userSlot) != nil
  }

  /// Begins to read from whichever of some peripherals appears first.
  ///
  /// - Parameters:
  ///   - peripherals: What to read; of several entries that fit a device the most specific is
  ///     taken.
  ///   - identifiers: The devices to which the reading is restricted; any when nil.
  /// - Returns: False when another operation is under way, or there is none to read from.
  @discardableResult
  public func startReading(
    fromFirstOf peripherals: [DeviceModel], only identifiers: Set<UUID>? = nil
  ) -> Bool {
    begin(.read, peripherals, allowed: identifiers) != nil
  }

  /// Begins to read from whichever of some peripherals appears first, within a time.
  ///
  /// - Parameters:
  ///   - peripherals: What to read; of several entries that fit a device the most specific is
  ///     taken.
  ///   - identifiers: The devices to which the reading is restricted; any when nil.
  ///   - resting: Devices that are left alone.
  ///   - time: How long to look for a device at most.
  /// - Returns: False when another operation is under way, or there is none to read from.
  @discardableResult
  package func startReading(
    fromFirstOf peripherals: [DeviceModel], only identifiers: Set<UUID>?,
    except resting: Set<UUID>, within time: Duration?
  ) -> Bool {
    begin(.read, peripherals, allowed: identifiers, resting: resting, within: time) != nil
  }

  /// Asks for the end of the operation under way, which then ends as cancelled unless it ends by
  /// itself before.
  public func cancel() { engine.cancel() }

  /// Begins an operation; returns its number, or nil when another one is under way.
  func begin(
    _ purpose: DriverContext.Purpose, _ peripherals: [DeviceModel],
    allowed: Set<UUID>? = nil, userSlot: Int? = nil, resting: Set<UUID> = [],
    within time: Duration? = nil
  ) -> Int? {
    guard let first = peripherals.first else { return nil }
    let operation: Int? = state.withLock { state in
      guard !state.isBusy else { return nil }
      state.isBusy = true
      state.operation += 1
      state.log = []
      return state.operation
    }
    guard let operation else { return nil }
    let reports = reports(purpose, peripherals, first, allowed, resting, time)
    let run = OperationRun(self, purpose: purpose, peripheral: first, userSlot: userSlot)
    Task { await run.follow(reports) }
    return operation
  }

  private func reports(
    _ purpose: DriverContext.Purpose, _ peripherals: [DeviceModel],
    _ first: DeviceModel, _ allowed: Set<UUID>?, _ resting: Set<UUID>, _ time: Duration?
  ) -> AsyncStream<OperationEngine.Dated> {
    // Of several peripherals those are left out that the app may not speak with.
    var usable: [DeviceModel] = []
    var keys: [Int: AppKeys] = [:]
    var refusal: BluetoothError?
    for peripheral in peripherals {
      do throws(BluetoothError) {
        let peripheral = try settings.readable(peripheral)
        keys[peripheral.id] = try settings.keys(for: peripheral)
        usable.append(peripheral)
      } catch {
        refusal = refusal ?? error
      }
    }
    if let refusal, usable.isEmpty { return engine.refuse(refusal) }
    let (first, others) = (usable.first ?? first, Array(usable.dropFirst()))
    return engine.begin { [known, keys] now in
      OperationBox(
        PeripheralOperation(
          purpose, first, others, allowed: allowed, resting: resting, known: known.all, keys: keys,
          within: time, at: now))
    }
  }

  /// Tells an event: first to the log, then to the streams, then to the delegate.
  func send(
    _ event: BluetoothEvent,
    toDelegate: (@Sendable (any BluetoothPeripheralControllerDelegate) -> Void)?
  ) {
    let (streams, ending, delegate) = state.withLock { state in
      state.log.append(event)
      let streams = Array(state.streams.values) + Array(state.operationStreams.values)
      var ending: [AsyncStream<BluetoothEvent>.Continuation] = []
      if case .ended = event {
        state.isBusy = false
        ending = Array(state.operationStreams.values)
        state.operationStreams = [:]
      }
      return (streams, ending, state.delegate)
    }
    // Without the lock: to wake a reader takes the lock of its task, and a task that is being
    // cancelled holds that while it takes its stream out of the state.
    for stream in streams { stream.yield(event) }
    for stream in ending { stream.finish() }
    event.log()
    guard let delegate, let toDelegate else { return }
    delegateQueue.async { toDelegate(delegate) }
  }

  /// Asks the delegate on its queue.
  func ask<Answer: Sendable>(
    _ delegate: any BluetoothPeripheralControllerDelegate,
    _ question: @escaping @Sendable (any BluetoothPeripheralControllerDelegate) -> Answer
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      delegateQueue.async { continuation.resume(returning: question(delegate)) }
    }
  }
}
