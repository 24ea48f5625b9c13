// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency

/// Carries out the decisions of ``UploadMachine``: claims, sends, settles, waits.
///
/// With a ``BackgroundTransport`` several uploads are under way at once, and their answers come
/// when they come; otherwise one exchange follows the other.
struct Uploader {
  let outbox: Outbox
  let configuration: SantorioSession.Configuration
  let wakeUp: WakeUp
  let delivering: WakeUp
  let rests: RestSignal
  let state: ObservedUploadState
  var machine: UploadMachine
  private let background: BackgroundUploads?
  private let clock: MonotonicClock
  /// Until when nothing is sent.
  private var blockedUntil: Duration?
  /// Whether the wait is for this device and not for the server: nothing can be settled meanwhile.
  private var isFailingHere = false
  private var hasTakenUp = false

  init(
    outbox: Outbox, configuration: SantorioSession.Configuration, wakeUp: WakeUp,
    delivering: WakeUp, rests: RestSignal, state: ObservedUploadState
  ) {
    self.outbox = outbox
    self.configuration = configuration
    self.wakeUp = wakeUp
    self.delivering = delivering
    self.rests = rests
    self.state = state
    machine = UploadMachine(configuration)
    background = (configuration.transport as? any BackgroundTransport).map {
      BackgroundUploads($0, in: configuration.directory, wakeUp: wakeUp)
    }
    clock = MonotonicClock(configuration.clock)
  }

  /// Uploads until the task is cancelled.
  ///
  /// - Throws: ``SessionError`` of code `storageDamaged`, which waiting does not fix.
  mutating func run() async throws(SessionError) {
    while !Task.isCancelled {
      if wakeUp.take() == .retry { retry() }
      do throws(SessionError) {
        try await takeUp()
        guard try await settleArrival() == false else { continue }
        try await perform(step())
      } catch {
        guard error.code != .storageDamaged else { throw error }
        guard case .wait(let duration, let error) = machine.failedHere(error) else { continue }
        isFailingHere = true
        wait(duration, because: error)
      }
    }
  }

  private mutating func retry() {
    machine.reset()
    unblock()
  }

  private mutating func unblock() { (blockedUntil, isFailingHere) = (nil, false) }

  /// Takes over the uploads of earlier launches, once.
  private mutating func takeUp() async throws(SessionError) {
    guard !hasTakenUp, !isFailingHere else { return }
    if let background {
      try await background.takeUp(from: outbox)
    } else {
      // The app has another transport now, which knows nothing of them.
      try await outbox.end(transfers: outbox.transfers().map(\.id))
    }
    hasTakenUp = true
  }

  /// Does the next thing to do, and returns what follows from it.
  private mutating func step() async throws(SessionError) -> Next {
    if let blockedUntil {
      let left = blockedUntil - clock.now()
      guard left <= .zero else { return .blocked(left) }
      unblock()
    }
    guard let session = try await outbox.session() else { return .rest(WakeUp.untilCalled) }
    guard !session.isOffline else { return .rest(WakeUp.untilCalled) }
    guard session.isValidated else { return try await validate(session) }
    guard !isFull else { return .full }
    let claim = machine.claim
    let rows = machine.batch(
      of: try await outbox.claim(session.id, count: claim.count, bytes: claim.bytes))
    let image = rows.isEmpty ? try await outbox.claimImage(session.id) : nil
    guard !rows.isEmpty || image != nil else {
      return .rest(try await outbox.timeUntilNextRow() ?? WakeUp.untilCalled)
    }
    let exchange = Exchange(
      session: session, user: try await user(of: session), image: image?.row)
    guard !machine.isRefused(exchange.user.accessToken) else {
      return .act(.refreshToken, exchange)
    }
    guard let image else { return try await submit(rows, exchange) }
    return try await submit(image.row, image.bytes, exchange)
  }

  /// Whether no further upload may begin before one has ended.
  ///
  /// While the server fails, one upload is made at a time: its answer says whether it has
  /// recovered.
  private var isFull: Bool {
    guard let background else { return false }
    return background.inbox.count
      >= (machine.isHealthy ? max(1, configuration.maximumBackgroundUploads) : 1)
  }

  private enum Next {
    case rest(Duration)
    /// Nothing is sent for this long.
    case blocked(Duration)
    /// An upload has to end first.
    case full
    case act(UploadMachine.Action, Exchange)
  }

  /// The request that an answer belongs to.
  private struct Exchange {
    let session: StoredSession
    let user: SantorioUser
    var rows: [OutboxRow] = []
    var image: ImageRow?
    /// The name of the upload, if the system has performed it.
    var transfer: String?
    /// What is kept of the parts of the record, once all of them are settled.
    var ledger: StateName?
    /// Whether the request was turned away before anything of it was stored.
    var isTurnedAway = false
  }

  private func user(of session: StoredSession) async throws(SessionError) -> SantorioUser {
    SantorioUser(
      userID: session.userID, organizationID: session.organizationID,
      accessToken: try await outbox.token(of: session))
  }

  // MARK: - Sending

  private mutating func submit(
    _ claimed: [OutboxRow], _ exchange: Exchange
  ) async throws(SessionError) -> Next {
    if let row = claimed.first, !row.isDeletion,
      let next = try await submitPart(of: row, exchange)
    {
      return next
    }
    return try await submit(
      UploadRequest(claimed, of: exchange.user, to: machine.destination), exchange)
  }

  private mutating func submit(
    _ request: UploadRequest, _ exchange: Exchange
  ) async throws(SessionError) -> Next {
    var exchange = exchange
    switch request {
    case .unfit(let rows, let results):
      exchange.rows = rows
      return .act(.settle(results), exchange)
    case .request(let plain, let rows):
      exchange.rows = rows
      state.set(.uploading)
      let packed = machine.isPacking ? plain.packed() : nil
      let answer =
        if let background {
          try await begin(packed ?? plain, exchange, isPacked: packed != nil, by: background)
        } else {
          await send(packed ?? plain)
        }
      guard let answer else { return .act(.proceed, exchange) }
      exchange.isTurnedAway = answer.isTurnedAway
      let action = machine.batchAnswered(
        answer, rows: rows, of: exchange.user, isPacked: packed != nil, now: configuration.now())
      return .act(action, exchange)
    }
  }

  // MARK: - Records in parts

  /// Does the next thing for a record that is sent in parts.
  ///
  /// - Returns: Nil when the destination takes records whole.
  private mutating func submitPart(
    of row: OutboxRow, _ exchange: Exchange
  ) async throws(SessionError) -> Next? {
    var exchange = exchange
    exchange.rows = [row]
    let parts: [OutgoingPart]
    do throws(RecordError) {
      guard let found = try machine.destination.parts(of: row.outgoing) else { return nil }
      parts = found
    } catch {
      return .act(.settle([.rejected(RecordFailure(error))]), exchange)
    }
    let name = ledgerName(of: row, exchange.user)
    var ledger = try await outbox.ledger(name)
    switch ledger.next(of: parts) {
    case .done(let result):
      exchange.ledger = name
      return .act(.settle([result]), exchange)
    case .search(let part):
      exchange.rows[0].part = part
      return try await search(for: exchange.rows[0], ledger, as: name, exchange)
    case .send(let part):
      exchange.rows[0].part = part
      ledger.willSend(part)
      try await outbox.note(ledger, as: name)
      return try await submit(
        UploadRequest(exchange.rows, of: exchange.user, to: machine.destination), exchange)
    }
  }

  /// Asks the server for a part whose answer was lost.
  private mutating func search(
    for row: OutboxRow, _ ledger: PartLedger, as name: StateName, _ exchange: Exchange
  ) async throws(SessionError) -> Next {
    guard let part = row.part else { return .act(.proceed, exchange) }
    var (ledger, isStored) = (ledger, Bool?.none)
    if let request = machine.destination.search(for: row.outgoing, of: exchange.user) {
      state.set(.uploading)
      let answer = await send(request)
      switch machine.searchAnswered(answer, for: row, of: exchange.user, now: configuration.now()) {
      case .stored: isStored = true
      case .missing: isStored = false
      case .unknown: break
      case .noAnswer(let action): return .act(action, exchange)
      }
    }
    ledger.searched(for: part, isStored: isStored)
    try await outbox.note(ledger, as: name)
    return .act(.proceed, exchange)
  }

  private func ledgerName(of row: OutboxRow, _ user: SantorioUser) -> StateName {
    Outbox.ledgerName(of: row.logID, user, at: machine.destination)
  }

  private mutating func submit(
    _ image: ImageRow, _ bytes: [UInt8], _ exchange: Exchange
  ) async throws(SessionError) -> Next {
    let outgoing = OutgoingImage(
      logID: image.logID, sha256: image.digest, contentType: image.contentType, bytes: bytes)
    guard let request = machine.destination.imageSubmission(outgoing, of: exchange.user) else {
      return .act(.settleImage(.rejected(.imagesNotTaken)), exchange)
    }
    state.set(.uploading)
    let answer =
      if let background {
        try await begin(request, exchange, isPacked: false, by: background)
      } else {
        await send(request)
      }
    guard let answer else { return .act(.proceed, exchange) }
    let action = machine.imageAnswered(
      answer, image: image.media, of: exchange.user, now: configuration.now())
    return .act(action, exchange)
  }

  private typealias Answer = Result<TransportResponse, TransportError>

  /// Begins an upload; returns an answer only when that failed.
  private func begin(
    _ request: TransportRequest, _ exchange: Exchange, isPacked: Bool,
    by background: BackgroundUploads
  ) async throws(SessionError) -> Answer? {
    let content = StoredTransfer.Content(
      rows: exchange.rows.map {
        .init(sequence: $0.sequence, sum: $0.sum, logID: $0.logID, part: $0.part)
      },
      image: exchange.image, isPacked: isPacked,
      tokenMark: try await outbox.mark(ofToken: exchange.user.accessToken))
    let transfer = StoredTransfer(
      id: UUID().uuidString, session: exchange.session.id, content: content)
    try await outbox.begin(transfer)
    do throws(TransportError) {
      try await background.start(request, of: transfer)
      return nil
    } catch {
      try await outbox.end(transfers: [transfer.id])
      return .failure(error)
    }
  }

  private func send(_ request: TransportRequest) async -> Answer {
    var request = request
    request.timeout = configuration.requestTimeout
    do throws(TransportError) {
      return .success(try await configuration.transport.send(request))
    } catch {
      return .failure(error)
    }
  }

  private mutating func validate(_ session: StoredSession) async throws(SessionError) -> Next {
    let user = try await user(of: session)
    let exchange = Exchange(session: session, user: user)
    guard !machine.isRefused(user.accessToken) else { return .act(.refreshToken, exchange) }
    guard let question = machine.destination.validation(of: user) else {
      return .act(.acceptCredentials, exchange)
    }
    let answer = await send(question)
    return .act(
      machine.validationAnswered(answer, of: user, now: configuration.now()), exchange)
  }

  // MARK: - Answers of uploads that the system performs

  /// Settles an upload whose answer has come.
  ///
  /// - Returns: False when there is none.
  private mutating func settleArrival() async throws(SessionError) -> Bool {
    guard let background, !isFailingHere, let arrival = background.inbox.next() else {
      return false
    }
    do throws(SessionError) {
      try await settle(arrival)
    } catch {
      background.inbox.putBack(arrival)
      throw error
    }
    background.settled(arrival.transfer.id)
    return true
  }

  private mutating func settle(_ arrival: TransferInbox.Arrival) async throws(SessionError) {
    let transfer = arrival.transfer
    guard let session = try await outbox.session(), session.id == transfer.session,
      !arrival.wasCancelled
    else { return try await outbox.end(transfers: [transfer.id]) }
    let user = try await user(of: session)
    let isOfToken = try await outbox.mark(ofToken: user.accessToken) == transfer.content.tokenMark
    guard isOfToken || !arrival.isRefusal else {
      return try await outbox.end(transfers: [transfer.id])
    }
    var exchange = Exchange(
      session: session, user: user, image: transfer.content.image, transfer: transfer.id)
    if let image = transfer.content.image {
      let action = machine.imageAnswered(
        arrival.answer, image: image.media, of: user, now: configuration.now())
      return try await perform(action, exchange)
    }
    exchange.isTurnedAway = arrival.answer.isTurnedAway
    let found = try await outbox.rows(of: transfer)
    exchange.rows = zip(found, transfer.content.rows).map { $0 ?? OutboxRow(changed: $1) }
    guard !found.contains(nil) || machine.hasResult(in: arrival.answer, for: exchange.rows) else {
      return try await outbox.end(transfers: [transfer.id])
    }
    let action = machine.batchAnswered(
      arrival.answer, rows: exchange.rows, of: user, isPacked: transfer.content.isPacked,
      now: configuration.now())
    try await perform(action, exchange)
  }

  // MARK: - Actions

  private mutating func perform(_ next: Next) async throws(SessionError) {
    switch next {
    case .rest(let duration): await rest(duration)
    case .blocked(let duration):
      await reportRest(unless: .answer)
      await sleep(duration, unless: .answer)
    case .full:
      state.set(.uploading)
      await reportRest(unless: .answer)
      await sleep(WakeUp.untilCalled, unless: .answer)
    case .act(let action, let exchange): try await perform(action, exchange)
    }
  }

  private mutating func perform(
    _ action: UploadMachine.Action, _ exchange: Exchange
  ) async throws(SessionError) {
    var exchange = exchange
    let session = exchange.session
    // Of an upload only a result keeps its rows from being sent again.
    if let transfer = exchange.transfer, !action.isSettling {
      try await outbox.end(transfers: [transfer])
      exchange.transfer = nil
    }
    if exchange.isTurnedAway, let row = exchange.rows.first, let part = row.part {
      try await outbox.takeBack(part, of: ledgerName(of: row, exchange.user))
      exchange.isTurnedAway = false
    }
    switch action {
    case .proceed: break
    case .wait(let duration, let error): wait(duration, because: error)
    case .validate: try await perform(validate(session))
    case .acceptCredentials: try await outbox.markValidated(session.id)
    case .refreshToken: try await perform(refreshToken(exchange.user), exchange)
    case .useToken(let token):
      try await outbox.replaceToken(
        of: session, refused: exchange.user.accessToken, with: token)
    case .endSession:
      _ = try await outbox.endRefusedSession(
        session.id, token: exchange.user.accessToken, by: configuration.destination.endpoint)
      SantorioSession.log("session ended", .kind("credentials refused"))
      // What is still under way belongs to no session.
      hasTakenUp = false
      delivering.call(.work)
    case .settleImage(let result):
      guard let image = exchange.image else { return }
      try await outbox.settle(image, result, ending: exchange.transfer)
      SantorioSession.log(.upload, "image answered")
      delivering.call(.work)
    case .settle(let results):
      SantorioSession.log(.upload, "records answered", .count("records", results.count))
      if let row = exchange.rows.first, row.part != nil, let result = results.first {
        return try await outbox.settlePart(
          of: row, result, as: ledgerName(of: row, exchange.user), ending: exchange.transfer)
      }
      try await outbox.settle(
        Array(zip(exchange.rows, results)), session: session.id, ending: exchange.transfer,
        closing: exchange.ledger)
      delivering.call(.work)
    }
  }

  /// Asks the app and waits for its answer: meanwhile nothing is sent and it is not asked again.
  private mutating func refreshToken(_ user: SantorioUser) async -> UploadMachine.Action {
    guard let refreshToken = configuration.refreshToken else { return .endSession }
    state.set(.waiting(UploadMachine.tokenAwaited))
    do {
      var user = user
      guard let token = try await refreshToken(user) else {
        // A hook whose task was cancelled may report this by returning no token.
        return machine.tokenRefreshed(
          Task.isCancelled ? .failure(CancellationError()) : .success(nil))
      }
      user.accessToken = token
      try user.validate()
      return machine.tokenRefreshed(.success(token))
    } catch {
      return machine.tokenRefreshed(.failure(error))
    }
  }

  // MARK: - Waiting

  private mutating func rest(_ wait: Duration) async {
    let isUnderway = (background?.inbox.count ?? 0) > 0
    state.set(isUnderway ? .uploading : .idle)
    if !isUnderway { await outbox.rest() }
    await reportRest(unless: .work)
    await sleep(wait, unless: .work)
    await outbox.endRest()
  }

  /// All that can be done now is done, unless an answer or a call has come meanwhile.
  private func reportRest(unless minimum: WakeUp.Urgency) async {
    guard await background?.hasAnswer() != true || isFailingHere else { return }
    rests.rested(unless: { wakeUp.isCalled(minimum) })
  }

  /// New records do not end this wait: the server, not the queue, is the reason for it.
  private mutating func wait(_ wait: Duration, because error: SessionError) {
    SantorioSession.log(
      .upload, "waiting", .error(error.code), .status(error.status), .seconds(wait))
    state.set(.waiting(error))
    blockedUntil = clock.now() + wait
  }

  private mutating func sleep(_ duration: Duration, unless minimum: WakeUp.Urgency) async {
    let call = await wakeUp.sleep(for: duration, on: configuration.clock, unless: minimum)
    if call == .retry { retry() }
  }
}

extension UploadMachine.Action {
  fileprivate var isSettling: Bool {
    switch self {
    case .settle, .settleImage: true
    default: false
    }
  }
}

extension TransferInbox.Arrival {
  /// Whether the upload was ended without an answer, by the user who closes the app for instance.
  fileprivate var wasCancelled: Bool {
    guard case .failure(let error) = answer else { return false }
    return error.code == .cancelled || error.code == .unknownUpload
  }

  /// Whether the server did not accept the credentials.
  fileprivate var isRefusal: Bool {
    guard case .success(let response) = answer else { return false }
    return response.status == 401 || response.status == 403
  }
}

extension OutboxRow {
  /// A row whose content that was sent is not there any more; no result applies to it.
  fileprivate init(changed row: StoredTransfer.Row) {
    self.init(
      sequence: row.sequence, logID: row.logID, body: [], attempts: 0, sum: row.sum)
  }
}
