// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SantorioCore

@Suite final class `Transfer ledger` {
  private var ledger = TransferLedger<String>()
  private let ok = TransportResponse(200)

  private enum Admitted: Equatable {
    case answered(String)
    case joined, start
  }

  private func request(_ key: String, by id: Int, limit: Int = 100) -> Admitted {
    switch ledger.requested(key, by: id, limit: limit, "waiter \(id)") {
    case .answered(let response): .answered(String(decoding: response.body, as: UTF8.self))
    case .joined: .joined
    case .start: .start
    }
  }

  private func complete(
    _ transfer: Int, _ head: TransferLedger<String>.Answer
  ) throws -> (waiters: [String], answer: TransferLedger<String>.Answer) {
    let completed = ledger.completed(transfer, with: head)
    let completion = try #require(completed)
    return (completion.waiters.sorted(), completion.answer)
  }

  private func started(_ transfer: Int, for id: Int) -> Bool { ledger.started(transfer, for: id) }

  private func receive(_ text: String, of transfer: Int) -> Bool {
    ledger.received(Array(text.utf8), of: transfer)
  }

  @Test func `hands the whole answer to its waiter`() throws {
    #expect(request("a", by: 1) == .start)
    #expect(started(7, for: 1))
    #expect(ledger.keys == ["a"])
    #expect(receive("one ", of: 7))
    #expect(receive("two", of: 7))

    let (waiters, answer) = try complete(7, .success(ok))

    #expect(waiters == ["waiter 1"])
    #expect(try answer.get().body == Array("one two".utf8))
    #expect(ledger.keys == [])
    #expect(request("a", by: 2) == .start)
  }

  @Test func `lets the same request join a transfer of an earlier launch`() throws {
    ledger.found(3, key: "a", limit: 100)
    #expect(receive("body", of: 3))

    #expect(request("a", by: 1) == .joined)
    #expect(request("b", by: 2) == .start)

    let (waiters, answer) = try complete(3, .success(ok))
    #expect(waiters == ["waiter 1"])
    #expect(try answer.get().body == Array("body".utf8))
  }

  @Test func `gives the answer of an orphan to the same request once`() throws {
    ledger.found(3, key: "a", limit: 100)
    _ = receive("body", of: 3)
    #expect(try complete(3, .success(ok)).waiters == [])

    #expect(request("b", by: 1) == .start)
    #expect(request("a", by: 2) == .answered("body"))
    #expect(request("a", by: 3) == .start)
  }

  @Test func `keeps only successful answers of an orphan`() throws {
    for (task, status) in [(1, 401), (2, 500), (3, 302)] {
      ledger.found(task, key: "\(status)", limit: 100)
      _ = try complete(task, .success(TransportResponse(status)))
      #expect(request("\(status)", by: task) == .start)
    }
    ledger.found(4, key: "cut", limit: 100)
    _ = try complete(4, .failure(TransportError(.incomplete, "")))
    #expect(request("cut", by: 4) == .start)
  }

  @Test func `continues a transfer whose task was cancelled`() throws {
    #expect(request("a", by: 1) == .start)
    #expect(started(7, for: 1))

    #expect(ledger.gaveUp(1) == "waiter 1")
    #expect(ledger.gaveUp(1) == nil)
    #expect(try complete(7, .success(ok)).waiters == [])

    #expect(request("a", by: 2) == .answered(""))
  }

  @Test func `does not start a transfer that was cancelled before`() {
    #expect(request("a", by: 1) == .start)
    #expect(ledger.gaveUp(1) == "waiter 1")

    #expect(!started(7, for: 1))
    #expect(ledger.keys == [])
  }

  @Test func `takes no more of an answer than allowed`() throws {
    #expect(request("a", by: 1, limit: 5) == .start)
    #expect(started(7, for: 1))
    #expect(receive("12345", of: 7))
    #expect(!receive("6", of: 7))

    let (_, answer) = try complete(7, .failure(TransportError(.cancelled, "")))

    #expect(answer == .failure(TransportError(.tooLarge, "the answer is larger than allowed")))
  }

  @Test func `keeps eight answers, and none after forget`() throws {
    for task in 1...9 {
      ledger.found(task, key: "k\(task)", limit: 100)
      _ = try complete(task, .success(ok))
    }
    #expect(request("k1", by: 1) == .start)
    #expect(request("k2", by: 2) == .answered(""))

    ledger.forget()

    #expect(request("k9", by: 9) == .start)
  }

  @Test func `ignores unknown transfers`() {
    #expect(receive("x", of: 99))
    #expect(ledger.completed(99, with: .success(ok)) == nil)
    #expect(ledger.gaveUp(99) == nil)
    #expect(!started(99, for: 99))
  }
}
