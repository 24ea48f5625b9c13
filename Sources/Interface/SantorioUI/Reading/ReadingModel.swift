// SPDX-License-Identifier: Apache-2.0

import Foundation
public import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioCore

/// Reads a device: from the search to the readings that a person checks and sends.
///
/// Each reading is on disk before it is shown, held back. So nothing is lost when the screen is left or
/// the app ends: ``ReviewModel`` shows what was not decided.
@MainActor public final class ReadingModel: ViewModel<ReadingModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// The device.
    public let device: DeviceModel
    /// What happens.
    public internal(set) var step = Step.idle
    /// The readings so far, in the order of the device.
    public internal(set) var readings: [ReviewItem] = []
    /// Readings that wait until the person says whether they are the person's.
    public internal(set) var undecidedCount = 0
    /// The number of readings from before the device was paired, which are kept and not sent.
    public internal(set) var olderCount = 0
    /// What the device has sent that is no reading, and why.
    public internal(set) var rejections: [Phrase] = []

    /// The device that encrypts what it sends, when its own key is missing or wrong; nil else.
    public internal(set) var keyRequest: DeviceKeyRequest?

    /// Whether the radio is used.
    public var isBusy: Bool {
      switch step {
      case .searching, .waiting, .connecting, .useNow, .reading: true
      default: false
      }
    }
    /// What a person does now; nil when there is nothing to do.
    public var instructions: Phrase? {
      switch step {
      case .idle, .searching, .waiting: Phrase(english: device.instructions)
      case .useNow, .reading: Phrase(english: device.readingInstructions)
      default: nil
      }
    }
  }

  /// What happens.
  public enum Step: Hashable, Sendable {
    /// Nothing yet.
    case idle
    /// The device is looked for.
    case searching
    /// The device is wanted, and something else has to end first.
    case waiting(Phrase)
    /// The device was found and is being connected.
    case connecting
    /// The device has to be used now.
    case useNow
    /// Readings arrive; see ``State/readings``.
    case reading
    /// The readings are to be checked.
    case review
    /// The decision is being carried out.
    case deciding
    /// So many readings are on their way to the server.
    case sent(Int)
    /// The person does not want the readings to be sent.
    case declined
    /// The device had nothing new.
    case nothingNew
    /// The person has cancelled; so many readings were received before and are kept.
    case cancelled(kept: Int)
    /// It did not work, and what to do; so many readings were received before and are kept.
    case failed(Problem, kept: Int)
  }

  private var context: CaptureContext
  private let decisions: PendingDecisions
  private var operation: DeviceOperation?
  /// Under which number the operation waits for a decision.
  private var pending: Int?
  /// How many readings the person has sent.
  private var sent: Int?
  /// How many of those that wait here were sent where all that waits is shown.
  private var sentElsewhere = 0
  /// The readings that are shown.
  private var shown: Set<String> = []
  /// Whether another person has signed in since it began.
  private var isOfAnother = false
  private var watch: PersonWatch?
  /// The device that was found last.
  private var found: UUID?

  /// A model of the reading of a device; it begins with ``start()``.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - context: For whom it is read.
  public convenience init(_ device: DeviceModel, _ context: CaptureContext) {
    self.init(device, context, .of(context.session))
  }

  init(_ device: DeviceModel, _ context: CaptureContext, _ decisions: PendingDecisions) {
    self.context = context
    self.decisions = decisions
    super.init(State(device: device))
    watch = PersonWatch(context.session) { [weak self] in self?.giveUp() }
  }

  // One that waits for a decision is over on the radio, and hears nothing of it.
  deinit { operation?.cancel() }

  /// Begins to read; does nothing while a reading is under way or is to be checked.
  public func start() {
    switch state.step {
    case .review, .deciding: return
    default: guard !state.isBusy else { return }
    }
    let device = state.device
    show(State(device: device, step: .searching))
    (pending, sent, found, sentElsewhere) = (nil, nil, nil, 0)
    (shown, isOfAnother) = ([], false)
    let asked = Asked()
    let operation = context.central.read(device, for: context.receiver) {
      [weak self, decisions] records, _ in
      await decisions.answer(for: records) {
        asked.number = $0
        self?.review(records, number: $0)
      } changed: {
        self?.decidedElsewhere($0, sentCount: $1)
      }
    }
    self.operation = operation
    Task { [weak self, decisions] in
      for await event in operation.events {
        if case .ended(let outcome) = event {
          decisions.ended(asked.number, isCarriedOut: !outcome.isFailure)
        }
        // Another one may have begun while this one waited for a decision.
        guard let self, self.operation === operation else { return }
        await heard(event)
      }
    }
  }

  /// Asks for the end; what was received before is kept, and can be checked.
  public func cancel() {
    guard state.isBusy else { return }
    operation?.cancel()
  }

  /// The screen is left: the search ends, and what waits for a decision keeps waiting.
  public func leave() { cancel() }

  /// Shows the values in other units.
  ///
  /// - Parameter units: The units.
  public func show(in units: UnitPreferences) {
    context.units = units
    let readings = items(state.readings.map(\.record))
    update { $0.readings = readings }
  }

  // MARK: - The decision

  /// Sends the readings.
  ///
  /// - Parameter ids: Which of them; the others are declined. All when nil.
  public func confirm(_ ids: Set<String>? = nil) {
    guard state.step == .review, let number = pending else { return }
    let all = Set(state.readings.map(\.id))
    let chosen = ids.map(all.intersection) ?? all
    guard !chosen.isEmpty else { return decline() }
    update { $0.step = .deciding }
    sent = chosen.count + sentElsewhere
    decisions.answer(number, sending: chosen)
  }

  /// Keeps the readings from being sent; they are shown as declined by ``ReviewModel``.
  public func decline() {
    guard state.step == .review, let number = pending else { return }
    update { $0.step = .deciding }
    sent = sentElsewhere
    decisions.answer(number, sending: [])
  }

  /// What was decided where all that waits is shown is not asked about here any more.
  private func decidedElsewhere(_ waiting: Set<String>, sentCount: Int) {
    guard state.step == .review else { return }
    sentElsewhere = sentCount
    if waiting.isEmpty { sent = sentCount }
    update { state in
      state.readings.removeAll { !waiting.contains($0.id) }
      if waiting.isEmpty { state.step = .deciding }
    }
  }

  /// Another person has signed in, to whom the readings are not shown: they stay with the sign-in under
  /// which they were read.
  private func giveUp() {
    let device = state.device
    guard operation != nil else { return show(State(device: device)) }
    isOfAnother = true
    let step = state.step
    show(State(device: device, step: step))
    if let pending {
      update { $0.step = .deciding }
      decisions.answer(pending, .open)
    } else {
      operation?.cancel()
    }
  }

  /// A model of the entry of the device's key.
  ///
  /// - Parameter request: Of which device.
  /// - Returns: The model.
  public func key(_ request: DeviceKeyRequest) -> DeviceKeyModel {
    DeviceKeyModel(request, context.receiver)
  }

  // MARK: - Events

  private func review(_ records: [HealthRecord], number: Int) {
    pending = number
    guard !isOfAnother else { return decisions.answer(number, .open) }
    let items = items(records)
    update { ($0.readings, $0.step) = (items, .review) }
  }

  private func items(_ records: [HealthRecord]) -> [ReviewItem] {
    let now = context.now()
    return records.map { ReviewItem($0, in: context.units, now: now) }
  }

  private func heard(_ event: BluetoothEvent) async {
    switch event {
    case .found(_, let identifier):
      found = identifier
      if state.isBusy, state.step != .useNow { update { $0.step = .connecting } }
    case .waiting(_, _, let obstacle):
      if state.isBusy { update { $0.step = .waiting(Phrase(obstacle)) } }
    case .readyToRead: if state.isBusy { update { $0.step = .useNow } }
    case .reading(let record): add(record)
    case .undecided(let record):
      guard !isOfAnother else { return }
      update { state in
        state.readings.removeAll { $0.id == record.logID }
        state.undecidedCount += 1
      }
    case .older:
      guard !isOfAnother else { return }
      update { $0.olderCount += 1 }
    case .rejected(let rejected):
      guard !isOfAnother else { return }
      update { $0.rejections.append(Phrase(rejected.reason)) }
    case .ended(let outcome): await ended(outcome)
    default: break
    }
  }

  private func add(_ record: HealthRecord) {
    // The review may have begun already.
    guard state.isBusy, !isOfAnother else { return }
    let item = items([record])
    let isNew = shown.insert(record.logID).inserted
    extend { state in
      if !isNew { state.readings.removeAll { $0.id == record.logID } }
      state.readings += item
      state.step = .reading
    }
  }

  private func ended(_ outcome: BluetoothOutcome) async {
    let step = await step(after: outcome)
    (operation, pending) = (nil, nil)
    let request = found.flatMap { DeviceKeyRequest(state.device, $0) }
    update { state in
      state.step = step
      guard case .failed(let problem, _) = step, problem.remedy == .enterKey else { return }
      state.keyRequest = request
    }
  }

  private func step(after outcome: BluetoothOutcome) async -> Step {
    let wasAsked = pending != nil
    if isOfAnother {
      let count = await kept(of: outcome.records)
      return count > 0 ? .failed(Problem(.errorSignedOut), kept: count) : .cancelled(kept: 0)
    }
    switch outcome {
    case .nothingNew: return .nothingNew
    case .finished(let records): return await decided(on: records)
    case .cancelled(let records):
      return wasAsked ? await decided(on: records) : .cancelled(kept: records.count)
    case .failed(let error, let records):
      return .failed(await problem(error), kept: await kept(of: records))
    }
  }

  private func problem(_ error: BluetoothError) async -> Problem {
    // Somebody has signed in again while the readings of the session before waited.
    guard error.code == .noUser, pending != nil,
      (try? await context.session.storedUser()) != nil
    else { return Problem(error, of: state.device) }
    return Problem(.errorSignedOut)
  }

  /// What the person has decided, here or where all that waits is shown.
  private func decided(on records: [HealthRecord]) async -> Step {
    var sent = sent
    if sent == nil {
      let declined = try? await context.session.declined(among: records.map(\.logID))
      sent = declined.map { records.count - $0.count }
    }
    guard let sent, sent > 0 else { return .declined }
    return .sent(sent)
  }

  /// How many of the readings are on disk, also in the archive of a session that has ended meanwhile.
  private func kept(of records: [HealthRecord]) async -> Int {
    guard !records.isEmpty, let held = try? await context.session.heldRecords(),
      let waiting = try? await context.session.pendingRecords(),
      let archives = try? await context.session.archives()
    else { return 0 }
    let archived = archives.flatMap { $0.heldRecords + $0.unsentRecords }
    let stored = Set((held + waiting + archived).map(\.logID))
    return records.filter { stored.contains($0.logID) }.count
  }
}

/// Under which number an operation waits for a decision.
@MainActor private final class Asked {
  var number: Int?
}

extension BluetoothOutcome {
  fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }

  fileprivate var records: [HealthRecord] {
    switch self {
    case .nothingNew: []
    case .finished(let records), .cancelled(let records), .failed(_, let records): records
    }
  }
}

extension ReadingModel.State {
  /// What is said about the step; nil before the beginning.
  public var message: Phrase? {
    switch step {
    case .idle, .deciding: nil
    case .searching: Phrase(.searchingDevice)
    case .waiting(let reason): reason
    case .connecting: Phrase(.deviceFound)
    case .useNow: Phrase(.useDeviceNow)
    case .reading: Phrase(.readingsSoFar, .count(readings.count))
    case .review: Phrase(.reviewTitle)
    case .sent(let count): Phrase(.readingsSent, .count(count))
    case .declined: Phrase(.readingsDeclined)
    case .nothingNew: undecidedCount + olderCount > 0 ? nil : Phrase(.nothingNew)
    case .cancelled: Phrase(.readingCancelled)
    case .failed(let problem, _): problem.text
    }
  }

  /// How many readings were received before it ended early; nil when there is nothing to say.
  public var keptMessage: Phrase? {
    switch step {
    case .cancelled(let kept) where kept > 0, .failed(_, let kept) where kept > 0:
      Phrase(.readingsKept, .count(kept))
    default: nil
    }
  }

  /// Said when readings wait until the person says whose they are; nil when there are none.
  public var undecidedMessage: Phrase? {
    undecidedCount > 0 ? Phrase(.undecidedUsers) : nil
  }

  /// Said when the device has sent readings from before it was paired; nil when there are none.
  public var olderMessage: Phrase? {
    olderCount > 0 ? Phrase(.olderReadings, .count(olderCount)) : nil
  }

  /// What the device has sent that is no reading; nil when there was nothing.
  public var rejectionMessage: Phrase? {
    rejections.isEmpty ? nil : Phrase(.rejectedCount, .count(rejections.count))
  }
}
