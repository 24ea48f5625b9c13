// SPDX-License-Identifier: Apache-2.0

import BackgroundTasks
import Foundation
import HealthKitSimulation
import TestSupport
import Testing

/// What an app's tasks do on a simulated phone.
@Suite struct `Background tasks` {
  let folder: TemporaryFolder
  let phone: SimulatedPhone
  let scheduler: BGTaskScheduler

  init() throws {
    folder = try TemporaryFolder()
    phone = SimulatedPhone(store: folder.url.appendingPathComponent("health.sqlite"))
    scheduler = phone.makeTaskScheduler()
  }

  private func code(_ request: BGTaskRequest) -> BGTaskScheduler.Error.Code? {
    do {
      try scheduler.submit(request)
      return nil
    } catch {
      return (error as? BGTaskScheduler.Error)?.code
    }
  }

  private func register(_ name: String, _ body: @escaping @Sendable (BGTask) -> Void) -> Bool {
    scheduler.register(forTaskWithIdentifier: name, using: nil, launchHandler: body)
  }

  @Test func `begins not before its time, in the background, and once for each request`()
    async throws
  {
    #expect(register("refresh") { $0.setTaskCompleted(success: $0 is BGAppRefreshTask) })
    let request = BGAppRefreshTaskRequest(identifier: "refresh")
    request.earliestBeginDate = phone.now + 100
    try scheduler.submit(request)
    phone.sendAppToBackground()
    phone.advance(by: 99)
    #expect(await scheduler.pendingTaskRequests().map(\.identifier) == ["refresh"])
    phone.openApp()
    phone.advance(by: 2)
    #expect(await scheduler.pendingTaskRequests().count == 1)
    phone.sendAppToBackground()
    phone.advance(by: 1)
    await phone.appHasAnswered()
    phone.advance(by: 1_000)
    await phone.appHasAnswered()
    #expect(phone.endedTasks == [.init(identifier: "refresh", success: true)])
    #expect(await scheduler.pendingTaskRequests().isEmpty)
  }

  @Test func `a long task waits for power and network`() async throws {
    #expect(register("long") { $0.setTaskCompleted(success: $0 is BGProcessingTask) })
    let request = BGProcessingTaskRequest(identifier: "long")
    request.requiresExternalPower = true
    request.requiresNetworkConnectivity = true
    try scheduler.submit(request)
    phone.sendAppToBackground()
    phone.isCharging = false
    phone.advance(by: 1)
    phone.isCharging = true
    phone.hasNetwork = false
    phone.advance(by: 1)
    #expect(await scheduler.pendingTaskRequests().count == 1)
    phone.hasNetwork = true
    phone.advance(by: 1)
    await phone.appHasAnswered()
    #expect(phone.endedTasks == [.init(identifier: "long", success: true)])
  }

  @Test func `launches an app that is terminated, whose requests have stayed`() async throws {
    try scheduler.submit(BGProcessingTaskRequest(identifier: "long"))
    phone.terminateApp()
    phone.advance(by: 1)
    #expect(await scheduler.pendingTaskRequests().count == 1, "Nothing can launch the app.")
    let scheduler = scheduler
    phone.launchApp {
      _ = scheduler.register(forTaskWithIdentifier: "long", using: nil) {
        $0.setTaskCompleted(success: true)
      }
    }
    phone.advance(by: 1)
    await phone.appHasAnswered()
    #expect(phone.endedTasks == [.init(identifier: "long", success: true)])
  }

  @Test func `a task without a handler, and one without an expiration handler, end`() async throws {
    let (calls, continuation) = AsyncStream<Void>.makeStream()
    #expect(register("silent") { _ in continuation.yield() })
    try scheduler.submit(BGProcessingTaskRequest(identifier: "unknown"))
    try scheduler.submit(BGProcessingTaskRequest(identifier: "silent"))
    phone.sendAppToBackground()
    phone.advance(by: 1)
    for await _ in calls { break }
    phone.advance(by: 300)
    await phone.appHasAnswered()
    #expect(
      Set(phone.endedTasks) == [
        .init(identifier: "unknown", success: nil), .init(identifier: "silent", success: false),
      ])
  }

  @Test func `is told that its time is over, and ends the app if it does not stop`() async throws {
    let (calls, continuation) = AsyncStream<String>.makeStream()
    #expect(
      register("long") { task in
        task.expirationHandler = { continuation.yield("expired") }
        continuation.yield("begun")
      })
    try scheduler.submit(BGProcessingTaskRequest(identifier: "long"))
    phone.sendAppToBackground()
    phone.advance(by: 1)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == "begun")
    phone.advance(by: 300)
    #expect(await iterator.next() == "expired")
    #expect(phone.appState == .background)
    phone.advance(by: 5)
    #expect(phone.appState == .terminated)
    #expect(phone.endedTasks == [.init(identifier: "long", success: nil)])
  }

  @Test func `says why a request is refused`() {
    phone.permittedTasks = ["refresh", "long"]
    #expect(!register("other") { _ in })
    #expect(code(BGAppRefreshTaskRequest(identifier: "other")) == .notPermitted)
    phone.allowsBackgroundTasks = false
    #expect(code(BGAppRefreshTaskRequest(identifier: "refresh")) == .unavailable)
    phone.allowsBackgroundTasks = true
    phone.permittedTasks = nil
    #expect(code(BGAppRefreshTaskRequest(identifier: "refresh")) == nil)
    #expect(code(BGAppRefreshTaskRequest(identifier: "refresh")) == nil, "It replaces the first.")
    #expect(code(BGAppRefreshTaskRequest(identifier: "second")) == .tooManyPendingTaskRequests)
    for number in 0..<10 {
      #expect(code(BGProcessingTaskRequest(identifier: "\(number)")) == nil)
    }
    #expect(code(BGProcessingTaskRequest(identifier: "10")) == .tooManyPendingTaskRequests)
    scheduler.cancel(taskRequestWithIdentifier: "3")
    #expect(code(BGProcessingTaskRequest(identifier: "10")) == nil)
    scheduler.cancelAllTaskRequests()
  }

  @Test func `gives copies, which change nothing`() async throws {
    let request = BGProcessingTaskRequest(identifier: "long")
    request.requiresExternalPower = true
    try scheduler.submit(request)
    request.requiresExternalPower = false
    let pending = await scheduler.pendingTaskRequests()
    let copy = try #require(pending.first as? BGProcessingTaskRequest)
    #expect(copy.requiresExternalPower)
    copy.requiresExternalPower = false
    let again = await scheduler.pendingTaskRequests()
    #expect((again.first as? BGProcessingTaskRequest)?.requiresExternalPower == true)
  }

  @Test func `a program without a phone has no work in the background`() {
    #expect(throws: BGTaskScheduler.Error.self) {
      try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: "refresh"))
    }
  }
}
