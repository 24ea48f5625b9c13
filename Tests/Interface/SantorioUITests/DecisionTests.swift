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

extension Stage {
  nonisolated static let another = SantorioUser(
    userID: "another", organizationID: "o", accessToken: "token")

  /// A model with two readings that are to be checked.
  fileprivate func inReview() async -> ReadingModel {
    virtual.remember([Frames.first, Frames.second])
    let model = reading()
    model.start()
    #expect(await advance { model.state.step == .review })
    #expect(model.state.readings.count == 2)
    return model
  }
}

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Readings that are decided on two screens` {
  @Test func `stay deleted when the others are sent`() async throws {
    let stage = try await Stage()
    let model = await stage.inReview()
    let ids = model.state.readings.map(\.id)
    let review = stage.review()
    await review.load()
    await review.decline([ids[0]])
    #expect(model.state.readings.map(\.id) == [ids[1]])
    review.askToDelete([ids[0]])
    await review.confirmDeletion()
    model.confirm()
    #expect(await stage.advance { model.state.step == .sent(1) })
    #expect(try await stage.session.pendingRecords().map(\.logID) == [ids[1]])
    #expect(try await stage.session.heldCount() == 0)
  }

  @Test func `stay declined when the others are sent`() async throws {
    let stage = try await Stage()
    let model = await stage.inReview()
    let ids = model.state.readings.map(\.id)
    let review = stage.review()
    await review.load()
    await review.decline([ids[1]])
    model.confirm()
    #expect(await stage.advance { model.state.step == .sent(1) })
    #expect(try await stage.session.pendingRecords().map(\.logID) == [ids[0]])
    #expect(try await stage.session.heldRecords().map(\.logID) == [ids[1]])
  }

  @Test(arguments: [true, false])
  func `are counted that were sent on the other screen`(_ isRestSent: Bool) async throws {
    let stage = try await Stage()
    let model = await stage.inReview()
    let ids = model.state.readings.map(\.id)
    let review = stage.review()
    await review.load()
    await review.confirm([ids[0]])
    if isRestSent { model.confirm() } else { model.decline() }
    let count = isRestSent ? 2 : 1
    #expect(await stage.advance { model.state.step == .sent(count) })
    #expect(try await stage.session.pendingRecords().map(\.logID) == Array(ids.prefix(count)))
  }

  // The device has not heard that it may forget the reading, and sends it again.
  @Test(arguments: [true, false])
  func `are decided on both where they were read twice`(_ isSent: Bool) async throws {
    let stage = try await Stage()
    let first = await stage.inReview()
    let second = await stage.inReview()
    #expect(first.state.readings.map(\.id) == second.state.readings.map(\.id))
    if isSent { second.confirm() } else { second.decline() }
    let step = isSent ? ReadingModel.Step.sent(2) : .declined
    #expect(await stage.advance { second.state.step == step })
    #expect(await stage.advance(1) { first.state.step == step })
    #expect(first.state.readings.isEmpty && stage.decisions.count == 0)
    #expect(try await stage.session.pendingCount() == (isSent ? 2 : 0))
  }

  @Test func `are sent when they are declined too late`() async throws {
    let stage = try await Stage()
    let model = await stage.inReview()
    let ids = model.state.readings.map(\.id)
    let review = stage.review()
    await review.load()
    let sending = Task { await review.confirm([ids[0]]) }
    let declining = Task { await review.decline([ids[0]]) }
    await sending.value
    await declining.value
    model.decline()
    #expect(await stage.advance { model.state.step == .sent(1) })
    #expect(try await stage.session.pendingRecords().map(\.logID) == [ids[0]])
  }

  @Test func `cannot be sent any more when all were declined on the other`() async throws {
    let stage = try await Stage()
    let model = await stage.inReview()
    let records = model.state.readings.map(\.record)
    try await stage.session.declineHeld(records)
    stage.decisions.settle(Set(records.map(\.logID)), areSent: false)
    model.confirm()
    #expect(await stage.advance { model.state.step == .declined })
    #expect(try await stage.session.pendingCount() == 0)
    #expect(stage.decisions.count == 0)
  }
}

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Readings of the person before` {
  @Test func `are not shown on when another person signs in`() async throws {
    let stage = try await Stage()
    let model = await stage.inReview()
    try await stage.session.start(Stage.another)
    #expect(
      await stage.advance { model.state.step == .failed(Problem(.errorSignedOut), kept: 2) })
    #expect(model.state.readings.isEmpty && stage.decisions.count == 0)
    #expect(try await stage.session.archives().flatMap(\.heldRecords).count == 2)
    #expect(try await stage.session.heldCount() == 0)
    #expect(try await stage.session.pendingCount() == 0)
  }

  @Test func `are not shown on when they had been decided on`() async throws {
    let stage = try await Stage()
    let model = await stage.inReview()
    model.confirm()
    #expect(await stage.advance { model.state.step == .sent(2) })
    try await stage.session.start(Stage.another)
    #expect(await stage.advance { model.state.step == .idle })
    #expect(model.state.readings.isEmpty)
  }

  @Test func `are shown on when the same person signs in again`() async throws {
    let stage = try await Stage()
    let model = await stage.inReview()
    try await stage.session.start(Stage.user)
    _ = await stage.advance(1) { false }
    #expect(model.state.step == .review && model.state.readings.count == 2)
    model.confirm()
    #expect(await stage.advance { model.state.step == .sent(2) })
  }

  @Test func `are not shown while a device is being read`() async throws {
    let stage = try await Stage(.glucoseMeter)
    let model = stage.reading(of: .genericGlucose)
    model.start()
    #expect(await stage.advance { !model.state.readings.isEmpty })
    try await stage.session.start(Stage.another)
    #expect(await stage.advance { !model.state.isBusy && model.state.step != .deciding })
    #expect(model.state.readings.isEmpty)
    #expect(model.state.message != Phrase(.reviewTitle))
    #expect(try await stage.session.heldCount() == 0)
    #expect(try await stage.session.pendingCount() == 0)
  }

  @Test(arguments: 0..<6)
  func `are not shown by a look that another sign-in has overtaken`(_ yields: Int) async throws {
    let stage = try await Stage()
    try await stage.session.hold([.sample("a", [Metric(.systolic, 120)])])
    let review = stage.review()
    let loading = Task { await review.load() }
    for _ in 0..<yields { await Task.yield() }
    try stage.session.startAndWait(Stage.another)
    await loading.value
    // Also not later.
    _ = await stage.advance(1) { false }
    #expect(review.state.isEmpty)
  }
}
