// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import SantorioConcurrency

/// Bytes to and from a connected socket, buffered both ways.
///
/// It reads only while its buffer has space, and waits to write only while there are bytes to send.
/// After `close` the stream retains itself until everything has been sent.
final class SocketStream: @unchecked Sendable {
  /// The longest messages.
  struct Limits: Hashable, Sendable {
    var send: Int
    var receive: Int
    /// The number of bytes buffered in each direction.
    var buffer = 1 << 16
  }

  private struct State {
    /// Nil when the socket is no longer used.
    var socket: Socket?
    var reading: SuspendableSource?
    var writing: SuspendableSource?
    var incoming = ChannelBuffer()
    var outgoing = ChannelBuffer()
    var end: RadioChannelEnd?
    /// The error of a call; the kernel reports each error once.
    var error: SocketError?
    var isRoomAwaited = false
    weak var listener: (any RadioChannelListener)?
    var isTelling = false
  }

  private static let queue = DispatchQueue(label: "org.santorio.channels")

  private let limits: Limits
  // Sources are switched and system calls are made with the lock held; callbacks are made without.
  private let state: Locked<State>

  init(_ socket: Socket, limits: Limits) {
    self.limits = limits
    state = Locked(State(socket: socket))
  }

  /// Begins to listen to the socket.
  func open() {
    state.withLock { state in
      guard let socket = state.socket else { return }
      let descriptor = socket.descriptor
      state.reading = SuspendableSource(
        DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue), of: socket
      ) { self.becameReadable() }
      state.writing = SuspendableSource(
        DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Self.queue), of: socket
      ) { self.becameWritable() }
      arm(&state)
    }
  }

  // MARK: - Called by the channel

  var status: RadioChannelStatus {
    state.withLock { state in
      RadioChannelStatus(bytesAvailable: state.incoming.count, room: room(state), end: state.end)
    }
  }

  private func room(_ state: State) -> Int {
    guard state.end == nil, state.error == nil else { return 0 }
    return max(0, limits.buffer - state.outgoing.count)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      let bytes = state.incoming.prefix(buffer.count)
      buffer.copyBytes(from: bytes)
      state.incoming.removeFirst(bytes.count)
      arm(&state)
      return bytes.count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    state.withLock { state in
      let count = min(room(state), bytes.count)
      state.outgoing.append(bytes.prefix(count))
      send(&state)
      if room(state) == 0 { state.isRoomAwaited = true }
      arm(&state)
      return count
    }
  }

  func setListener(_ listener: (any RadioChannelListener)?) {
    state.withLock { $0.listener = listener }
  }

  func close() {
    state.withLock { state in
      guard state.end == nil else { return }
      state.end = .closed
      notify(&state)
      send(&state)
      arm(&state)
      leave(&state, after: .milliseconds(5))
    }
  }

  // MARK: - Called by the dispatch sources

  private func arm(_ state: inout State) {
    state.reading?.set(state.end == nil && state.incoming.count < limits.buffer)
    state.writing?.set(!state.outgoing.isEmpty)
  }

  private func becameReadable() {
    state.withLock { state in
      guard state.end == nil else { return }
      let wasEmpty = state.incoming.isEmpty
      receive(&state)
      if wasEmpty, !state.incoming.isEmpty { notify(&state) }
      arm(&state)
    }
  }

  private func receive(_ state: inout State) {
    guard let socket = state.socket else { return }
    // After the peer has closed, read until the socket is empty: bytes may have arrived before.
    var isOver = false
    while state.incoming.count < limits.buffer {
      do throws(SocketError) {
        let unit = try socket.receive(limits.receive)
        state.incoming.append(unit)
        // An empty message looks like the end.
        if unit.isEmpty, isOver { return finish(&state, socket) }
        isOver = unit.isEmpty && socket.isClosedByPeer
      } catch {
        switch error.code {
        case EINTR: continue
        case EAGAIN where isOver: return finish(&state, socket)
        case EAGAIN where socket.isClosedByPeer: isOver = true
        case EAGAIN: return
        default:
          if state.error != nil { return finish(&state, socket) }
          state.error = error
        }
      }
    }
  }

  private func becameWritable() {
    state.withLock { state in
      send(&state)
      arm(&state)
    }
  }

  private func send(_ state: inout State) {
    guard let socket = state.socket else { return }
    while state.error == nil, !state.outgoing.isEmpty {
      do throws(SocketError) {
        state.outgoing.removeFirst(try socket.send(state.outgoing.prefix(limits.send)))
      } catch {
        switch error.code {
        case EINTR: continue
        case EAGAIN: return notifyOfSpace(&state)
        default: fail(&state, socket, error)
        }
      }
    }
    notifyOfSpace(&state)
  }

  /// Nothing can be sent any more; bytes received before can still be read.
  private func fail(_ state: inout State, _ socket: Socket, _ error: SocketError) {
    state.error = error
    state.outgoing.removeAll()
    if state.end == nil, !socket.isClosedByPeer { finish(&state, socket) }
  }

  private func finish(_ state: inout State, _ socket: Socket) {
    state.end = RadioChannelEnd(state.error, isShutDown: socket.isShutDown)
    state.outgoing.removeAll()
    notify(&state)
    release(&state)
  }

  // MARK: - The end

  /// Releases the socket when everything has been sent.
  ///
  /// The kernel drops bytes that wait for credits when a channel is closed, and does not report
  /// when none are left.
  private func leave(_ state: inout State, after delay: DispatchTimeInterval) {
    guard let socket = state.socket else { return }
    if state.error != nil || socket.isClosedByPeer { return release(&state) }
    if state.outgoing.isEmpty, socket.isDrained { return release(&state) }
    Self.queue.asyncAfter(deadline: .now() + delay) { [self] in
      self.state.withLock { leave(&$0, after: .milliseconds(20)) }
    }
  }

  private func release(_ state: inout State) {
    state.reading?.cancel()
    state.writing?.cancel()
    state.reading = nil
    state.writing = nil
    state.socket = nil
  }

  // MARK: - The listener

  private func notifyOfSpace(_ state: inout State) {
    guard state.isRoomAwaited, room(state) >= (limits.buffer + 1) / 2 else { return }
    state.isRoomAwaited = false
    notify(&state)
  }

  private func notify(_ state: inout State) {
    guard !state.isTelling, state.listener != nil else { return }
    state.isTelling = true
    Self.queue.async { [self] in
      let listener = self.state.withLock { state in
        state.isTelling = false
        return state.listener
      }
      listener?.channelChanged()
    }
  }
}
