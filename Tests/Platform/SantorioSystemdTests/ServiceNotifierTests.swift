// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSystemd
import TestSupport
import Testing

@Suite struct `Notification of systemd` {
  private let folder: TemporaryFolder
  private let receiver: DatagramReceiver
  private let notifier: ServiceNotifier

  init() throws {
    folder = try TemporaryFolder()
    receiver = try DatagramReceiver(folder.path("notify"))
    notifier = try #require(
      ServiceNotifier(environment: ["NOTIFY_SOCKET": folder.path("notify")]))
  }

  @Test func `exists only for a service that is to notify`() {
    #expect(ServiceNotifier(environment: [:]) == nil)
    #expect(ServiceNotifier(environment: ["NOTIFY_SOCKET": ""]) == nil)
    #expect(ServiceNotifier(environment: ["NOTIFY_SOCKET": "vsock:2:1"]) == nil)
  }

  @Test func `says several things at once`() {
    #expect(notifier.send(.ready, .status("2 patients\n3 devices")))
    #expect(receiver.text() == "READY=1\nSTATUS=2 patients 3 devices")

    #expect(notifier.send(.stopping))
    #expect(receiver.text() == "STOPPING=1")
    #expect(notifier.send(.watchdog, .extendTimeout(.seconds(2))))
    #expect(receiver.text() == "WATCHDOG=1\nEXTEND_TIMEOUT_USEC=2000000")
  }

  @Test func `says when a reload began`() throws {
    func now() -> Int64 {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
    let before = now()
    #expect(notifier.send(.reloading))

    let match = try #require(
      receiver.text().wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=([0-9]+)/))
    let time = try #require(Int64(match.1))
    #expect((before...now()).contains(time))
  }

  @Test func `reaches a socket outside of the file system`() throws {
    let name = "@santorio-\(UUID().uuidString)"
    let receiver = try DatagramReceiver(name)
    let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": name]))

    #expect(notifier.send(.ready))
    #expect(receiver.text() == "READY=1")
  }

  @Test func `fails without trouble when systemd does not listen`() throws {
    let notifier = try #require(
      ServiceNotifier(environment: ["NOTIFY_SOCKET": folder.path("nowhere")]))

    #expect(!notifier.send(.ready))
  }

  @Test func `knows the interval of its watchdog`() {
    func interval(_ more: [String: String]) -> Duration? {
      ServiceNotifier(environment: ["NOTIFY_SOCKET": "/x"].merging(more) { $1 })?.watchdogInterval
    }

    #expect(interval([:]) == nil)
    #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
    #expect(
      interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "\(getpid())"]) == .seconds(30))
    #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
  }
}

@Suite struct `Lines in systemd's journal` {
  @Test func `have fields, and values of several lines`() throws {
    let folder = try TemporaryFolder()
    let receiver = try DatagramReceiver(folder.path("journal"))
    let journal = JournalLog(identifier: "santorio", socket: folder.path("journal"))

    #expect(
      journal.write(
        "one\ntwo", priority: .warning,
        fields: [("SANTORIO_STATUS", "503"), ("_PID", "1"), ("lower", "x"), ("", "x")]))

    let expected =
      Array("MESSAGE\n".utf8) + [7, 0, 0, 0, 0, 0, 0, 0]
      + Array("one\ntwo\nPRIORITY=4\nSYSLOG_IDENTIFIER=santorio\nSANTORIO_STATUS=503\n".utf8)
    #expect(receiver.receive() == expected)
  }

  @Test func `are lost without trouble when there is no journal`() throws {
    let folder = try TemporaryFolder()
    #expect(
      !JournalLog(identifier: "a", socket: folder.path("none")).write("a", priority: .notice))
    #expect(!JournalLog.isStandardError(environment: [:]))
    #expect(JournalLog.isStandardError(environment: ["JOURNAL_STREAM": "8:1234"]))
  }
}
