// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite struct `Table of rates` {
  @Test func `allows a burst, then the sustained rate`() {
    var table = RateTable<String>(rate: 2, burst: 3)

    for _ in 1...3 { #expect(table.take("a", at: .seconds(10)) == nil) }
    #expect(table.take("a", at: .seconds(10)) == 1)
    #expect(table.take("a", at: .milliseconds(10_400)) == 1)
    #expect(table.take("a", at: .milliseconds(10_500)) == nil)
    #expect(table.take("a", at: .milliseconds(10_500)) == 1)
    // It saves up no more than the burst.
    for _ in 1...3 { #expect(table.take("a", at: .seconds(1_000)) == nil) }
    #expect(table.take("a", at: .seconds(1_000)) == 1)
  }

  @Test func `returns the time to wait`() {
    var table = RateTable<String>(rate: 1, burst: 1)
    #expect(table.take("a", at: .zero) == nil)
    #expect(table.take("a", at: .milliseconds(100)) == 1)

    var slow = RateTable<Int>(rate: 1, burst: 1)
    #expect(slow.take(1, at: .zero) == nil)
    #expect(slow.take(1, at: .zero) == 1)
  }

  @Test func `counts clients separately`() {
    var table = RateTable<String>(rate: 1, burst: 1)
    #expect(table.take("a", at: .zero) == nil)
    #expect(table.take("b", at: .zero) == nil)
    #expect(table.take("a", at: .zero) == 1)
  }

  @Test func `forgets clients instead of growing`() {
    var table = RateTable<Int>(rate: 1, burst: 2)
    for number in 0..<RateTable<Int>.maximumClients { _ = table.take(number, at: .zero) }
    _ = table.take(0, at: .zero)
    // Later all buckets but the first are full again.
    #expect(table.take(-1, at: .seconds(1)) == nil)
    #expect(table.take(0, at: .seconds(1)) == nil)
    #expect(table.take(0, at: .seconds(1)) == 1)
  }
}

@Suite struct `Quotas of clients` {
  private static let alice = ClientKey.user(1)
  private static let bob = ClientKey.user(2)

  private static func quotas(
    _ change: (inout IngestServer.Limits) -> Void
  ) -> ClientQuotas {
    var limits = IngestServer.Limits(descriptors: 1_024)
    limits.memory = 1_000
    limits.memoryPerUser = 400
    limits.memoryForSmallRequests = 300
    limits.smallRequest = 50
    change(&limits)
    return ClientQuotas(limits, monotonicClock: MonotonicClock(ContinuousClock()))
  }

  @Test func `give each client its share of memory and reclaim it`() throws {
    let quotas = Self.quotas { $0.memory = 2_000 }
    var leases = [try quotas.admit(Self.alice), try quotas.admit(Self.alice)]

    try leases[0].hold(300)
    #expect(throws: Shortage.memoryOfClient) { try leases[1].hold(101) }
    try leases[1].hold(100)
    #expect(quotas.memory == 400)
    try leases[0].hold(200)
    try leases[1].hold(200)
    leases.removeFirst()
    #expect(quotas.memory == 200)
    leases = []
    #expect(quotas.memory == 0)
  }

  @Test func `leave memory for the next client`() throws {
    let quotas = Self.quotas { $0.memoryPerUser = 600 }
    let leases = try (1...5).map { try quotas.admit(.user($0)) }
    #expect(throws: Shortage.memoryOfServer) { try leases[0].hold(351) }

    // Each takes half of what is left.
    for (lease, most) in zip(leases, [350, 175, 87]) {
      #expect(throws: Shortage.memoryOfServer) { try lease.hold(most + 1) }
      try lease.hold(most)
    }

    try leases[3].hold(44)
  }

  @Test func `reserve memory for small requests`() throws {
    let quotas = Self.quotas { $0.memoryPerUser = 1_000 }
    let large = try quotas.admit(Self.alice)
    let other = try quotas.admit(Self.bob)

    large.forceHold(690)
    #expect(throws: Shortage.memoryOfServer) { try other.hold(51) }
    try other.hold(50)
    #expect(quotas.memory == 740)
  }

  @Test func `accept the response to completed work beyond the memory limit`() throws {
    let quotas = Self.quotas { _ in }
    let lease = try quotas.admit(Self.alice)

    lease.forceHold(5_000)

    #expect(quotas.memory == 5_000)
    #expect(throws: Shortage.memoryOfServer) { try quotas.admit(Self.bob).hold(1) }
    lease.forceHold(10)
    try quotas.admit(Self.bob).hold(1)
  }

  @Test func `limit the concurrent requests of a client`() throws {
    let quotas = Self.quotas { $0.requestsPerUser = 2 }
    var leases = [try quotas.admit(Self.alice), try quotas.admit(Self.alice)]

    #expect(throws: Shortage.tooManyAtOnce) { try quotas.admit(Self.alice) }
    _ = try quotas.admit(Self.bob)
    // A stream is none of them.
    leases[0].becomeStream()
    leases[0].becomeStream()
    leases.append(try quotas.admit(Self.alice))
    #expect(throws: Shortage.tooManyAtOnce) { try quotas.admit(Self.alice) }
    leases.removeLast()
    _ = try quotas.admit(Self.alice)
  }

  @Test func `limit a client to two concurrent exports`() throws {
    let quotas = Self.quotas { _ in }
    var leases = [try quotas.admit(Self.alice), try quotas.admit(Self.alice)]
    for lease in leases { try lease.holdExport() }

    #expect(throws: Shortage.exportsOfClient) { try quotas.admit(Self.alice).holdExport() }
    try quotas.admit(Self.bob).holdExport()
    leases.removeFirst()
    try quotas.admit(Self.alice).holdExport()
    withExtendedLifetime(leases) {}
  }

  @Test func `limit open images per client and in total`() throws {
    let quotas = Self.quotas { $0.openImages = 3 }
    let (alice, bob, carol) = (
      try quotas.admit(Self.alice), try quotas.admit(Self.bob), try quotas.admit(.user(3))
    )

    try alice.holdImage()
    #expect(throws: Shortage.imagesOfClient) { try alice.holdImage() }
    try bob.holdImage()
    try carol.holdImage()
    #expect(throws: Shortage.imagesOfServer) { try quotas.admit(.user(4)).holdImage() }
  }

  @Test func `count requests without a valid token per address`() throws {
    let quotas = Self.quotas {
      $0.anonymousBurst = 2
      $0.requestBurst = 1
    }
    let address = try #require(ClientAddress("192.0.2.1"))
    try quotas.refuse(address)
    _ = try quotas.admit(.address(address.network))

    #expect(throws: Shortage.self) { try quotas.refuse(address) }
    #expect(throws: Shortage.self) { try quotas.admit(.address(address.network)) }
    _ = try quotas.admit(Self.alice)
    #expect(throws: Shortage.self) { try quotas.admit(Self.alice) }
  }

  @Test(arguments: [
    (Shortage.tooOften(7), 429, "7"), (.tooManyAtOnce, 429, "1"), (.memoryOfClient, 429, "1"),
    (.imagesOfClient, 429, "1"), (.memoryOfServer, 503, "5"), (.imagesOfServer, 503, "5"),
  ])
  func `state when to retry`(shortage: Shortage, status: Int, seconds: String) {
    let response = shortage.response
    #expect(response.status == status)
    #expect(response.headers.contains { $0.name == "Retry-After" && $0.value == seconds })
  }
}
