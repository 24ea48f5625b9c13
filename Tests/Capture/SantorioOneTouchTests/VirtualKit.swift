// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioOneTouch

/// A result as the virtual kit gives it.
struct VirtualResult: OneTouchKitReading, Hashable, Sendable {
  var number: Int?
  var glucose: OneTouchGlucose
  var time: OneTouchMeterTime
  var isControl = false
  var meal: MealRelationship?

  var meterGlucose: OneTouchGlucose { glucose }
  var meterTime: OneTouchMeterTime { time }
  var meterSequenceNumber: Int? { number }
  var isControlSolutionTest: Bool { isControl }
  var mealMark: MealRelationship? { meal }

  /// A result of so many mg/dL, an hour before the tests' time for each number below 100.
  init(_ number: Int, _ milligrams: Double) {
    self.number = number
    glucose = .concentration(.milligramsPerDeciliter(milligrams))
    time = .instant(VirtualKit.now - Double(100 - number) * 3600)
  }
}

/// The kit fails.
struct VirtualKitError: Error {}

/// A stand-in for LifeScan's kit: meters with memories, and the faults that a kit may have.
///
/// Its types have the members that Validic's documentation shows, and nothing of it is known beyond
/// that.
final class VirtualKit: OneTouchKitManager, Sendable {
  /// The tests' time: 14 July 2026.
  static let now = Date(timeIntervalSince1970: 1_784_012_400)

  /// How the kit answers once.
  enum Answer: Sendable {
    case normal
    /// An error, and nothing else.
    case failure
    /// An error after so many results.
    case failureAfter(Int)
    /// The completion is called twice.
    case twice
    /// From the beginning, whatever the anchor.
    case allAgain
    /// Not before the test says so.
    case late
    /// Never.
    case never
    /// Neither results nor anchor nor error.
    case empty
  }

  /// Something that the kit was asked for.
  enum Call: Hashable, Sendable {
    case connect(String)
    case disconnect(String)
    case read(String, anchor: Int?)
  }

  private struct State {
    var devices: [VirtualMeter] = []
    var calls: [Call] = []
    var autoClockSync = false
  }

  private let state = Locked(State())
  private let called = AsyncStream<Call>.makeStream()
  let listener = Locked<Listener?>(nil)

  struct Listener {
    let connectionChanged: @Sendable (VirtualMeter, _ isConnected: Bool) -> Void
  }

  var devices: [VirtualMeter] { state.withLock { $0.devices } }
  var calls: [Call] { state.withLock { $0.calls } }

  var autoClockSync: Bool {
    get { state.withLock { $0.autoClockSync } }
    set { state.withLock { $0.autoClockSync = newValue } }
  }

  /// Adds a meter.
  @discardableResult func add(_ serialNumber: String, isPaired: Bool = true) -> VirtualMeter {
    let meter = VirtualMeter(serialNumber, isPaired: isPaired, kit: self)
    state.withLock { $0.devices.append(meter) }
    return meter
  }

  func connect(_ device: VirtualMeter) {
    note(.connect(device.meterSerialNumber))
    guard device.isNear else { return }
    device.connects()
  }

  func disconnect(_ device: VirtualMeter) { note(.disconnect(device.meterSerialNumber)) }

  func note(_ call: Call) {
    state.withLock { $0.calls.append(call) }
    called.continuation.yield(call)
  }

  /// Waits until the kit is asked for something.
  func waits(for call: Call) async {
    for await next in called.stream where next == call { return }
  }

  /// Waits until the kit is asked for results, and returns with which anchor.
  func nextAnchor() async -> Int? {
    for await call in called.stream {
      if case .read(_, let anchor) = call { return anchor }
    }
    return nil
  }
}

/// A meter of the virtual kit.
final class VirtualMeter: OneTouchKitDevice, Sendable {
  private struct State {
    var isPaired: Bool
    var isNear = false
    var results: [VirtualResult] = []
    var answers: [VirtualKit.Answer] = []
    var late: [@Sendable () -> Void] = []
  }

  let meterSerialNumber: String
  let meterModel: String? = "OneTouch Verio Flex"
  private let state: Locked<State>
  private let kit: Locked<VirtualKit>
  private let thread = DispatchQueue(label: "kit")

  init(_ serialNumber: String, isPaired: Bool, kit: VirtualKit) {
    meterSerialNumber = serialNumber
    state = Locked(State(isPaired: isPaired))
    self.kit = Locked(kit)
  }

  var isPaired: Bool {
    get { state.withLock { $0.isPaired } }
    set { state.withLock { $0.isPaired = newValue } }
  }

  /// Whether it is connected as soon as the kit is asked to.
  var isNear: Bool {
    get { state.withLock { $0.isNear } }
    set { state.withLock { $0.isNear = newValue } }
  }

  /// The user measures.
  func measure(_ results: VirtualResult...) { state.withLock { $0.results += results } }

  /// Replaces the memory.
  func remember(_ results: [VirtualResult]) { state.withLock { $0.results = results } }

  /// The next answers; after them all are normal.
  func will(_ answers: VirtualKit.Answer...) { state.withLock { $0.answers += answers } }

  /// All answers are normal from now on.
  func forgetsAnswers() { state.withLock { $0.answers = [] } }

  /// The meter without the kit.
  var named: OneTouchMeter { OneTouchMeter(serialNumber: meterSerialNumber, model: meterModel) }

  /// Tells the listener of a connection, from the kit's own thread.
  func connects() {
    let kit = kit.withLock { $0 }
    thread.async { kit.listener.withLock { $0 }?.connectionChanged(self, true) }
  }

  /// Tells the listener that the connection is lost.
  func disconnects() {
    let kit = kit.withLock { $0 }
    thread.async { kit.listener.withLock { $0 }?.connectionChanged(self, false) }
  }

  /// Gives the answers that were held back.
  func answersLate() {
    let late = state.withLock { state in
      defer { state.late = [] }
      return state.late
    }
    for answer in late { thread.async(execute: answer) }
  }

  func getGlucoseRecords(
    anchor: Int?, filterType: String?,
    completion: @escaping (VirtualMeter, Int?, [VirtualResult]?, (any Error)?) -> Void
  ) {
    kit.withLock { $0 }.note(.read(meterSerialNumber, anchor: anchor))
    let (answer, all) = state.withLock { state in
      (state.answers.isEmpty ? .normal : state.answers.removeFirst(), state.results)
    }
    let results = Array(all.dropFirst(anchor ?? 0))
    // The kit's completion is not Sendable either; it is called on the kit's thread only.
    nonisolated(unsafe) let completion = completion
    let reply: @Sendable ([VirtualResult]?, Int?, (any Error)?) -> Void = { [self] in
      unsafe completion(self, $1, $0, $2)
    }
    switch answer {
    case .normal: thread.async { reply(results, all.count, nil) }
    case .failure: thread.async { reply(nil, nil, VirtualKitError()) }
    case .failureAfter(let count):
      thread.async { reply(Array(results.prefix(count)), all.count, VirtualKitError()) }
    case .twice:
      thread.async {
        reply(results, all.count, nil)
        reply(results, all.count, nil)
      }
    case .allAgain: thread.async { reply(all, all.count, nil) }
    case .late: state.withLock { $0.late.append { reply(results, all.count, nil) } }
    case .never: break
    case .empty: thread.async { reply(nil, nil, nil) }
    }
  }
}
