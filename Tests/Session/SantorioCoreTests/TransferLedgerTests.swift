// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SantorioCore

@Suite final class `Transfer ledger` {
  private var ledger = TransferLedger<String>(limit: 10)
  private let ok = TransportResponse(200)

  private enum Admitted: Equatable {
    case answered(String)
    case failed(TransportError.Code)
    case waits, unknown
  }

  private func want(_ id: String, number: Int) -> Admitted {
    switch ledger.wants(id, "waiter \(number)", number: number) {
    case .answered(.success(let response)):
      .answered(String(decoding: response.body, as: UTF8.self))
    case .answered(.failure(let error)): .failed(error.code)
    case .waits: .waits
    case .unknown: .unknown
    }
  }

  private func receive(_ text: String, of id: String) -> Bool {
    ledger.received(Array(text.utf8), of: id)
  }

  private func complete(
    _ id: String, _ head: TransferLedger<String>.Answer
  ) throws -> (waiters: [String], answer: TransferLedger<String>.Answer) {
    let completion = ledger.completed(id, with: head)
    return try #require(completion)
  }

  @Test func `hands the whole answer to those who wait, and forgets it`() throws {
    ledger.found("a")
    #expect(want("a", number: 1) == .waits)
    #expect(want("a", number: 2) == .waits)
    #expect(receive("one ", of: "a") && receive("two", of: "a"))

    let (waiters, answer) = try complete("a", .success(ok))

    #expect(waiters.sorted() == ["waiter 1", "waiter 2"])
    #expect(try answer.get().body == Array("one two".utf8))
    #expect(ledger.known == [:])
    #expect(want("a", number: 3) == .unknown)
  }

  @Test func `keeps an answer that nobody waits for, whatever it is`() throws {
    ledger.found("a")
    ledger.found("b")
    #expect(receive("x", of: "a"))
    _ = try complete("a", .success(ok))
    _ = try complete("b", .failure(TransportError(.unreachable, "")))

    #expect(ledger.known == ["a": true, "b": true])
    #expect(want("a", number: 1) == .answered("x"))
    #expect(want("b", number: 2) == .failed(.unreachable))
    #expect(ledger.known == [:])
  }

  @Test func `knows what an earlier launch has started once the system reports on it`() {
    #expect(want("a", number: 1) == .unknown)
    ledger.found("a")
    #expect(ledger.known == ["a": false])
    #expect(want("a", number: 1) == .waits)
    // Found once more, it is what it was.
    ledger.found("a")
    #expect(receive("x", of: "a"))
    #expect(ledger.gaveUp(1) == "waiter 1")
  }

  @Test func `goes on without one who gives up`() throws {
    ledger.found("a")
    #expect(want("a", number: 1) == .waits)

    #expect(ledger.gaveUp(1) == "waiter 1")
    #expect(ledger.gaveUp(1) == nil)
    #expect(try complete("a", .success(ok)).waiters == [])
    #expect(want("a", number: 2) == .answered(""))
  }

  @Test func `accepts an answer of the largest size, and not a byte more`() throws {
    ledger.found("a")
    ledger.found("b")
    #expect(receive("0123456789", of: "a"))
    #expect(receive("0123456789", of: "b"))
    #expect(!receive("x", of: "b"))

    #expect(try complete("a", .success(ok)).answer.get().body.count == 10)
    let answer = try complete("b", .failure(TransportError(.cancelled, ""))).answer
    #expect(throws: TransportError(.tooLarge, "the answer is larger than allowed")) {
      try answer.get()
    }
  }

  @Test func `drops what was cancelled, and what comes of it later`() throws {
    ledger.found("a")
    ledger.found("b")
    #expect(want("a", number: 1) == .waits)

    #expect(ledger.cancelled(["a", "c"]) == ["waiter 1"])
    #expect(ledger.known == ["b": false])
    #expect(receive("late", of: "a"))
    #expect(ledger.completed("a", with: .success(ok)) == nil)
    #expect(want("a", number: 2) == .unknown)
  }

  @Test func `counts one end of an upload`() throws {
    ledger.found("a")
    _ = try complete("a", .success(ok))

    #expect(ledger.completed("a", with: .failure(TransportError(.timedOut, ""))) == nil)
    #expect(receive("late", of: "a"))
    #expect(want("a", number: 1) == .answered(""))
  }

  @Test func `forgets what the system reports on a cancelled upload`() {
    ledger.found("a")
    _ = ledger.cancelled(["a"])
    ledger.found("a")
    #expect(ledger.known.isEmpty)
    #expect(ledger.completed("a", with: .success(ok)) == nil)
  }
}
