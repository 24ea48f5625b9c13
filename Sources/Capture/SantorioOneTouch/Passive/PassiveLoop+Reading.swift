// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore

// One reading: the kit is asked for what follows the position, and the answer is stored with the next.
extension PassiveLoop {
  /// What the kit was asked for.
  private struct Question: Sendable {
    let reading: PassiveMeters.Reading
    let meter: OneTouchMeter
    /// The file in which the position is.
    let generation: [UInt8]
    let position: OneTouchStore.Position
  }

  func begin(_ reading: PassiveMeters.Reading, of device: KitMeter) {
    Task { [weak self] in await self?.ask(reading, device) }
  }

  private func ask(_ reading: PassiveMeters.Reading, _ device: KitMeter) async {
    // An unpaired meter is nobody's, and would begin to pair.
    guard await onQueue({ device.isPaired() }) else {
      return meters.withLock { $0.forget(reading) }
    }
    do throws(SessionError) {
      let owner = try await session.requiredOwner()
      guard owner.number == reading.session else { return end(reading.session) }
      let generation = try await session.storageGeneration()
      let kept = try await store.position(
        of: device.meter.serialNumber,
        for: .user(id: owner.userID, organization: owner.organizationID))
      guard note(device.meter, kept != nil), let kept else {
        return meters.withLock { $0.forget(reading) }
      }
      await ask(
        Question(reading: reading, meter: device.meter, generation: generation, position: kept),
        device)
    } catch {
      await fail(reading, device, error)
    }
  }

  private func ask(_ question: Question, _ device: KitMeter) async {
    let conversion = OneTouchConversion(zone: settings.zone(), now: settings.now)
    let isAsked = await onQueue { [weak self, meters] in
      guard meters.withLock({ $0.isAwaited(question.reading) }), device.isPaired() else {
        return false
      }
      device.read(question.position.anchor, conversion) { [weak self] answer in
        self?.answered(answer, to: question, device)
      }
      return true
    }
    guard isAsked else {
      return meters.withLock { $0.forget(question.reading) }
    }
    // The kit may have answered at once, and the pause then be that of another attempt.
    guard meters.withLock({ $0.isAwaited(question.reading) }) else { return }
    pause("answer \(question.reading.id)", settings.answerTimeout) { [weak self] in
      self?.timeIsUp(question.reading, device)
    }
    if !meters.withLock({ $0.isAwaited(question.reading) }) {
      endPause("answer \(question.reading.id)")
    }
  }

  private func timeIsUp(_ reading: PassiveMeters.Reading, _ device: KitMeter) {
    endPause("answer \(reading.id)")
    guard meters.withLock({ $0.isAwaited(reading) }) else { return }
    let wait = meters.withLock { $0.failed(reading, isAwaited: true) }
    retry(device, .noAnswer, after: wait) { meters in
      if meters.isAwaited(reading) { meters.forget(reading) }
    }
  }

  private func answered(_ answer: KitAnswer, to question: Question, _ device: KitMeter) {
    // The kit may call twice, or when the meter has been asked again.
    guard meters.withLock({ $0.answered(question.reading) }) else { return }
    endPause("answer \(question.reading.id)")
    // It may have come after its time.
    endPause(question.reading.serialNumber)
    storing.add { [self] in await store(answer, of: question, device) }
  }

  private func store(_ answer: KitAnswer, of question: Question, _ device: KitMeter) async {
    let reading = question.reading
    guard meters.withLock({ $0.isCurrent(reading) }) else { return }
    var (seen, keys, new) = (Set(question.position.seen), [String](), [KitResult]())
    for result in answer.results where seen.insert(result.key).inserted {
      new.append(result)
      keys.append(result.key)
    }
    // After an error there may be more than was given.
    let position = question.position.after(
      keys, of: answer.results.count, anchor: answer.error == nil ? answer.anchor : nil)
    let changes =
      position == question.position
      ? []
      : [OneTouchStore.change(position, of: reading.serialNumber, in: question.generation)]
    do throws(SessionError) {
      if !new.isEmpty || !changes.isEmpty {
        try await session.submit(
          new.map(\.record), changing: changes, inSession: reading.session)
      }
    } catch {
      return await fail(reading, device, error)
    }
    report(new, of: question.meter, isComplete: answer.error == nil)
    if let error = answer.error {
      let wait = meters.withLock { $0.failed(reading) }
      // An anchor that cannot be kept is not better at once, but in the next connection.
      retry(device, error, after: error.code == .anchor && wait != .zero ? nil : wait)
    } else if let next = meters.withLock({ $0.succeeded(reading) }) {
      begin(next, of: device)
    }
  }

  private func report(_ results: [KitResult], of meter: OneTouchMeter, isComplete: Bool) {
    var (records, rejections) = ([HealthRecord](), [RejectedOneTouchReading]())
    for result in results {
      switch result {
      case .reading(let record): records.append(record)
      case .rejected(let rejection): rejections.append(rejection)
      }
    }
    SantorioLogging.shared.log(
      .bluetooth, "results of a kit's meter stored",
      [.count("records", records.count), .count("rejected", rejections.count)])
    if !rejections.isEmpty { events.send(.rejected(rejections, meter)) }
    if isComplete || !records.isEmpty { events.send(.read(records, meter)) }
  }

  private func fail(
    _ reading: PassiveMeters.Reading, _ device: KitMeter, _ error: SessionError
  ) async {
    if error.code == .noSession || error.code == .sessionEnded {
      meters.withLock { $0.forget(reading) }
      return end(reading.session)
    }
    let wait = meters.withLock { $0.failed(reading) }
    retry(device, OneTouchError(error), after: wait)
  }

  /// Reports an error, and reads the meter again after a pause.
  ///
  /// - Parameters:
  ///   - device: The meter.
  ///   - error: The error.
  ///   - wait: How long; nil until it is connected again.
  ///   - before: Called before it is read again.
  private func retry(
    _ device: KitMeter, _ error: OneTouchError, after wait: Duration?,
    _ before: @escaping @Sendable (inout PassiveMeters) -> Void = { _ in }
  ) {
    let serialNumber = device.meter.serialNumber
    if let wait {
      pause(serialNumber, wait) { [weak self] in
        let next = self?.meters.withLock { meters in
          before(&meters)
          return meters.next(afterPauseOf: serialNumber)
        }
        if let next = next ?? nil { self?.begin(next, of: device) }
      }
    }
    events.send(.failed(error, device.meter, nextTry: wait))
  }
}
