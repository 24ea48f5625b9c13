// SPDX-License-Identifier: Apache-2.0

import SantorioCompression
import SantorioConcurrency

/// An admitted request, as far as its header describes it.
struct AdmittedRequest: Sendable {
  let head: RequestHead
  let route: Route
  let parameters: [String: String]
  let principal: Principal
  let lease: RequestLease
  /// Takes the body as it arrives; nil for a body that is kept in memory.
  let upload: ImageUpload?
}

/// The work of an admitted request whose body has arrived, done on the pool part by part.
final class RequestWork: Sendable {
  /// The size in bytes above which a body is large work.
  static let smallBody = 256 << 10
  /// The size in bytes above which a change keeps its client's turn until it is committed.
  ///
  /// So no client has much data waiting for the disk.
  static let lightChange = 64 << 10

  private enum Stage: Sendable {
    /// The body as received.
    case received([UInt8])
    case uploading(ImageUpload)
    case decided(Route.Work)
    case over
  }

  private let request: AdmittedRequest
  private let api: IngestApplication
  private let reply: SuspendedReply
  private let stage: Locked<Stage>

  /// Takes the body, or the part of it that the upload has not received.
  init(_ body: [UInt8], of request: AdmittedRequest, api: IngestApplication, reply: SuspendedReply)
  {
    self.request = request
    self.api = api
    self.reply = reply
    request.upload?.take(body)
    stage = Locked(request.upload.map(Stage.uploading) ?? .received(body))
  }

  /// The lane in which the work starts.
  private var lane: WorkPool.Lane {
    switch stage.withLock({ $0 }) {
    case .uploading(let upload): upload.lane
    case .received(let body):
      (request.head.isGzip ? Gzip.claimedSize(body) ?? 0 : body.count) > Self.smallBody
        ? .large : .small
    case .decided, .over: .small
    }
  }

  /// Submits the work to the pool.
  func submit(to pool: WorkPool) {
    let job = WorkPool.Job(
      client: request.lease.client,
      run: { [self] turn in step(turn) },
      cancel: { [self] in answer(.stopping) })
    pool.submit(job, to: lane)
  }

  /// Sends the response and releases the resources of the request.
  private func answer(_ response: HTTPResponse) {
    stage.withLock { $0 = .over }
    request.upload?.discard()
    reply.send(response)
  }

  private func step(_ turn: WorkPool.Turn) -> WorkPool.Step {
    do throws(Refusal) {
      switch stage.withLock({ $0 }) {
      case .received(let body):
        stage.withLock { $0 = .over }
        return try begin(body, turn)
      case .uploading(let upload):
        guard upload.advance() else { return .more(turn.lane) }
        return try decide(call([], image: try upload.finish()), turn)
      case .decided(let work): return try perform(work, turn)
      case .over: return .done
      }
    } catch {
      answer(error.response)
      return .done
    }
  }

  private func call(_ body: [UInt8], image: ImageUpload.Received? = nil) -> Call {
    Call(
      head: request.head, parameters: request.parameters, principal: request.principal, body: body,
      image: image)
  }

  private func begin(_ body: [UInt8], _ turn: WorkPool.Turn) throws(Refusal) -> WorkPool.Step {
    let expanded = try expand(body)
    // The lines of a batch are copied out of the body.
    if request.route.body == .lines { try hold(2 * expanded.count) }
    return try decide(call(expanded), turn)
  }

  /// The body without its compression.
  private func expand(_ body: [UInt8]) throws(Refusal) -> [UInt8] {
    guard let form = request.route.body, request.head.isGzip else { return body }
    try hold(body.count + min(form.maximum, Gzip.claimedSize(body) ?? 0))
    do throws(GzipError) {
      return try Gzip.expand(body, limit: form.maximum)
    } catch {
      throw Refusal(gzip: error, maximum: form.maximum)
    }
  }

  private func hold(_ bytes: Int) throws(Refusal) {
    do throws(Shortage) {
      try request.lease.hold(bytes)
    } catch {
      throw Refusal(error.response)
    }
  }

  private func decide(_ call: Call, _ turn: WorkPool.Turn) throws(Refusal) -> WorkPool.Step {
    let work: Route.Work
    do throws(IngestError) {
      work = try request.route.handler(call)
    } catch {
      throw Refusal(.unavailable(error.message))
    }
    return try perform(work, turn)
  }
}

// MARK: - Kinds of work

extension RequestWork {
  private func perform(
    _ work: Route.Work, _ turn: WorkPool.Turn
  ) throws(Refusal) -> WorkPool.Step {
    switch work {
    case .answer(let response): answer(response)
    case .steps(let next):
      if let decided = next() { return try perform(decided, turn) }
      stage.withLock { $0 = .decided(work) }
      return .more(turn.lane)
    case .change(let action, let respond): return commit(action, respond, turn)
    case .query(let query): return try read(query, turn)
    case .page(let query):
      guard turn.lane == .large else { return postpone(work) }
      // The memory to read a page is not counted: the number of threads bounds concurrent reads.
      return try read(query, turn)
    case .image(let query):
      guard turn.lane == .large else { return postpone(work) }
      try holdImage()
      return try found(Result { () throws(IngestError) in try query(api.store, api.media) }, turn)
    case .export(let user):
      guard turn.lane == .large else { return postpone(work) }
      try holdExport()
      return try found(Result { () throws(IngestError) in try export(user) }, turn)
    case .media(let body): return keep(body, turn)
    case .events(let start):
      return try found(Result { () throws(IngestError) in try watch(from: start) }, turn)
    }
    return .done
  }

  /// Answers with what was read; without memory for it, the client can ask again.
  private func read(
    _ query: (any RecordStore) throws(IngestError) -> Route.Found, _ turn: WorkPool.Turn
  ) throws(Refusal) -> WorkPool.Step {
    let result = Result { () throws(IngestError) in try query(api.store) }
    try hold(result.map(\.response).unavailableOnFailure.memory)
    return try found(result, turn)
  }

  /// Answers with what was found, after it was written to the audit log.
  private func found(
    _ result: Result<Route.Found, IngestError>, _ turn: WorkPool.Turn
  ) throws(Refusal) -> WorkPool.Step {
    guard case .success(let found) = result, let note = found.note else {
      answer(result.map(\.response).unavailableOnFailure)
      return .done
    }
    return commit(.note(note), turn) { _ in found.response }
  }

  private func export(_ user: UserPath) throws(IngestError) -> Route.Found {
    guard let account = try api.store.account(user) else { return Route.Found(.unknownUser) }
    let (store, now, digest) = (api.store, api.now, request.principal.tokenDigest)
    let export = UserExport(of: account, from: store, api.media) { () throws(IngestError) in
      try store.isLive(tokenDigest: digest, at: now())
    }
    let (pool, lease, log) = (api.pool, request.lease, api.log)
    let response = HTTPResponse(
      200, type: "application/x-ndjson",
      headers: [
        (name: "Content-Disposition", value: "attachment; filename=\"\(account.id).ndjson\"")
      ],
      body: .stream { ExportStream(export, on: $0, pool: pool, lease: lease, log: log) })
    return Route.Found(response, AuditNote("user.export", user))
  }

  private func watch(from start: EventStart) throws(IngestError) -> Route.Found {
    let principal = request.principal
    let watcher = EventWatcher(
      organization: principal.organization, tokenDigest: principal.tokenDigest)
    let response = try api.events.response(from: start, to: watcher, lease: request.lease)
    guard response.status == 200 else { return Route.Found(response) }
    return Route.Found(
      response, AuditNote("events.watch", organization: principal.organization ?? ""))
  }

  /// Moves the work to the lane of large work.
  private func postpone(_ work: Route.Work) -> WorkPool.Step {
    stage.withLock { $0 = .decided(work) }
    return .more(.large)
  }

  private func holdImage() throws(Refusal) {
    do throws(Shortage) {
      try request.lease.holdImage()
    } catch {
      throw Refusal(error.response)
    }
  }

  private func holdExport() throws(Refusal) {
    do throws(Shortage) {
      try request.lease.holdExport()
    } catch {
      throw Refusal(error.response)
    }
  }

  private func commit(
    _ action: Change.Action, _ respond: @escaping @Sendable (Change.Outcome) -> HTTPResponse,
    _ turn: WorkPool.Turn
  ) -> WorkPool.Step {
    request.lease.forceHold(action.size)
    return commit(action, turn, respond)
  }

  private func commit(
    _ action: Change.Action, _ turn: WorkPool.Turn,
    _ respond: @escaping @Sendable (Change.Outcome) -> HTTPResponse
  ) -> WorkPool.Step {
    let isLight = action.size <= Self.lightChange
    let change = Change(action, by: request.principal.caller, at: api.now())
    api.commits.submit(change) { [self] result in
      api.media.release(result.released) { [self] in
        answer(result.map { $0.response(respond) }.unavailableOnFailure)
        if !isLight { turn.end() }
      }
    }
    return isLight ? .done : .elsewhere
  }

  private func keep(
    _ body: @escaping @Sendable (MediaQueue) throws(IngestError) -> HTTPResponse,
    _ turn: WorkPool.Turn
  ) -> WorkPool.Step {
    api.media.submit { [self] media in
      answer(Result { () throws(IngestError) in try body(media) }.unavailableOnFailure)
      turn.end()
    }
    return .elsewhere
  }
}

extension Change.Outcome {
  /// The response, unless the token has ended meanwhile.
  fileprivate func response(_ respond: (Change.Outcome) -> HTTPResponse) -> HTTPResponse {
    if case .refused(let state) = self { return .ended(state) }
    return respond(self)
  }
}

extension Result<Change.Outcome, IngestError> {
  /// The images that a record no longer has.
  fileprivate var released: [MediaDigest] { (try? get().released) ?? [] }
}

extension Result<HTTPResponse, IngestError> {
  fileprivate var unavailableOnFailure: HTTPResponse {
    switch self {
    case .success(let response): response
    case .failure(let error): .unavailable(error.message)
    }
  }
}
