// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import SantorioConcurrency
import SantorioSockets

/// A program that is connected to a hub's control socket.
final class ControlConnection: @unchecked Sendable {
  // All that changes is touched on `queue` only.
  private let descriptor: Int32
  let peer: PeerCredentials
  private let role: HubRole
  private let limits: HubControlServer.Limits
  private let monotonicClock: MonotonicClock
  private let handler: any HubControlHandler
  private let ended: @Sendable (ControlConnection) -> Void
  private let queue = DispatchQueue(label: "santorio.hub.control.connection")
  private var source: (any DispatchSourceRead)?
  private var timer: DeadlineTimer?
  private var received: [UInt8] = []
  private var task: Task<Void, Never>?
  /// Whether no more requests are read: the last answer ends the connection.
  private var isLast = false
  private var isClosed = false

  init(
    _ descriptor: Int32, _ peer: PeerCredentials, _ role: HubRole,
    _ limits: HubControlServer.Limits, _ monotonicClock: MonotonicClock,
    _ handler: any HubControlHandler,
    ended: @escaping @Sendable (ControlConnection) -> Void
  ) {
    self.descriptor = descriptor
    self.peer = peer
    self.role = role
    self.limits = limits
    self.monotonicClock = monotonicClock
    self.handler = handler
    self.ended = ended
  }

  /// Reads requests from now on.
  func start() {
    queue.async { [self] in
      timer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in self?.wasIdle() }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [weak self] in self?.receive() }
      source.setCancelHandler { [self] in
        Glibc.close(descriptor)
        ended(self)
      }
      self.source = source
      source.activate()
      waitForRequest()
    }
  }

  /// Answers what is being carried out, which is cancelled, and ends.
  func stop() {
    queue.async { [self] in
      isLast = true
      received = []
      guard let task else {
        return fail(HubFault(.stopping, "the hub is stopping; try again when it runs"))
      }
      task.cancel()
    }
  }

  // MARK: - On the queue

  private func waitForRequest() {
    guard !isLast || received.contains(UInt8(ascii: "\n")) else { return close() }
    timer?.set(monotonicClock.now() + limits.idleTime)
    nextRequest()
  }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else {
      guard count == 0 || (errno != EAGAIN && errno != EINTR) else { return }
      return hungUp(isError: count < 0)
    }
    received += buffer.prefix(count)
    nextRequest()
  }

  /// The program sends nothing more: it may still read its answer, as `nc -N` does.
  private func hungUp(isError: Bool) {
    var facts = pollfd(fd: descriptor, events: 0, revents: 0)
    unsafe poll(&facts, 1, 0)
    let hasGone = isError || facts.revents & Int16(POLLHUP | POLLERR) != 0
    guard task != nil, !hasGone else { return close() }
    isLast = true
    // It would report the end again and again.
    source?.suspend()
    isSuspended = true
  }

  private var isSuspended = false

  private func nextRequest() {
    guard !isClosed, task == nil else {
      // What comes meanwhile is read later, within bounds.
      if received.count > limits.requestBytes { close() }
      return
    }
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else {
      if received.count >= limits.requestBytes { tooLarge() }
      return
    }
    guard end < limits.requestBytes else { return tooLarge() }
    let line = received[..<end]
    received = Array(received[(end + 1)...])
    do throws(HubFault) {
      let request = try HubRequest(parsing: line)
      guard request.role <= role else { throw notAllowed(request) }
      carryOut(request)
    } catch {
      finish(.failed(error))
    }
  }

  private func notAllowed(_ request: HubRequest) -> HubFault {
    HubFault(
      .notAllowed,
      "this user may not \(request.name): run as root, or add the user's number (id -u) to "
        + "\"control\": {\"\(request.role.member)\": []} in the hub's configuration")
  }

  private func carryOut(_ request: HubRequest) {
    timer?.set(nil)
    task = Task { [self, handler, peer] in
      let answer = await handler.answer(request, from: peer) { [weak self] progress in
        guard let self else { return }
        queue.async { self.send(.progress(progress)) }
      }
      queue.async { [self] in
        task = nil
        finish(answer)
      }
    }
  }

  private func finish(_ answer: HubAnswer) {
    send(.final(answer.shown(to: role)))
    if !isClosed { waitForRequest() }
  }

  private func send(_ line: HubAnswerLine) {
    guard !isClosed else { return }
    let isSent = ControlSocket.send(
      line.json + [UInt8(ascii: "\n")], on: descriptor, milliseconds: limits.answerMilliseconds)
    if !isSent { close() }
  }

  private func fail(_ fault: HubFault) {
    send(.final(.failed(fault)))
    close()
  }

  private func tooLarge() {
    fail(HubFault(.tooLarge, "a request has at most \(limits.requestBytes) bytes"))
  }

  private func wasIdle() {
    fail(HubFault(.idle, "no request came within \(limits.idleTime.components.seconds) seconds"))
  }

  private func close() {
    guard !isClosed else { return }
    isClosed = true
    timer?.set(nil)
    task?.cancel()
    source?.cancel()
    if isSuspended { source?.resume() }
  }
}
