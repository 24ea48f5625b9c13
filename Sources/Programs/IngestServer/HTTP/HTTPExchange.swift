// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// One request and its response, on the server's thread of its connection.
final class HTTPExchange {
  /// What the server does next.
  enum Step {
    case respond(HTTPResponse)
    /// The connection is suspended; call the function, which sends the response.
    case work(SuspendedReply, @Sendable (SuspendedReply) -> Void)
    case wait
  }

  /// The result of receiving a part of a body.
  enum Received {
    case taken
    /// The part is delivered again when the connection is resumed.
    case later
    /// The connection must be closed.
    case cut
  }

  /// How much of a body is given to a sink at once.
  static let sinkPart = 128 << 10

  let label: String
  /// The status of the response; nil before.
  private(set) var status: Int?
  /// The server has yet to answer it, see ``DaemonContext/owesAnswer(to:)``.
  var isOwedAnswer = false
  private let started = ContinuousClock.now
  private let connection: HTTPConnection
  private let decision: Admission.Decision
  private let discarded: Int
  private let announced: Int?
  private var body: [UInt8] = []
  /// Why there is no room for the body; the rest of it is dropped.
  private var shortage: Shortage?
  private var received = 0
  /// Whether the sink is still writing a part.
  private let isWriting = Locked(false)
  private var reply: SuspendedReply?

  init(
    _ admission: Admission, to head: RequestHead, on connection: HTTPConnection, discarded: Int
  ) {
    label = admission.label
    decision = admission.decision
    announced = head.contentLength
    self.connection = connection
    self.discarded = discarded
    connection.requestBegan(by: admission.client)
  }

  var elapsed: Duration { ContinuousClock.now - started }

  /// The response sent before the body, if the client waits for it or would send too much.
  ///
  /// Otherwise even a refused request is read to its end, since a client that is still sending
  /// when the connection closes may never see the response.
  func earlyResponse(to head: RequestHead) -> HTTPResponse? {
    let length = head.contentLength ?? 0
    switch decision {
    case .refuse(let response):
      let isEarly = head.expectsContinue || head.isAmbiguous || length > discarded
      return respond(isEarly ? response : nil)
    case .accept(let acceptance):
      guard length > acceptance.maximumBody, head.expectsContinue || length > discarded else {
        return nil
      }
      return respond(.tooLarge(acceptance.maximumBody))
    }
  }

  /// Takes a part of the body.
  func receive(_ part: UnsafeRawBufferPointer, on suspendable: SuspendableConnection) -> Received {
    guard !isWriting.withLock({ $0 }) else { return .later }
    received += part.count
    guard received <= discarded else { return .cut }
    connection.received(part.count)
    guard case .accept(let acceptance) = decision, received <= acceptance.maximumBody,
      hasRoom(for: part.count, acceptance)
    else {
      drop()
      return .taken
    }
    unsafe body.append(contentsOf: part)
    if let sink = acceptance.sink, body.count >= Self.sinkPart {
      write(to: sink, on: suspendable)
    }
    return .taken
  }

  private func hasRoom(for count: Int, _ acceptance: Acceptance) -> Bool {
    guard shortage == nil else { return false }
    do throws(Shortage) {
      if acceptance.sink != nil {
        try acceptance.lease.hold(min(Self.sinkPart, acceptance.lease.memory + count))
      } else if let announced, announced <= acceptance.maximumBody {
        // Reserved memory is used only when it is written to.
        if body.isEmpty { body.reserveCapacity(announced) }
        try acceptance.lease.hold(received)
      } else if received > body.capacity {
        let capacity = min(acceptance.maximumBody, max(received, 2 * body.capacity))
        try acceptance.lease.hold(capacity)
        body.reserveCapacity(capacity)
      }
    } catch {
      shortage = error
    }
    return shortage == nil
  }

  private func drop() {
    body = []
    guard case .accept(let acceptance) = decision else { return }
    acceptance.sink?.discard()
    acceptance.lease.forceHold(0)
  }

  private func write(to sink: any BodySink, on suspendable: SuspendableConnection) {
    // When the server is stopping, the rest stays here and the request is refused at its end.
    guard suspendable.suspend() else { return }
    connection.workBegan()
    isWriting.withLock { $0 = true }
    let part = body
    body = []
    sink.write(part) { [isWriting, connection] in
      connection.bodyContinues()
      isWriting.withLock { $0 = false }
      suspendable.resume()
    }
  }

  /// Continues when the request is complete or its suspended reply has arrived.
  func proceed(on suspendable: SuspendableConnection) -> Step {
    if let reply { return reply.take().map { .respond(sent($0)) } ?? .wait }
    guard !isWriting.withLock({ $0 }) else { return .wait }
    switch decision {
    case .refuse(let response): return .respond(sent(response))
    case .accept(let acceptance):
      if received > acceptance.maximumBody {
        return .respond(sent(.tooLarge(acceptance.maximumBody)))
      }
      if let shortage { return .respond(sent(shortage.response)) }
      return answer(acceptance, on: suspendable)
    }
  }

  private func answer(_ acceptance: Acceptance, on suspendable: SuspendableConnection) -> Step {
    let bytes = body
    body = []
    switch acceptance.answer(bytes) {
    case .now(let response): return .respond(sent(response))
    case .later(let handOver):
      guard suspendable.suspend() else { return .respond(sent(.stopping)) }
      let reply = SuspendedReply(suspendable)
      self.reply = reply
      connection.workBegan()
      return .work(reply, handOver)
    }
  }

  private func respond(_ response: HTTPResponse?) -> HTTPResponse? { response.map(sent) }

  private func sent(_ response: HTTPResponse) -> HTTPResponse {
    status = response.status
    if case .accept(let acceptance) = decision { acceptance.lease.forceHold(response.memory) }
    connection.answerBegan(bytes: response.size)
    return response
  }
}

extension Admission {
  /// The admitted client.
  fileprivate var client: ClientKey? {
    guard case .accept(let acceptance) = decision else { return nil }
    return acceptance.lease.client
  }
}
