// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import SantorioRoutes

@Suite struct `Table of links and addresses` {
  // What the kernel sent for `ip link` and `ip address` on a little-endian machine, shortened to
  // the attributes that are read.
  //   LENGTH   TYPE FLAG SEQUENCE PORT     FM   TYPE INDEX    FLAGS    CHANGE
  private func link(
    _ kind: String, index: String = "02000000", flags: String, sequence: String = "00000000"
  ) -> String {
    "20000000 \(kind) 0000 \(sequence) 00000000 00 00 0100 \(index) \(flags) 00000000"
  }

  //   LENGTH   TYPE FLAG SEQUENCE PORT     FM PL FL SC INDEX    IFA_ADDRESS       IFA_LOCAL
  private func address(
    _ kind: String, _ bytes: String = "c0000201", flags: String = "80", scope: String = "00",
    sequence: String = "00000000"
  ) -> String {
    "28000000 \(kind) 0000 \(sequence) 00000000 02 20 \(flags) \(scope) 02000000"
      + " 0800 0100 \(bytes) 0800 0200 \(bytes)"
  }

  private func bytes(_ hex: String) -> ArraySlice<UInt8> {
    let digits = Array(hex.filter { $0 != " " })
    return stride(from: 0, to: digits.count, by: 2)
      .compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }[...]
  }

  private func isNew(_ table: inout RouteTable, _ hex: String) -> Bool {
    table.received(bytes(hex)).isConnectionNew
  }

  private let running = "43000100"  // UP, BROADCAST, RUNNING, LOWER_UP
  private let down = "03100000"

  @Test func `asks for all links and then for all addresses`() {
    var table = RouteTable()

    let questions = (0..<3).map { _ in table.takeQuestion().map { $0[...] } }

    #expect(
      questions == [
        bytes("14000000 1200 0103 01005353 00000000 00000000"),
        bytes("14000000 1600 0103 01005353 00000000 00000000"), nil,
      ])
  }

  @Test func `takes an address for new once, and again after it was gone`() {
    var table = RouteTable()

    #expect(isNew(&table, address("1400")))
    #expect(!isNew(&table, address("1400")))
    #expect(!isNew(&table, address("1500")))
    #expect(isNew(&table, address("1400")))
  }

  @Test func `takes a link for new when it begins to run`() {
    var table = RouteTable()

    #expect(!isNew(&table, link("1000", flags: down)))
    #expect(isNew(&table, link("1000", flags: running)))
    #expect(!isNew(&table, link("1000", flags: running)))
    #expect(!isNew(&table, link("1000", flags: down)))
    #expect(isNew(&table, link("1000", flags: running)))
    #expect(!isNew(&table, link("1100", flags: running)))
    #expect(isNew(&table, link("1000", flags: running)))
  }

  @Test func `learns what there was before without calling it new`() {
    var table = RouteTable()
    let own = "01005353"

    #expect(!isNew(&table, link("1000", flags: running, sequence: own)))
    #expect(!isNew(&table, address("1400", sequence: own)))

    #expect(!isNew(&table, link("1000", flags: running)))
    #expect(!isNew(&table, address("1400")))
    #expect(isNew(&table, address("1400", "c0000202")))
  }

  @Test func `waits until an address is usable and leads somewhere`() {
    var table = RouteTable()

    #expect(!isNew(&table, address("1400", flags: "40")))  // tentative
    #expect(isNew(&table, address("1400", flags: "80")))
    #expect(!isNew(&table, address("1400", "a9fe0001", scope: "fd")))
    #expect(!isNew(&table, address("1400", "7f000001", scope: "fe")))
  }

  @Test func `knows the end of an answer to its own question`() {
    var table = RouteTable()
    let done = { (sequence: String) in "14000000 0300 0200 \(sequence) 00000000 00000000" }

    let foreign = table.received(bytes(done("00000000")))
    let own = table.received(bytes(done("01005353")))

    #expect(!foreign.isAnswerComplete)
    #expect(own.isAnswerComplete)
  }

  @Test func `reads several messages at once`() {
    var table = RouteTable()

    let news = table.received(
      bytes(
        link("1000", flags: down) + address("1400")
          + "14000000 0300 0200 01005353 00000000 00000000"))

    #expect(news == .init(isConnectionNew: true, isAnswerComplete: true))
  }

  @Test func `takes no harm from what is cut or malformed`() {
    let whole = bytes(address("1400") + link("1000", flags: running))
    for count in 0..<whole.count {
      var table = RouteTable()
      let isNew = table.received(whole.prefix(count)).isConnectionNew
      #expect(isNew == (count >= 40), "\(count)")
    }
    var random = SeededGenerator(seed: 20_261_121)
    for _ in 0..<20_000 {
      var broken = Array(whole)
      for _ in 0..<3 {
        broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      var table = RouteTable()
      _ = table.received(broken[...])
    }
  }
}
