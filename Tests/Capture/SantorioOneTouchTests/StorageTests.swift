// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import SantorioOneTouch
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct `Readings that cannot be stored` {
  @Test func `are asked for again when there is space`() async throws {
    let app = try await OneTouchApp(maximumBytes: 200_000)
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    try await app.reader.setPassiveReading(true)
    let others = (0..<5000).map { number in
      HealthRecord(
        logID: "other-\(number)",
        time: RecordTime(start: VirtualKit.now, origin: .device, received: VirtualKit.now),
        source: RecordSource(type: .bluetooth), metrics: [Metric(.bloodGlucose, 100)])
    }
    var filled = 0
    for record in others {
      do throws(SessionError) {
        try await app.session.submit(record)
        filled += 1
      } catch {
        break
      }
    }
    try #require(filled < 5000)

    meter.connects()
    let event = await app.next()
    #expect(event?.failure == .submissionFailure)
    #expect(event?.nextTry == .seconds(5))
    _ = await app.clock.sleepBegins { $0 == .seconds(5) }
    try await app.session.end()
    try await app.session.start(OneTouchApp.anna)
    try await app.reader.setPassiveReading(true)

    #expect(await app.read(meter) == [101])
    #expect(app.kit.calls.last == .read("A", anchor: nil))
    #expect(try await app.pending() == [101])
  }

  @Test func `were never read by a reader that is gone`() async throws {
    let app = try await OneTouchApp()
    let meter = app.kit.add("A")
    meter.measure(VirtualResult(1, 101))
    meter.will(.late)
    try await app.reader.setPassiveReading(true)
    let before = app.reader.events
    meter.connects()
    await app.kit.waits(for: .read("A", anchor: nil))

    try await app.relaunch()
    meter.answersLate()

    // Its streams end with it.
    for await event in before { #expect(event.values == nil) }
    #expect(try await app.pending().isEmpty)
  }
}

/// A meter whose anchor cannot be stored.
private final class ForgetfulMeter: OneTouchKitDevice {
  let isPaired = true
  let meterSerialNumber = "F"
  private(set) var anchors: [Double?] = []

  func getGlucoseRecords(
    anchor: Double?, filterType: String?,
    completion: @escaping (ForgetfulMeter, Double?, [VirtualResult]?, (any Error)?) -> Void
  ) {
    anchors.append(anchor)
    // JSON has no such number.
    completion(self, .infinity, [VirtualResult(1, 101)], nil)
  }
}

/// The manager of such a meter; used on the main actor's queue only.
private final class ForgetfulManager: OneTouchKitManager {
  var autoClockSync = false
  let devices = [ForgetfulMeter()]
  func connect(_ device: ForgetfulMeter) {}
  func disconnect(_ device: ForgetfulMeter) {}
}

@Suite(.timeLimit(.minutes(15)))
struct `An anchor that cannot be stored` {
  @Test @MainActor func `is reported, and no reading is stored twice`() async throws {
    let folder = try TemporaryFolder()
    let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
    let session = SantorioSession(
      .init(directory: folder.url.appendingPathComponent("session"), endpoint: nowhere))
    try await session.start(OneTouchApp.anna)
    let manager = ForgetfulManager()
    let reader = OneTouchPassiveReader(session: session, manager: manager)
    let events = reader.events
    try await reader.setPassiveReading(true)
    #expect(manager.autoClockSync)

    for _ in 1...2 {
      reader.onDeviceConnected(device: manager.devices[0])
      for await event in events where event.failure != nil {
        #expect(event.failure == .anchor)
        #expect(event.nextTry == nil)
        break
      }
      reader.onDeviceDisconnected(device: manager.devices[0])
    }

    #expect(manager.devices[0].anchors == [nil, nil])
    #expect(try await session.pendingCount() == 1)
  }
}
