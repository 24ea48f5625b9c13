// SPDX-License-Identifier: Apache-2.0

import Foundation

/// When observer queries are called: at once while the app is in the foreground, and otherwise for the
/// types with background delivery, not more often than it asked for.
///
/// An app that does not call the completion handler is called again later, and after three times no
/// more. It is used on the system's queue only.
package final class BackgroundDelivery: @unchecked Sendable {
  /// What the app is doing.
  package enum AppState: Sendable {
    case foreground
    case background
    case terminated
  }

  /// How often an app may leave a call without an answer.
  static let mostMisses = 3
  /// How long an app may take for an answer, in seconds.
  static let budget: TimeInterval = 30

  fileprivate struct Order: Codable {
    var frequency: Int
    var misses = 0
    /// When the app was called last.
    var last: Date?
    /// Before this it is not called again.
    var earliest: Date?
  }

  private struct Call {
    let types: Set<String>
    let deadline: Date
  }

  private(set) var state = AppState.foreground
  /// The time of this phone.
  private var now: () -> Date = { Date() }
  private var orders: [String: Order]?
  /// Types that changed while the app could not be called.
  private var owed: Set<HKObjectType> = []
  private var calls: [Int: Call] = [:]
  private var nextCall = 0
  /// What waits until no call is without an answer.
  private var waiting: [@Sendable () -> Void] = []
  /// Launches the app in the background.
  private var launch: (@Sendable () -> Void)?
  /// What waits until the app is launched; nil while it is not being launched.
  private var launching: [@Sendable () -> Void]?
  /// Types for which the app was launched, and has not executed a query yet.
  private var awaited: Set<HKObjectType> = []

  private static let stateName = "background delivery"

  // MARK: - Orders

  private func orders(_ database: HealthDatabase) throws -> [String: Order] {
    if let orders { return orders }
    let text = try database.state(Self.stateName)
    let read = try text.map { try MetadataCoding.value($0, as: [String: Order].self) } ?? [:]
    orders = read
    return read
  }

  private func keep(_ orders: [String: Order], on system: HealthSystem) throws {
    try system.write { try $0.setState(Self.stateName, MetadataCoding.text(orders)) }
    self.orders = orders
  }

  /// Orders calls for a type; a type that had no answer three times gets them again.
  func enable(
    _ type: HKObjectType, _ frequency: HKUpdateFrequency, on system: HealthSystem
  ) throws {
    var orders = try system.readSettings(orders)
    orders[type.identifier] = Order(
      frequency: max(frequency.rawValue, type.leastFrequency.rawValue))
    try keep(orders, on: system)
  }

  /// Ends the calls for a type, or for all.
  func disable(_ type: HKObjectType?, on system: HealthSystem) throws {
    var orders = try system.readSettings(orders)
    if let type { orders[type.identifier] = nil } else { orders = [:] }
    try keep(orders, on: system)
    awaited = awaited.filter { orders[$0.identifier] != nil }
    releaseWaiting()
  }

  // MARK: - Changes

  /// Deals with a change of some types.
  func changed(_ types: Set<HKObjectType>, _ queries: [HKQuery], on system: HealthSystem) {
    guard state == .foreground else {
      owed.formUnion(types)
      return deliver(queries, on: system)
    }
    for query in queries
    where !query.types.isDisjoint(with: types.compactMap { $0 as? HKSampleType }) {
      query.changed(types, on: system)
    }
  }

  /// Calls the app for what it is owed, as far as that is due.
  private func deliver(_ queries: [HKQuery], on system: HealthSystem) {
    let due = dueTypes(on: system)
    guard !due.isEmpty else { return }
    if state == .terminated {
      // The app executes its queries, which are then called for what is due.
      if whenLaunched({}, on: system) { awaited = due }
      return
    }
    for case let query as HKObserverQuery in queries { call(query, due, on: system) }
  }

  private func dueTypes(on system: HealthSystem) -> Set<HKObjectType> {
    guard !system.isLockedOnQueue, let orders = try? system.readSettings(orders) else { return [] }
    return owed.filter { type in
      guard let order = orders[type.identifier], order.misses < Self.mostMisses else {
        return false
      }
      let next = max(
        order.earliest ?? .distantPast, order.last.map { $0 + order.interval } ?? .distantPast)
      return now() >= next
    }
  }

  private func call(_ query: HKObserverQuery, _ due: Set<HKObjectType>, on system: HealthSystem) {
    let types = query.types.filter(due.contains)
    guard !types.isEmpty, var orders = try? system.readSettings(orders) else { return }
    for type in types { orders[type.identifier]?.last = now() }
    try? keep(orders, on: system)
    owed.subtract(types)
    awaited.subtract(types)
    let number = nextCall
    nextCall += 1
    calls[number] = Call(
      types: Set(types.map(\.identifier)), deadline: now() + Self.budget)
    query.notify(types) { [weak system] in
      system?.async { system?.delivery.answered(number, on: system) }
    }
  }

  private func answered(_ number: Int, on system: HealthSystem?) {
    guard let call = calls.removeValue(forKey: number), let system,
      var orders = try? system.readSettings(orders)
    else { return }
    for type in call.types {
      orders[type]?.misses = 0
      orders[type]?.earliest = nil
    }
    try? keep(orders, on: system)
    releaseWaiting()
  }

  /// Calls `body` when no call of the app is without an answer.
  package func whenAnswered(_ body: @escaping @Sendable () -> Void) {
    waiting.append(body)
    releaseWaiting()
  }

  private func releaseWaiting() {
    guard calls.isEmpty, awaited.isEmpty, launching == nil else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  /// Takes over the first call of a query that the app executes in the background.
  ///
  /// - Returns: Whether the query is called for what it is owed.
  func started(_ query: HKQuery, on system: HealthSystem) -> Bool {
    guard state == .background, let observer = query as? HKObserverQuery else { return false }
    let due = dueTypes(on: system)
    guard !observer.types.isDisjoint(with: due.compactMap { $0 as? HKSampleType }) else {
      return false
    }
    call(observer, due, on: system)
    return true
  }

  // MARK: - The phone

  /// Takes the time from a clock of a test.
  package func use(clock: @escaping () -> Date) { now = clock }

  /// How the system launches the app.
  package func onLaunch(_ launch: (@Sendable () -> Void)?) { self.launch = launch }

  /// Whether the app runs, or can be launched.
  var canRunApp: Bool { state != .terminated || launch != nil }

  /// Calls `body` in the background when the app runs; it is launched if need be.
  ///
  /// - Returns: Whether it runs, or is being launched.
  func whenLaunched(_ body: @escaping @Sendable () -> Void, on system: HealthSystem) -> Bool {
    if launching != nil {
      launching?.append(body)
      return true
    }
    guard state == .terminated else {
      DispatchQueue.global().async(execute: body)
      return true
    }
    guard let launch else { return false }
    state = .background
    launching = [body]
    DispatchQueue.global().async { [weak system] in
      launch()
      system?.async { system?.delivery.launched() }
    }
    return true
  }

  private func launched() {
    let bodies = launching ?? []
    launching = nil
    releaseWaiting()
    for body in bodies { DispatchQueue.global().async(execute: body) }
  }

  /// Moves the app to the foreground or the background.
  package func move(to state: AppState, _ queries: [HKQuery], on system: HealthSystem) {
    self.state = state
    guard state == .foreground else { return }
    let types = owed
    owed = []
    changed(types, queries, on: system)
  }

  func appEnded() {
    state = .terminated
    launching = nil
    awaited = []
    calls = [:]
    releaseWaiting()
  }

  func unlocked(_ queries: [HKQuery], on system: HealthSystem) {
    if state != .foreground { deliver(queries, on: system) }
  }

  /// Deals with the time that has passed: calls without an answer, and types that are due now.
  package func timePassed(_ queries: [HKQuery], on system: HealthSystem) {
    // An app that has executed no query by now will not be called.
    awaited = []
    releaseWaiting()
    let late = calls.filter { $0.value.deadline <= now() }
    if !late.isEmpty, var orders = try? system.readSettings(orders) {
      for (number, call) in late {
        calls[number] = nil
        for type in call.types {
          let misses = (orders[type]?.misses ?? 0) + 1
          orders[type]?.misses = misses
          orders[type]?.earliest = now() + 60 * pow(2, Double(misses))
          owed.insert(HKObjectType.named(type, unit: nil))
        }
      }
      try? keep(orders, on: system)
    }
    if state != .foreground { deliver(queries, on: system) }
  }
}

extension BackgroundDelivery.Order {
  fileprivate var interval: TimeInterval {
    switch HKUpdateFrequency(rawValue: frequency) {
    case .hourly: 3_600
    case .daily: 86_400
    case .weekly: 604_800
    default: 0
    }
  }
}

extension HKObjectType {
  /// The most frequent delivery of a type: steps and what belongs to them come hourly at most.
  fileprivate var leastFrequency: HKUpdateFrequency {
    let hourly: Set<HKQuantityTypeIdentifier> = [
      .stepCount, .activeEnergyBurned, .distanceWalkingRunning,
    ]
    return hourly.contains(HKQuantityTypeIdentifier(rawValue: identifier)) ? .hourly : .immediate
  }
}
