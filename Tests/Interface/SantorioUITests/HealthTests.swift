// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import SantorioConcurrency
import SantorioCore
import TestSupport
import Testing

@testable import SantorioHealthKit
@testable import SantorioUI

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Apple Health on a screen` {
  private let folder: TemporaryFolder
  private let phone: SimulatedPhone
  private let session: SantorioSession
  private let manager: HealthKitManager
  private let asked = Locked<[Set<String>]>([])

  /// The types for which the system has asked.
  private var requests: [Set<String>] { asked.withLock { $0 } }

  init() async throws {
    folder = try TemporaryFolder()
    phone = SimulatedPhone(store: folder.url.appendingPathComponent("health.sqlite"))
    let phone = phone
    phone.setTime(Stage.now)
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    session = SantorioSession(
      .init(directory: folder.url.appendingPathComponent("session"), endpoint: endpoint))
    var settings = HealthKitSettings()
    settings.now = { phone.now }
    settings.zone = { .gmt }
    manager = HealthKitManager(
      session: session, store: phone.makeHealthStore(), settings: settings)
    phone.answerPermissionRequests { [asked] request in
      asked.withLock { $0.append(request.toRead) }
      return .init(share: [], read: request.toRead)
    }
    try await session.start(Stage.user)
  }

  @Test func `asks for what was chosen, and reads it`() async throws {
    let model = HealthModel(manager)
    await model.load()
    #expect(model.state.sets.map(\.content) == HealthKitSubscriptionSet.allCases)
    #expect(model.state.sets.filter(\.isOn).isEmpty)
    model.choose(.weight, isOn: true)
    model.choose(.biometrics, isOn: true)
    #expect(requests.isEmpty)
    await model.apply()
    #expect(model.state.step == .saved)
    #expect(model.state.message == Phrase(.healthSaved))
    #expect(requests.count == 1)
    #expect(requests.first?.contains("HKQuantityTypeIdentifierBodyMass") == true)

    let again = HealthModel(manager)
    await again.load()
    #expect(again.state.sets.filter(\.isOn).map(\.content) == [.weight, .biometrics])
    again.choose(.weight, isOn: false)
    again.choose(.biometrics, isOn: false)
    await again.apply()
    #expect(again.state.message == Phrase(.healthNothing))
    #expect(try await manager.subscriptions().isEmpty)
  }

  @Test func `leaves alone what the person has not touched`() async throws {
    let own: Set<HKSampleType> = [HKQuantityType(.bodyMass), HKQuantityType(.heartRate)]
    try await manager.setSubscriptions(own)
    let model = HealthModel(manager)
    await model.load()
    model.choose(.sleep, isOn: true)
    await model.apply()
    let sleep = HealthKitSubscriptionSet.sleep.sampleTypes
    #expect(try await manager.subscriptions() == own.union(sleep))
    model.choose(.sleep, isOn: false)
    await model.apply()
    #expect(try await manager.subscriptions() == own)
  }

  // What was looked up late, or not at all, does not end what is read.
  @Test func `ends nothing that it has not looked up`() async throws {
    try await manager.setSubscriptions([.weight])
    let model = HealthModel(manager)
    model.choose(.sleep, isOn: true)
    await model.apply()
    let wanted: [HealthKitSubscriptionSet] = [.weight, .sleep]
    #expect(model.state.sets.filter(\.isOn).map(\.content) == wanted)
    #expect(try await manager.subscriptions() == Set(wanted.flatMap(\.sampleTypes)))
  }

  @Test func `has nothing of the choices of the person before`() async throws {
    let model = HealthModel(manager)
    await model.load()
    model.choose(.weight, isOn: true)
    await model.apply()
    model.choose(.biometrics, isOn: true)
    try await session.start(Stage.user)
    _ = try await manager.subscriptions()
    #expect(model.state.sets.filter(\.isOn).count == 2)
    try await session.start(Stage.another)
    while model.state.sets.contains(where: \.isOn) { await Task.yield() }
    #expect(model.state.step == .idle)
    model.choose(.sleep, isOn: true)
    await model.apply()
    let sleep = HealthKitSubscriptionSet.sleep.sampleTypes
    #expect(try await manager.subscriptions() == Set(sleep))
  }

  @Test func `says nothing more of a failure once it has looked anew`() async throws {
    _ = try await session.end()
    let model = HealthModel(manager)
    model.choose(.weight, isOn: true)
    await model.apply()
    #expect(model.state.step == .failed(Problem(.noSession, .signIn)))
    try await session.start(Stage.user)
    await model.load()
    #expect(model.state.step == .idle && model.state.message == nil)
    // What was chosen still is.
    #expect(model.state.sets.filter(\.isOn).map(\.content) == [.weight])
  }

  @Test func `says that nobody is signed in`() async throws {
    _ = try await session.end()
    let model = HealthModel(manager)
    model.choose(.weight, isOn: true)
    await model.apply()
    #expect(model.state.step == .failed(Problem(.noSession, .signIn)))
    #expect(model.state.message == Phrase(.noSession))
    model.choose(.sleep, isOn: true)
    #expect(model.state.step == .idle && model.state.message == nil)
  }

  @Test func `explains each set`() {
    let rows = HealthKitSubscriptionSet.allCases.map { HealthModel.Row($0) }
    #expect(Set(rows.map(\.title)).count == rows.count)
    #expect(Set(rows.map(\.detail)).count == rows.count)
    #expect(Set(rows.map(\.id)).count == rows.count)
  }

  @Test func `says what the app lacks`() async throws {
    let model = HealthModel(manager)
    #expect(model.state.findings == nil)
    await model.check(information: [:])
    let findings = try #require(model.state.findings)
    #expect(findings.contains { Texts(language: "de")($0).hasPrefix("Es fehlt: ") })
    #expect(
      findings.contains { Texts(language: "en")($0).contains("NSHealthShareUsageDescription") })
  }
}
