// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioBluetooth
@testable import SantorioUI

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Reading a device on a screen` {
  @Test func `goes from the search to the readings that are checked and sent`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first, Frames.second])
    let model = stage.reading()
    let log = Stage.watch(model)
    #expect(model.state.step == .idle)
    model.start()
    #expect(model.state.step == .searching)
    #expect(model.state.message == Phrase(.searchingDevice))
    #expect(await stage.advance { model.state.step == .review })
    #expect(model.state.readings.map { $0.record.value(.systolic) } == [125, 134])
    #expect(try await stage.session.pendingCount() == 0)
    #expect(try await stage.session.undecidedRecords().count == 2)
    model.confirm()
    #expect(await stage.advance { model.state.step == .sent(2) })
    #expect(try await stage.session.pendingCount() == 2)
    #expect(try await stage.session.heldCount() == 0)
    var steps: [ReadingModel.Step] = []
    for state in await log.all(upTo: model.state) where steps.last != state.step {
      steps.append(state.step)
    }
    #expect(
      steps == [.idle, .searching, .useNow, .reading, .review, .deciding, .sent(2)])
    #expect(model.state.message == Phrase(.readingsSent, .count(2)))
  }

  @Test func `says what to do at each step`() async throws {
    let stage = try await Stage()
    let model = stage.reading()
    #expect(model.state.instructions == Phrase(english: DeviceModel.aAndDUA651BLE.instructions))
    model.start()
    #expect(await stage.advance { model.state.step == .useNow })
    #expect(model.state.instructions == Phrase(english: DeviceModel.usingNow))
    #expect(model.state.message == Phrase(.useDeviceNow))
    model.cancel()
    #expect(await stage.advance { model.state.step == .cancelled(kept: 0) })
    #expect(model.state.instructions == nil)
  }

  @Test func `says that there is nothing new`() async throws {
    let stage = try await Stage()
    // Measurements that have failed.
    stage.virtual.remember(Array(BloodPressureFrames.capturedUA651BLE.prefix(2)))
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .nothingNew)
    #expect(model.state.rejections.count == 2)
    #expect(model.state.message == Phrase(.nothingNew))
  }

  @Test func `names what is no reading`() async throws {
    let stage = try await Stage()
    stage.virtual.remember(BloodPressureFrames.capturedUA651BLE)
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { model.state.step == .review })
    #expect(model.state.rejections == [Phrase(.rejectedMeasurement), Phrase(.rejectedMeasurement)])
    #expect(model.state.rejectionMessage == Phrase(.rejectedCount, .count(2)))
    model.decline()
    #expect(await stage.advance { model.state.step == .declined })
  }

  @Test func `does not start twice`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first])
    let model = stage.reading()
    model.start()
    model.start()
    #expect(await stage.advance { model.state.step == .review })
    model.start()
    #expect(model.state.step == .review)
    model.decline()
    #expect(await stage.advance { model.state.step == .declined })
  }

  @Test func `says that Bluetooth is off, and reads once it is on`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first])
    stage.phone.state = .poweredOff
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .failed(Problem(.errorOff, .tryAgain), kept: 0))
    stage.phone.state = .poweredOn
    model.start()
    #expect(await stage.advance { model.state.step == .review })
    model.decline()
    #expect(await stage.advance { model.state.step == .declined })
  }

  @Test func `says that no device was found`() async throws {
    let stage = try await Stage()
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .failed(Problem(.errorNotFound, .tryAgain), kept: 0))
    #expect(model.state.keptMessage == nil)
  }

  @Test func `says that nobody is signed in`() async throws {
    let stage = try await Stage(withUser: false)
    stage.virtual.remember([Frames.first])
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .failed(Problem(.noSession, .signIn), kept: 0))
  }

  @Test func `offers to pair a device that has forgotten the phone`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first])
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { model.state.step == .review })
    model.confirm()
    #expect(await stage.advance { model.state.step == .sent(1) })
    stage.device.forgetBonds()
    stage.virtual.remember([Frames.second])
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .failed(Problem(.errorBondDevice, .pair), kept: 0))
  }

  @Test func `keeps what was read before it was cancelled`() async throws {
    let stage = try await Stage(.glucoseMeter)
    let model = stage.reading(of: .genericGlucose)
    model.start()
    #expect(await stage.advance { !model.state.readings.isEmpty })
    model.cancel()
    #expect(await stage.advance { model.state.step == .review })
    let count = model.state.readings.count
    #expect(count > 0)
    model.confirm()
    #expect(await stage.advance { model.state.step == .sent(count) })
    let pending = try await stage.session.pendingRecords()
    #expect(pending.filter(\.kind.isReading).count == count)
  }

  @Test func `keeps what cannot be sent now`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first, Frames.second])
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { model.state.step == .review })
    let ids = model.state.readings.map(\.id)
    _ = try await stage.session.end()
    model.confirm([ids[0]])
    #expect(
      await stage.advance {
        model.state.step == .failed(Problem(.noSession, .signIn), kept: 2)
      })
    let archived = try await stage.session.archives().flatMap(\.heldRecords)
    #expect(archived.map(\.logID) == ids)
    #expect(stage.decisions.count == 0)
    try await stage.session.start(Stage.user)
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step != .declined)
  }

  @Test func `are kept with the sign-in under which they were read`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first])
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { model.state.step == .review })
    let ids = model.state.readings.map(\.id)
    _ = try await stage.session.end()
    try await stage.session.start(
      SantorioUser(userID: "other", organizationID: "o", accessToken: "token"))
    model.confirm()
    #expect(
      await stage.advance { model.state.step == .failed(Problem(.errorSignedOut), kept: 1) })
    #expect(try await stage.session.archives().flatMap(\.heldRecords).map(\.logID) == ids)
    #expect(try await stage.session.pendingCount() == 0)
  }

  @Test func `connects before the device is used where the device wants that`() async throws {
    let stage = try await Stage(.spotCheckOximeter)
    let model = stage.reading(of: .genericPulseOximeter)
    let log = Stage.watch(model)
    model.start()
    stage.virtual.measure()
    #expect(await stage.advance { model.state.step == .review })
    var steps: [ReadingModel.Step] = []
    for state in await log.all(upTo: model.state) where steps.last != state.step {
      steps.append(state.step)
    }
    #expect(steps == [.idle, .searching, .connecting, .useNow, .reading, .review])
    model.decline()
    #expect(await stage.advance { model.state.step == .declined })
  }

  @Test func `waits for another reading of the same device`() async throws {
    let stage = try await Stage()
    // A device that is known is connected without a scan.
    let pairing = PairingModel(.aAndDUA651BLE, stage.context)
    stage.virtual.enterPairingMode()
    pairing.start(takingMemory: true)
    #expect(await stage.advance { !pairing.state.isBusy && stage.phone.connectedPeers.isEmpty })
    let (first, second) = (stage.reading(), stage.reading())
    stage.virtual.remember([Frames.first])
    first.start()
    #expect(await stage.advance { !first.state.readings.isEmpty })
    second.start()
    // On a clock that stands still.
    while !second.state.step.isWaiting { await Task.yield() }
    #expect(second.state.message == Phrase(.waitingForOther))
    #expect(second.state.isBusy)
    first.cancel()
    stage.virtual.remember([Frames.second])
    #expect(await stage.advance { first.state.step == .review && second.state.step == .review })
    #expect(second.state.readings.last?.record.value(.systolic) == 134)
    first.decline()
    second.decline()
    #expect(
      await stage.advance { first.state.step == .declined && second.state.step == .declined })
  }

  @Test func `says that the device's clock was wrong`() async throws {
    let stage = try await Stage(clockOffsetSeconds: -86_400 * 365 * 7)
    stage.virtual.remember([Frames.first])
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { model.state.step == .review })
    #expect(model.state.readings.map(\.timeOrigin) == [Phrase(.timeCorrected)])
    model.decline()
    #expect(await stage.advance { model.state.step == .declined })
  }

  @Test func `asks about what arrived before the connection broke, then says so`() async throws {
    let stage = try await Stage(.glucoseMeter)
    let model = stage.reading(of: .genericGlucose)
    model.start()
    #expect(await stage.advance { !model.state.readings.isEmpty })
    stage.phone.state = .poweredOff
    #expect(await stage.advance { model.state.step == .review })
    let count = model.state.readings.count
    #expect(count > 0)
    model.confirm()
    #expect(
      await stage.advance {
        model.state.step == .failed(Problem(.errorOff, .tryAgain), kept: count)
      })
    #expect(model.state.keptMessage == Phrase(.readingsKept, .count(count)))
    let pending = try await stage.session.pendingRecords()
    #expect(pending.filter(\.kind.isReading).count == count)
  }

  @Test func `lets the readings of several users wait`() async throws {
    let stage = try await Stage(.bm54(memory: BloodPressureFrames.composedBM54))
    let model = stage.reading(of: .genericBloodPressure)
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.undecidedCount > 0)
    #expect(model.state.undecidedMessage == Phrase(.undecidedUsers))
    let review = stage.review()
    await review.load()
    #expect(review.state.waiting.count == model.state.undecidedCount + model.state.readings.count)
    #expect(try await stage.session.pendingCount() == 0)
  }

  @Test func `sends what was chosen and declines the rest`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first, Frames.second])
    let model = stage.reading()
    model.start()
    #expect(await stage.advance { model.state.step == .review })
    let ids = model.state.readings.map(\.id)
    model.confirm([ids[0]])
    #expect(await stage.advance { model.state.step == .sent(1) })
    #expect(try await stage.session.pendingRecords().map(\.logID) == [ids[0]])
    let review = stage.review()
    await review.load()
    #expect(review.state.waiting.isEmpty)
    #expect(review.state.declined.map(\.id) == [ids[1]])
  }

  @Test func `ends the search when the screen is left, and when it is gone`() async throws {
    let stage = try await Stage()
    let model = stage.reading()
    model.start()
    #expect(await stage.advance(1) { stage.phone.scansStarted > 0 })
    model.leave()
    #expect(await stage.advance { model.state.step == .cancelled(kept: 0) })
    var other: ReadingModel? = stage.reading()
    other?.start()
    #expect(await stage.advance { other?.state.step == .useNow })
    other = nil
    stage.virtual.remember([Frames.first])
    #expect(await !stage.advance(5) { !stage.phone.connectedPeers.isEmpty })
    #expect(try await stage.session.heldCount() == 0)
  }
}

extension ReadingModel.Step {
  fileprivate var isWaiting: Bool {
    if case .waiting = self { true } else { false }
  }
}

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Readings that wait for a person` {
  @Test func `are there after the screen was left, and after a relaunch`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first, Frames.second])
    var model: ReadingModel? = stage.reading()
    model?.start()
    #expect(await stage.advance { model?.state.step == .review })
    let ids = model?.state.readings.map(\.id)
    model?.leave()
    model = nil
    #expect(stage.decisions.count == 1)
    let before = stage.review()
    await before.load()
    #expect(before.state.waiting.map(\.id) == ids)

    try stage.relaunch()
    let review = stage.review()
    await review.load()
    #expect(review.state.problem == nil)
    #expect(review.state.waiting.map(\.id) == ids)
    #expect(review.state.declined.isEmpty)
    await review.confirm()
    #expect(review.state.isEmpty)
    #expect(try await stage.session.pendingRecords().map(\.logID) == ids)
    // The operation that has waited has ended.
    #expect(stage.decisions.count == 0)
  }

  @Test func `do not keep the device from being read again`() async throws {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first])
    let first = stage.reading()
    first.start()
    #expect(await stage.advance { first.state.step == .review })
    stage.virtual.remember([Frames.second])
    let second = stage.reading()
    second.start()
    #expect(await stage.advance { second.state.step == .review })
    second.confirm()
    #expect(await stage.advance { second.state.step == .sent(1) })
    first.confirm()
    #expect(await stage.advance { first.state.step == .sent(1) })
    #expect(try await stage.session.pendingCount() == 2)
  }

  @Test func `are said to be sent when that was decided elsewhere`() async throws {
    let stage = try await Stage()
    for isSent in [true, false] {
      stage.virtual.remember([isSent ? Frames.first : Frames.second])
      let model = stage.reading()
      model.start()
      #expect(await stage.advance { model.state.step == .review })
      let review = stage.review()
      await review.load()
      if isSent { await review.confirm() } else { await review.decline() }
      #expect(await stage.advance { model.state.step == (isSent ? .sent(1) : .declined) })
    }
  }

  @Test func `are deleted without what nobody has decided on`() async throws {
    let stage = try await Stage()
    var (reading, other) = (
      HealthRecord.sample("a", [Metric(.systolic, 120)]), HealthRecord.sample("b", [])
    )
    reading.source.device = SourceDevice(id: "monitor")
    other.source.device = reading.source.device
    other.kind = .rejected
    try await stage.session.hold([reading, other])
    try await stage.session.declineHeld([reading])
    let review = stage.review()
    await review.load()
    review.askToDelete(["a"])
    await review.confirmDeletion()
    #expect(try await stage.session.heldRecords().map(\.logID) == ["b"])
  }

  @Test func `are declined, and sent after all`() async throws {
    let stage = try await Stage()
    let record = HealthRecord.sample("a", [Metric(.systolic, 120)])
    try await stage.session.hold([record])
    let review = stage.review()
    await review.load()
    #expect(review.state.waiting.map(\.id) == ["a"])
    await review.decline(["a"])
    #expect(review.state.waiting.isEmpty)
    #expect(review.state.declined.map(\.id) == ["a"])
    #expect(try await stage.session.pendingCount() == 0)
    await review.sendDeclined(["a"])
    #expect(review.state.isEmpty)
    #expect(try await stage.session.pendingRecords().map(\.logID) == ["a"])
  }

  @Test func `are deleted only when that was confirmed`() async throws {
    let stage = try await Stage()
    try await stage.session.hold([.sample("a", [Metric(.systolic, 120)])])
    let review = stage.review()
    await review.load()
    await review.decline()
    review.askToDelete(["a", "of another"])
    #expect(review.state.toDelete == ["a"])
    review.keepDeclined()
    await review.confirmDeletion()
    #expect(try await stage.session.heldCount() == 1)
    review.askToDelete(["a"])
    await review.confirmDeletion()
    #expect(try await stage.session.heldCount() == 0)
    #expect(review.state.isEmpty)
  }

  @Test func `are not said to be none when the files cannot be opened`() async throws {
    let stage = try await Stage()
    let other = try stage.sessionWithoutFolder()
    let review = ReviewModel(CaptureContext(session: other))
    await review.load()
    #expect(review.state.problem == Problem(.storageFailed))
    #expect(!review.state.isLoaded && !review.state.isEmpty)
    let queue = QueueModel(other)
    await queue.load()
    #expect(queue.state.problem == Problem(.storageFailed))
  }

  @Test func `stay where they are when nobody is signed in`() async throws {
    let stage = try await Stage()
    try await stage.session.hold([.sample("a", [Metric(.systolic, 120)])])
    let review = stage.review()
    await review.load()
    _ = try await stage.session.end()
    await review.confirm()
    #expect(review.state.problem == Problem(.noSession, .signIn))
    #expect(try await stage.session.archives().flatMap(\.heldRecords).map(\.logID) == ["a"])
  }
}
