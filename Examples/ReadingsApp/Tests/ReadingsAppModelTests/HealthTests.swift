// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import ReadingsAppModel
import Santorio
import SantorioHealthKit
import SantorioUI
import Testing

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Apple Health in the app` {
  /// A phone whose person has chosen weights.
  private func subscribed() async throws -> TestPhone {
    let phone = try await TestPhone()
    phone.health.permittedTasks = Set(AppIdentifiers.backgroundTasks)
    await phone.launch()
    try await phone.signIn()
    let model = HealthModel(try #require(phone.app.services?.health))
    model.choose(.weight, isOn: true)
    await model.apply()
    #expect(model.state.step == .saved)
    return phone
  }

  @Test func `is read from then on, also after a launch`() async throws {
    let phone = try await subscribed()
    try await phone.relaunch()
    let type = HKQuantityType(.bodyMass)
    let sample = HKQuantitySample(
      type: type, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 71),
      start: phone.health.now, end: phone.health.now)
    let scale = HKSourceRevision(
      source: HKSource.default(), version: nil, productType: nil,
      operatingSystemVersion: OperatingSystemVersion())
    try phone.health.save([sample], from: scale)
    phone.app.becameActive()
    let server = phone.server
    await phone.wait { (try? await server.metrics().isEmpty) == false }
  }

  @Test func `has all that the package's own check looks for`() async throws {
    let phone = try await subscribed()
    try await phone.relaunch()
    let manager = try #require(phone.app.services?.health)
    let check = HealthKitSelfTest(of: manager, information: try AppFiles.information())
    #expect(await check.run() == [])
    // The check is one: without the app's Info.plist it finds something.
    #expect(await HealthKitSelfTest(of: manager, information: [:]).run().count > 3)
  }

  @Test func `is not read any more when the person signs out`() async throws {
    let phone = try await subscribed()
    guard case .signedIn(let person) = phone.app.state.phase else { throw Failure() }
    await AccountModel(person, phone.app).signOut()
    let manager = try #require(phone.app.services?.health)
    #expect(try await manager.subscriptions().isEmpty)
  }
}
