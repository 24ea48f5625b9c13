// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite struct `Table of rates` {
  @Test func `lets a client have its burst, then its rate`() {
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

  @Test func `says how long to wait`() {
    var table = RateTable<String>(rate: 1, burst: 1)
    #expect(table.take("a", at: .zero) == nil)
    #expect(table.take("a", at: .milliseconds(100)) == 1)

    var slow = RateTable<Int>(rate: 1, burst: 1)
    #expect(slow.take(1, at: .zero) == nil)
    #expect(slow.take(1, at: .zero) == 1)
  }

  @Test func `keeps clients apart`() {
    var table = RateTable<String>(rate: 1, burst: 1)
    #expect(table.take("a", at: .zero) == nil)
    #expect(table.take("b", at: .zero) == nil)
    #expect(table.take("a", at: .zero) == 1)
  }

  @Test func `forgets clients rather than to grow`() {
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

  @Test func `give each client its share of the memory, and take it back`() throws {
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

  @Test func `leave something for whoever comes next`() throws {
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

  @Test func `keep some memory for small requests`() throws {
    let quotas = Self.quotas { $0.memoryPerUser = 1_000 }
    let large = try quotas.admit(Self.alice)
    let other = try quotas.admit(Self.bob)

    large.holdAnyhow(690)
    #expect(throws: Shortage.memoryOfServer) { try other.hold(51) }
    try other.hold(50)
    #expect(quotas.memory == 740)
  }

  @Test func `hold an answer to what is done also where there is no memory`() throws {
    let quotas = Self.quotas { _ in }
    let lease = try quotas.admit(Self.alice)

    lease.holdAnyhow(5_000)

    #expect(quotas.memory == 5_000)
    #expect(throws: Shortage.memoryOfServer) { try quotas.admit(Self.bob).hold(1) }
    lease.holdAnyhow(10)
    try quotas.admit(Self.bob).hold(1)
  }

  @Test func `serve so many requests of a client at once`() throws {
    let quotas = Self.quotas { $0.requestsPerUser = 2 }
    var leases = [try quotas.admit(Self.alice), try quotas.admit(Self.alice)]

    #expect(throws: Shortage.tooManyAtOnce) { try quotas.admit(Self.alice) }
    _ = try quotas.admit(Self.bob)
    // A stream is none of them.
    leases[0].becomesStream()
    leases[0].becomesStream()
    leases.append(try quotas.admit(Self.alice))
    #expect(throws: Shortage.tooManyAtOnce) { try quotas.admit(Self.alice) }
    leases.removeLast()
    _ = try quotas.admit(Self.alice)
  }

  @Test func `serve two exports of a client at once`() throws {
    let quotas = Self.quotas { _ in }
    var leases = [try quotas.admit(Self.alice), try quotas.admit(Self.alice)]
    for lease in leases { try lease.holdExport() }

    #expect(throws: Shortage.exportsOfClient) { try quotas.admit(Self.alice).holdExport() }
    try quotas.admit(Self.bob).holdExport()
    leases.removeFirst()
    try quotas.admit(Self.alice).holdExport()
    withExtendedLifetime(leases) {}
  }

  @Test func `open so many images for a client, and for all`() throws {
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

  @Test func `count requests without a good token for their address`() throws {
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
  func `say when to come again`(shortage: Shortage, status: Int, seconds: String) {
    let response = shortage.response
    #expect(response.status == status)
    #expect(response.headers.contains { $0.name == "Retry-After" && $0.value == seconds })
  }
}
