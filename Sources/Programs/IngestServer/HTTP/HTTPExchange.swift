// SPDX-License-Identifier: Apache-2.0

/// One request and its answer, on the server's thread of its connection.
final class HTTPExchange {
  /// What the server does next.
  enum Step {
    case respond(HTTPResponse)
    /// Suspend first, then call: in the other order the answer could come before the suspension.
    case suspend(SuspendedReply, @Sendable (SuspendedReply) -> Void)
    case wait
  }

  let label: String
  /// The status that was answered; nil before.
  private(set) var status: Int?
  private let started = ContinuousClock.now
  private let decision: Admission.Decision
  private let limits: HTTPDaemon.Limits
  private let memory: BodyMemory
  private var body: [UInt8] = []
  /// How much of the shared memory is taken, until the exchange ends.
  private var taken = 0
  /// There was no memory for the body; what comes of it is dropped.
  private var isStarved = false
  private var received = 0
  private var reply: SuspendedReply?
  /// Whether the answer was left to another thread.
  var wasSuspended: Bool { reply != nil }

  init(_ admission: Admission, limits: HTTPDaemon.Limits, memory: BodyMemory) {
    label = admission.label
    decision = admission.decision
    self.limits = limits
    self.memory = memory
  }

  deinit { memory.give(taken) }

  var elapsed: Duration { ContinuousClock.now - started }

  /// The answer that is given before the body: the client waits for it, or would send too much.
  ///
  /// Otherwise even a refused request is read to its end, since a client that is still sending
  /// when the connection closes may never see the answer.
  func earlyResponse(to head: RequestHead) -> HTTPResponse? {
    let length = head.contentLength ?? 0
    switch decision {
    case .refuse(let response):
      return respond(head.expectsContinue || length > limits.discarded ? response : nil)
    case .accept(let maximum, _):
      guard length > maximum, head.expectsContinue || length > limits.discarded else { return nil }
      return respond(.tooLarge(maximum))
    }
  }

  /// Takes a part of the body; false when the connection is to be cut.
  func receive(_ octets: UnsafeRawBufferPointer) -> Bool {
    received += octets.count
    guard received <= limits.discarded, elapsed < limits.time(for: received) else { return false }
    if case .accept(let maximum, _) = decision, received <= maximum, reserve(octets.count) {
      unsafe body.append(contentsOf: octets)
    } else {
      drop()
    }
    return true
  }

  private func reserve(_ count: Int) -> Bool {
    guard !isStarved, memory.take(count) else {
      isStarved = true
      return false
    }
    taken += count
    return true
  }

  private func drop() {
    body = []
    memory.give(taken)
    taken = 0
  }

  /// The request is complete, or its suspended answer has come.
  func proceed(on connection: SuspendableConnection) -> Step {
    if let reply { return reply.take().map { .respond(sent($0)) } ?? .wait }
    switch decision {
    case .refuse(let response): return .respond(sent(response))
    case .accept(let maximum, _) where received > maximum:
      return .respond(sent(.tooLarge(maximum)))
    case .accept where isStarved:
      return .respond(sent(.unavailable("too many bodies are being received; try again later")))
    case .accept(_, let answer):
      let octets = body
      body = []
      switch answer(octets) {
      case .now(let response): return .respond(sent(response))
      case .later(let handOver):
        let reply = SuspendedReply(connection)
        self.reply = reply
        return .suspend(reply, handOver)
      }
    }
  }

  private func respond(_ response: HTTPResponse?) -> HTTPResponse? { response.map(sent) }

  private func sent(_ response: HTTPResponse) -> HTTPResponse {
    status = response.status
    return response
  }
}
