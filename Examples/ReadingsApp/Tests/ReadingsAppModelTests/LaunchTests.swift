// SPDX-License-Identifier: Apache-2.0

import BackgroundTasks
import CoreBluetoothSimulation
import Foundation
import HealthKitSimulation
import ReadingsAppModel
import Santorio
import SantorioHealthKit
import SantorioUI
import Testing

@Suite(.timeLimit(.minutes(15))) @MainActor struct `A launch of the app` {
  @Test func `takes nobody for signed out while the files cannot be read`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    #expect(await phone.pair())
    await PassiveModel(try #require(phone.app.services?.passive)).turn(on: true)
    let signedIn = phone.app.state.phase
    let files = FileManager.default
    let hidden = phone.folder.appendingPathComponent("hidden")
    var session: URL?
    try await phone.relaunch { folder in
      let found = try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      let place = try #require(found.first { $0.lastPathComponent.hasPrefix("http") })
      try files.moveItem(at: place, to: hidden)
      try Data().write(to: place)
      session = place
    }
    guard case .blocked = phone.app.state.phase else { throw Failure() }
    let place = try #require(session)
    try files.removeItem(at: place)
    try files.moveItem(at: hidden, to: place)
    await phone.app.wasUnlocked()
    #expect(phone.app.state.phase == signedIn)
    // At once: no time passes for an app that is suspended.
    #expect(phone.app.services?.passive.peripheralIDs == [phone.monitor.id])
  }

  @Test func `asks a person to sign in again whose token is lost, and keeps what waits`()
    async throws
  {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    let session = try #require(phone.app.services?.session)
    await session.suspend()
    try await session.submit(.sample("a"))
    let token = phone.server.user.accessToken
    try await phone.relaunch { folder in
      let files = try #require(
        FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for case let file as URL in files where (try? AppFiles.text(file)) == token {
        try FileManager.default.removeItem(at: file)
      }
    }
    #expect(phone.app.state.phase == .signedOut(nil))
    try await phone.signIn()
    let server = phone.server
    await phone.wait { (try? await server.metrics().count) == 1 }
  }

  @Test func `sends what waits in a background task`() async throws {
    let phone = try await TestPhone()
    phone.health.permittedTasks = Set(AppIdentifiers.backgroundTasks)
    await phone.launch()
    try await phone.signIn()
    let session = try #require(phone.app.services?.session)
    await session.suspend()
    try await session.submit(.sample("a"))
    phone.app.enteredBackground()
    phone.health.sendAppToBackground()
    phone.health.advance(by: 60)
    await phone.health.appHasAnswered()
    #expect(
      phone.health.endedTasks == [.init(identifier: AppIdentifiers.drain, success: true)])
    #expect(try await phone.server.metrics().count == 1)
  }

  @Test func `does not end a background task well while nobody answers`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signInNowhere()
    try await phone.app.services?.session.submit(.sample("a"))
    phone.app.enteredBackground()
    phone.health.sendAppToBackground()
    phone.health.advance(by: 60)
    await phone.health.appHasAnswered()
    #expect(
      phone.health.endedTasks == [.init(identifier: AppIdentifiers.drain, success: false)])
  }

  @Test func `asks for another background task while something waits`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    let session = try #require(phone.app.services?.session)
    phone.server.stop()
    try await session.submit(.sample("a"))
    phone.app.enteredBackground()
    phone.health.sendAppToBackground()
    for _ in 0..<3 {
      phone.health.advance(by: 3600)
      await phone.health.appHasAnswered()
    }
    let ended = SimulatedPhone.EndedTask(identifier: AppIdentifiers.drain, success: false)
    #expect(phone.health.endedTasks == [ended, ended, ended])
  }

  @Test func `leaves uploads of others alone`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    await phone.app.handleUploads(of: "somebody else's")
  }

  @Test func `asks for notices when the app does`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    #expect(phone.notices.askedCount == 0)
    await phone.app.askForNotices()
    #expect(phone.notices.askedCount == 1)
    // A notice of somebody who has signed out.
    phone.app.show(.queue)
    #expect(phone.app.state.tab == .devices)
    try await phone.signIn()
    phone.app.show(.queue)
    #expect(phone.app.state.tab == .queue)
  }
}
