// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IngestServer

@Suite struct `Table of connections` {
  private static let limits: IngestServer.Limits = {
    var limits = IngestServer.Limits(descriptors: 1_024)
    limits.connections = 3
    limits.connectionsPerAddress = 3
    limits.headTime = .seconds(20)
    limits.keepAliveTime = .seconds(75)
    limits.bodyTime = .seconds(60)
    limits.answerTime = .seconds(50)
    limits.slowestRate = 1_000
    return limits
  }()

  private static func address(_ number: Int) throws -> ClientAddress {
    try #require(ClientAddress("192.0.2.\(number)"))
  }

  private static let alice = ClientKey.user(1)
  private static let bob = ClientKey.user(2)

  private var table = ConnectionTable(limits)

  /// Accepts a connection; the ones that end for it.
  private mutating func accept(
    _ address: Int = 1, at seconds: Int = 0
  ) throws -> (id: ConnectionTable.ID, ending: [ConnectionTable.ID]) {
    table.accepted(try Self.address(address), at: .seconds(seconds))
  }

  // MARK: - Deadlines

  @Test mutating func `limits the time of a header`() throws {
    let id = try accept(at: 5).id

    #expect(table.expired(at: .seconds(24)) == [])
    #expect(table.expired(at: .seconds(25)) == [id])
    #expect(table.expired(at: .seconds(26)) == [])
  }

  @Test mutating func `limits the time of a body by its size`() throws {
    let id = try accept().id
    table.requestBegan(id, by: Self.alice, at: .seconds(10))
    table.received(1, on: id)
    table.received(4_999, on: id)

    #expect(table.expired(at: .seconds(74)) == [])
    #expect(table.expired(at: .seconds(75)) == [id])
  }

  @Test mutating func `pauses the client's time while the server works`() throws {
    let id = try accept().id
    table.requestBegan(id, by: Self.alice, at: .zero)
    table.workBegan(id, at: .seconds(50))
    #expect(table.expired(at: .seconds(1_000)) == [])

    table.bodyContinues(id, at: .seconds(1_000))

    #expect(table.expired(at: .seconds(1_009)) == [])
    #expect(table.expired(at: .seconds(1_010)) == [id])
  }

  @Test mutating func `limits the time of a response by its size`() throws {
    let id = try accept().id
    table.requestBegan(id, by: Self.alice, at: .zero)
    table.answerBegan(id, bytes: 10_000, at: .seconds(100))

    #expect(table.expired(at: .seconds(159)) == [])
    #expect(table.expired(at: .seconds(160)) == [id])
  }

  @Test mutating func `limits the time until the next request`() throws {
    let id = try accept().id
    table.requestBegan(id, by: nil, at: .zero)
    table.requestEnded(id, at: .seconds(10))

    #expect(table.expired(at: .seconds(84)) == [])
    #expect(table.expired(at: .seconds(85)) == [id])
  }

  @Test mutating func `keeps an idle stream and ends one that is not read`() throws {
    let id = try accept().id
    table.requestBegan(id, by: Self.alice, at: .zero)
    table.answerBegan(id, bytes: nil, at: .zero)
    table.streamIsIdle(id)
    #expect(table.expired(at: .seconds(100_000)) == [])

    table.streamSends(2_000, on: id, at: .seconds(200_000))
    table.streamSends(1_000, on: id, at: .seconds(200_010))

    #expect(table.expired(at: .seconds(200_052)) == [])
    #expect(table.expired(at: .seconds(200_053)) == [id])
  }

  // MARK: - Room

  @Test mutating func `closes the oldest unauthenticated connection first`() throws {
    let ids = try (1...3).map { try accept($0).id }
    // Asking for something without a token does not make it younger.
    table.requestBegan(ids[0], by: .address("192.0.2.1"), at: .zero)
    table.answerBegan(ids[0], bytes: 0, at: .zero)
    table.requestEnded(ids[0], at: .zero)

    #expect(try accept(4).ending == [ids[0]])
    #expect(try accept(5).ending == [ids[1]])
  }

  @Test mutating func `closes one of the address with the most connections`() throws {
    let first = try accept(1).id
    let crowd = try [accept(2).id, accept(2).id]

    #expect(try accept(3).ending == [crowd[0]])
    #expect(first == 1)
  }

  @Test mutating func `closes idle connections before slow ones`() throws {
    let ids = try (1...3).map { try accept($0).id }
    for id in ids { table.requestBegan(id, by: Self.alice, at: .zero) }
    table.answerBegan(ids[0], bytes: 0, at: .zero)
    table.requestEnded(ids[2], at: .zero)

    #expect(try accept(4).ending == [ids[2]])
    // The new one has not authenticated; it has to stay until there is another.
    #expect(try accept(5).ending == [4])
  }

  @Test mutating func `closes one of the user with the most connections`() throws {
    let ids = try (1...3).map { try accept($0).id }
    table.requestBegan(ids[0], by: Self.bob, at: .zero)
    table.requestBegan(ids[1], by: Self.alice, at: .zero)
    table.requestBegan(ids[2], by: Self.alice, at: .zero)

    #expect(try accept(4).ending == [ids[1]])
  }

  @Test mutating func `never closes a working connection or a stream`() throws {
    let ids = try (1...3).map { try accept($0).id }
    for id in ids { table.requestBegan(id, by: Self.alice, at: .zero) }
    table.workBegan(ids[0], at: .zero)
    table.answerBegan(ids[1], bytes: nil, at: .zero)
    table.answerBegan(ids[2], bytes: nil, at: .zero)
    table.streamIsIdle(ids[2])

    #expect(try accept(4).ending == [])
    #expect(table.outOfDescriptors() == 4)
    #expect(table.outOfDescriptors() == nil)
  }

  @Test mutating func `limits the connections of one address`() throws {
    var limits = Self.limits
    limits.connections = 10
    limits.connectionsPerAddress = 2
    table = ConnectionTable(limits)
    let ids = try [accept(1).id, accept(2).id, accept(1).id]

    #expect(try accept(1).ending == [ids[0]])

    table.closed(ids[0])
    table.closed(ids[2])
    #expect(try accept(1).ending == [])
  }

  @Test mutating func `does not count addresses behind a proxy or on this machine`() throws {
    var limits = Self.limits
    limits.connections = 4
    limits.connectionsPerAddress = 1
    table = ConnectionTable(limits, countsAddresses: false)
    for _ in 1...4 { #expect(try accept(1).ending == []) }
    #expect(try accept(2).ending == [1])

    table = ConnectionTable(limits)
    for _ in 1...4 { #expect(table.accepted(.local, at: .zero).ending == []) }
  }

  @Test mutating func `accepts a few more until closing connections have ended`() throws {
    for _ in 0..<(3 + ConnectionTable.overlap) {
      #expect(table.hasRoom)
      _ = try accept(1)
    }
    #expect(!table.hasRoom)

    table.closed(1)

    #expect(table.hasRoom)
    #expect(table.count == 2 + ConnectionTable.overlap)
  }

  @Test mutating func `reports whether responses are being read`() throws {
    let id = try accept().id
    #expect(!table.isAnswering)
    table.answerBegan(id, bytes: 1, at: .zero)
    #expect(table.isAnswering)
    table.requestEnded(id, at: .zero)
    #expect(!table.isAnswering)
  }
}
