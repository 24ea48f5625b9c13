// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// What each client uses up at present, and whether it may have more.
final class ClientQuotas: Sendable {
  private struct Use {
    var requests = 0
    var memory = 0
    var images = 0
    var exports = 0

    var isNothing: Bool { requests == 0 && memory == 0 && images == 0 && exports == 0 }
  }

  private struct State {
    var uses: [ClientKey: Use] = [:]
    var memory = 0
    var images = 0
    var rates: RateTable<ClientKey>
    var anonymousRates: RateTable<String>
  }

  private let limits: IngestServer.Limits
  private let monotonicClock: MonotonicClock
  private let state: Locked<State>

  init(_ limits: IngestServer.Limits, monotonicClock: MonotonicClock) {
    self.limits = limits
    self.monotonicClock = monotonicClock
    state = Locked(
      State(
        rates: RateTable(rate: limits.requestRate, burst: limits.requestBurst),
        anonymousRates: RateTable(rate: limits.anonymousRate, burst: limits.anonymousBurst)))
  }

  /// Takes a request of a client, which counts until the lease is gone.
  func admit(_ client: ClientKey) throws(Shortage) -> RequestLease {
    let now = monotonicClock.now()
    try state.withLock { state throws(Shortage) in
      if case .address(let network) = client {
        if let wait = state.anonymousRates.take(network, at: now) { throw .tooOften(wait) }
      } else if let wait = state.rates.take(client, at: now) {
        throw .tooOften(wait)
      }
      guard state.uses[client, default: Use()].requests < limits.requestsPerUser else {
        throw .tooManyAtOnce
      }
      state.uses[client, default: Use()].requests += 1
    }
    return RequestLease(client, of: self)
  }

  /// Counts a request that shows no good token, and is refused; throws when there are too many.
  func refuse(_ address: ClientAddress) throws(Shortage) {
    let now = monotonicClock.now()
    let wait = state.withLock { $0.anonymousRates.take(address.network, at: now) }
    if let wait { throw .tooOften(wait) }
  }

  /// The bytes that all requests hold.
  var memory: Int { state.withLock { $0.memory } }

  // MARK: - From leases

  /// Lets a request hold another number of bytes; throws, and changes nothing, when that is too
  /// many for the client or the server, unless it is `forced`.
  fileprivate func resize(
    _ client: ClientKey, from old: Int, to new: Int, forced: Bool
  ) throws(Shortage) {
    try state.withLock { state throws(Shortage) in
      let use = state.uses[client, default: Use()]
      let growth = new - old
      if growth > 0, !forced {
        let kept = new <= limits.smallRequest ? 0 : limits.memoryForSmallRequests
        guard use.memory + growth <= limits.memoryPerUser else { throw .memoryOfClient }
        let left = limits.memory - kept - state.memory - growth
        // Of what is left nobody has more than half: some is left for whoever comes next.
        guard left >= 0, kept == 0 || use.memory + growth <= left else { throw .memoryOfServer }
      }
      state.uses[client, default: Use()].memory += growth
      state.memory += growth
    }
  }

  fileprivate func takeImage(_ client: ClientKey) throws(Shortage) {
    try state.withLock { state throws(Shortage) in
      let use = state.uses[client, default: Use()]
      guard use.images < max(1, limits.openImages / 2) else { throw .imagesOfClient }
      guard state.images < limits.openImages else { throw .imagesOfServer }
      state.uses[client, default: Use()].images += 1
      state.images += 1
    }
  }

  fileprivate func takeExport(_ client: ClientKey) throws(Shortage) {
    try state.withLock { state throws(Shortage) in
      guard state.uses[client, default: Use()].exports < limits.exportsPerUser else {
        throw .exportsOfClient
      }
      state.uses[client, default: Use()].exports += 1
    }
  }

  fileprivate func release(
    _ client: ClientKey, requests: Int, memory: Int = 0, images: Int = 0, exports: Int = 0
  ) {
    state.withLock { state in
      state.memory -= memory
      state.images -= images
      guard var use = state.uses[client] else { return }
      use.requests -= requests
      use.memory -= memory
      use.images -= images
      use.exports -= exports
      state.uses[client] = use.isNothing ? nil : use
    }
  }
}

/// What one request uses up, until nobody holds the lease.
final class RequestLease: Sendable {
  private struct Held {
    var requests = 1
    var memory = 0
    var images = 0
    var exports = 0
  }

  let client: ClientKey
  private let quotas: ClientQuotas
  private let held = Locked(Held())

  fileprivate init(_ client: ClientKey, of quotas: ClientQuotas) {
    self.client = client
    self.quotas = quotas
  }

  deinit {
    let held = held.withLock { $0 }
    quotas.release(
      client, requests: held.requests, memory: held.memory, images: held.images,
      exports: held.exports)
  }

  /// The bytes that the request holds.
  var memory: Int { held.withLock { $0.memory } }

  /// Lets the request hold so many bytes, more or fewer than before; throws when there are not so
  /// many, and leaves it as it was.
  func hold(_ bytes: Int) throws(Shortage) {
    try held.withLock { held throws(Shortage) in
      try quotas.resize(client, from: held.memory, to: bytes, forced: false)
      held.memory = bytes
    }
  }

  /// Lets the request hold so many bytes also where that is more than there are: an answer to what
  /// is done already is not to be refused.
  func holdAnyhow(_ bytes: Int) {
    held.withLock { held in
      try? quotas.resize(client, from: held.memory, to: bytes, forced: true)
      held.memory = bytes
    }
  }

  /// The request has become a stream, which is none of the requests that are served at once.
  func becomesStream() {
    held.withLock { held in
      quotas.release(client, requests: held.requests)
      held.requests = 0
    }
  }

  /// Lets the request keep the file of an image open.
  func holdImage() throws(Shortage) {
    try held.withLock { held throws(Shortage) in
      try quotas.takeImage(client)
      held.images += 1
    }
  }

  /// Lets the request be one of the client's exports.
  func holdExport() throws(Shortage) {
    try held.withLock { held throws(Shortage) in
      try quotas.takeExport(client)
      held.exports += 1
    }
  }
}

/// Why a client does not get what it asks for now.
enum Shortage: Error, Hashable, Sendable {
  /// It asks too often; the number of seconds to wait.
  case tooOften(Int)
  /// It waits for too many answers already.
  case tooManyAtOnce
  /// Its requests hold too much memory.
  case memoryOfClient
  /// It is being sent too many images.
  case imagesOfClient
  /// It has too many exports under way.
  case exportsOfClient
  /// All requests hold too much memory.
  case memoryOfServer
  /// Too many images are being sent to all.
  case imagesOfServer

  /// The answer to the request, which can be sent again later.
  var response: HTTPResponse {
    switch self {
    case .tooOften(let seconds):
      .tooMany("more requests than this client may send; wait before the next", seconds: seconds)
    case .tooManyAtOnce:
      .tooMany("too many requests of this client wait for their answers; send fewer at once")
    case .memoryOfClient:
      .tooMany(
        "the requests of this client hold too much memory; send fewer at once, and read "
          + "their answers")
    case .imagesOfClient:
      .tooMany("this client is being sent too many images; ask for fewer at once")
    case .exportsOfClient:
      .tooMany("this client has too many exports under way; end one before the next")
    case .memoryOfServer: .unavailable("the server has no memory for this now; try again later")
    case .imagesOfServer: .unavailable("the server is sending too many images; try again later")
    }
  }
}

extension HTTPResponse {
  /// The answer to a client that asks for too much (RFC 6585 §4).
  fileprivate static func tooMany(_ message: String, seconds: Int = 1) -> HTTPResponse {
    failure(
      429, Fault("too_many_requests", message),
      headers: [(name: "Retry-After", value: String(seconds))])
  }
}
