// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// Tracks the resources that each client uses and enforces its limits.
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

  /// Admits a request of a client, which counts until its lease is released.
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

  /// Counts a refused request without a valid token; throws when there are too many.
  func refuse(_ address: ClientAddress) throws(Shortage) {
    let now = monotonicClock.now()
    let wait = state.withLock { $0.anonymousRates.take(address.network, at: now) }
    if let wait { throw .tooOften(wait) }
  }

  /// The bytes that all requests hold.
  var memory: Int { state.withLock { $0.memory } }

  // MARK: - From leases

  /// Changes the number of bytes that a request holds.
  ///
  /// Unless `forced`, it throws and changes nothing when that exceeds the limits of the client or
  /// the server.
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
        // No client takes more than half of what is left, so that some remains for the next one.
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

/// The resources of one request, held until the lease is deallocated.
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

  /// Sets how many bytes the request holds; throws and changes nothing if they are not available.
  func hold(_ bytes: Int) throws(Shortage) {
    try held.withLock { held throws(Shortage) in
      try quotas.resize(client, from: held.memory, to: bytes, forced: false)
      held.memory = bytes
    }
  }

  /// Sets how many bytes the request holds even if they exceed the limits.
  ///
  /// The response to completed work must not be refused.
  func forceHold(_ bytes: Int) {
    held.withLock { held in
      try? quotas.resize(client, from: held.memory, to: bytes, forced: true)
      held.memory = bytes
    }
  }

  /// Turns the request into a stream, which does not count as a concurrent request.
  func becomeStream() {
    held.withLock { held in
      quotas.release(client, requests: held.requests)
      held.requests = 0
    }
  }

  /// Counts an image file that the request keeps open.
  func holdImage() throws(Shortage) {
    try held.withLock { held throws(Shortage) in
      try quotas.takeImage(client)
      held.images += 1
    }
  }

  /// Counts the request as one of the client's exports.
  func holdExport() throws(Shortage) {
    try held.withLock { held throws(Shortage) in
      try quotas.takeExport(client)
      held.exports += 1
    }
  }
}

/// Why a request exceeds the limits at the moment.
enum Shortage: Error, Hashable, Sendable {
  /// The client sends requests too often; the value is the number of seconds to wait.
  case tooOften(Int)
  /// The client has too many concurrent requests.
  case tooManyAtOnce
  /// The requests of the client hold too much memory.
  case memoryOfClient
  /// The client is being sent too many images.
  case imagesOfClient
  /// The client has too many exports in progress.
  case exportsOfClient
  /// All requests hold too much memory.
  case memoryOfServer
  /// Too many images are being sent to all clients.
  case imagesOfServer

  /// The response to the request, which can be sent again later.
  var response: HTTPResponse {
    switch self {
    case .tooOften(let seconds):
      .tooMany("this client sends requests too often; wait before the next one", seconds: seconds)
    case .tooManyAtOnce:
      .tooMany("this client has too many concurrent requests; send fewer at once")
    case .memoryOfClient:
      .tooMany(
        "the requests of this client hold too much memory; send fewer at once and read "
          + "their responses")
    case .imagesOfClient:
      .tooMany("this client is being sent too many images; request fewer at once")
    case .exportsOfClient:
      .tooMany("this client has too many exports in progress; finish one before the next")
    case .memoryOfServer: .unavailable("the server is out of memory for requests; try again later")
    case .imagesOfServer: .unavailable("the server is sending too many images; try again later")
    }
  }
}

extension HTTPResponse {
  /// The response to a client that exceeds its limits (RFC 6585 §4).
  fileprivate static func tooMany(_ message: String, seconds: Int = 1) -> HTTPResponse {
    failure(
      429, Fault("too_many_requests", message),
      headers: [(name: "Retry-After", value: String(seconds))])
  }
}
