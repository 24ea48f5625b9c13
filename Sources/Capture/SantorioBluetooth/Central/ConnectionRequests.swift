// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthDevices

/// Which operation has which device, and which operations wait for one.
///
/// A device has one operation at a time; others that want it wait until it is free, and are then
/// connected in the order in which they asked. A connection that one gives up goes on for the
/// others. It decides and does nothing: each event returns the actions to be carried out, in order.
struct ConnectionRequests: Sendable {
  /// Identifies an operation.
  typealias OperationID = UUID

  enum Action: Hashable, Sendable {
    /// Ask the system for a connection, which may take any time.
    case connect(UUID)
    /// End a connection, or give it up before it stands.
    case cancel(UUID)
    /// Tell an operation.
    case report(PeripheralOperation.Event, to: OperationID)
  }

  private struct Request {
    /// The operations that want the device, the first one first.
    var waiting: [OperationID] = []
    /// The operation that has it.
    var owner: OperationID?
    var state = State.queued
    /// The ends of cancelled connections that may be reported although it is connecting anew.
    var lateEnds = 0
  }

  private enum State {
    /// The system was not asked yet. Next: connecting.
    case queued
    /// The system waits for the device. Next: connected, suspending, ending, queued.
    case connecting
    /// It was cancelled for want of a slot, and the end was not reported yet. Next: queued, ending.
    case suspending
    /// The owner has it. Next: ending.
    case connected
    /// It was cancelled, and the end was not reported yet. Next: queued, or none.
    case ending
  }

  private var requests: [UUID: Request] = [:]
  /// The devices in the order in which they were asked for.
  private var order: [UUID] = []

  private let mostSlots: Int?
  /// What the radio was found to carry, together with those of other apps, since the last
  /// connection ended.
  private var foundSlots: Int?

  /// - Parameter slots: How many devices can be connected at once; found when nil.
  init(slots: Int? = nil) { mostSlots = slots.map { max(1, $0) } }

  /// How many devices can be connected at once; nil while that is not known.
  var slots: Int? { [mostSlots, foundSlots].compactMap(\.self).min() }

  /// Whether another operation has a device, or waits for it.
  func isTaken(_ device: UUID, from operation: OperationID) -> Bool {
    guard let request = requests[device] else { return false }
    return request.owner.map { $0 != operation } ?? false
      || request.waiting.contains { $0 != operation }
  }

  /// Whether a device is connected, or being connected.
  func isWanted(_ device: UUID) -> Bool { requests[device] != nil }

  /// Whether an operation has a device, or waits for one.
  func hasDevices(of operation: OperationID) -> Bool {
    requests.values.contains { $0.owner == operation || $0.waiting.contains(operation) }
  }

  // MARK: - Operations

  /// An operation wants a device.
  mutating func connect(_ device: UUID, for operation: OperationID) -> [Action] {
    if requests[device] == nil {
      requests[device] = Request()
      order.append(device)
    }
    guard requests[device]?.waiting.contains(operation) == false else { return [] }
    requests[device]?.waiting.append(operation)
    switch requests[device]?.state {
    case .queued: return start(device)
    case .suspending: return [.report(.waiting(device, .linkSlot), to: operation)]
    case .connected, .ending: return [.report(.waiting(device, .otherOperation), to: operation)]
    case .connecting, nil: return []
    }
  }

  /// An operation wants a device no more; it is told when the device is no longer connected for it.
  mutating func leave(_ device: UUID, for operation: OperationID) -> [Action] {
    guard var request = requests[device] else { return [] }
    if request.owner == operation {
      guard request.state == .connected else { return [] }
      requests[device]?.state = .ending
      return [.cancel(device)]
    }
    guard let place = request.waiting.firstIndex(of: operation) else { return [] }
    request.waiting.remove(at: place)
    let isLast = request.waiting.isEmpty
    if isLast, request.state == .connecting || request.state == .suspending {
      let isCancelled = request.state == .suspending
      (request.owner, request.state) = (operation, .ending)
      requests[device] = request
      return isCancelled ? [] : [.cancel(device)]
    }
    requests[device] = request
    if isLast, request.state == .queued { forget(device) }
    return [.report(.disconnected(device, nil), to: operation)]
  }

  /// An operation is over, however it ended.
  mutating func end(_ operation: OperationID) -> [Action] {
    var actions: [Action] = []
    for device in order {
      // An end that was never reported must not keep the device from others.
      let isEnding = requests[device]?.owner == operation && requests[device]?.state == .ending
      actions += isEnding ? disconnected(device, nil) : leave(device, for: operation)
    }
    return actions.filter { action in
      if case .report(_, to: operation) = action { false } else { true }
    }
  }

  // MARK: - The system

  /// A connection stands.
  mutating func connected(_ device: UUID) -> [Action] {
    // Nobody would ever end a connection that nobody wants any more.
    guard var request = requests[device] else { return [.cancel(device)] }
    guard request.state == .connecting, !request.waiting.isEmpty else { return [] }
    let owner = request.waiting.removeFirst()
    (request.owner, request.state) = (owner, .connected)
    requests[device] = request
    let others = request.waiting.map {
      Action.report(.waiting(device, .otherOperation), to: $0)
    }
    return [.report(.connected(device), to: owner)] + others + suspendConnecting()
  }

  /// A connection could not be made.
  mutating func failed(_ device: UUID, _ failure: RequestFailure) -> [Action] {
    guard let request = requests[device], request.state == .connecting else {
      return disconnected(device, failure)
    }
    let used = usedSlots
    if failure.cause == .noRoom, used > 0 {
      foundSlots = used
      requests[device]?.state = .queued
      return request.waiting.map { .report(.waiting(device, .linkSlot), to: $0) }
        + suspendConnecting()
    }
    forget(device)
    return request.waiting.map { .report(.connectionFailed(device, failure), to: $0) }
  }

  /// A connection is gone.
  mutating func disconnected(_ device: UUID, _ failure: RequestFailure?) -> [Action] {
    guard let request = requests[device] else { return [] }
    if request.owner == nil, request.lateEnds > 0 {
      requests[device]?.lateEnds -= 1
      return request.state == .connecting ? [.connect(device)] : []
    }
    var actions: [Action] = []
    if let owner = request.owner {
      foundSlots = nil
      actions.append(.report(.disconnected(device, failure), to: owner))
      requests[device]?.owner = nil
    } else if request.state != .suspending {
      actions += request.waiting.map {
        .report(.connectionFailed(device, failure ?? RequestFailure(.other)), to: $0)
      }
      requests[device]?.waiting = []
    }
    requests[device]?.state = .queued
    if requests[device]?.waiting.isEmpty ?? true { forget(device) }
    return actions + startQueued()
  }

  /// The radio's state is not known: those that wait begin anew when it is on again.
  mutating func forgetWaiting() {
    for device in order {
      requests[device]?.waiting = []
      if requests[device]?.owner == nil { forget(device) }
    }
  }

  /// The radio has forgotten all connections; the operations know it from its state.
  mutating func forgetAll() {
    requests = [:]
    order = []
    foundSlots = nil
  }

  // MARK: - Slots

  private var usedSlots: Int {
    requests.values.filter { $0.state == .connected || $0.state == .ending }.count
  }

  private var hasSlot: Bool { slots.map { usedSlots < $0 } ?? true }

  private mutating func start(_ device: UUID) -> [Action] {
    guard hasSlot else {
      let waiting = requests[device]?.waiting.last
      return waiting.map { [.report(.waiting(device, .linkSlot), to: $0)] } ?? []
    }
    requests[device]?.state = .connecting
    return [.connect(device)]
  }

  /// With the last slot taken, no other device may be connected by the system.
  private mutating func suspendConnecting() -> [Action] {
    guard !hasSlot else { return [] }
    let connecting = order.filter { requests[$0]?.state == .connecting }
    return connecting.flatMap { device -> [Action] in
      requests[device]?.state = .suspending
      let waiting = requests[device]?.waiting ?? []
      return [.cancel(device)] + waiting.map { .report(.waiting(device, .linkSlot), to: $0) }
    }
  }

  /// Asks for all that wait once there is a slot: a device that sleeps takes none, and whichever
  /// wakes first gets it.
  private mutating func startQueued() -> [Action] {
    guard hasSlot else { return [] }
    return order.flatMap { device -> [Action] in
      switch requests[device]?.state {
      case .queued: break
      // The end of what was cancelled is not waited for: the system need not report it.
      case .suspending: requests[device]?.lateEnds += 1
      default: return []
      }
      requests[device]?.state = .connecting
      return [.connect(device)]
    }
  }

  private mutating func forget(_ device: UUID) {
    requests[device] = nil
    order.removeAll { $0 == device }
  }
}
