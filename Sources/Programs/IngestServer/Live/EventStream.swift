// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// One client's stream of events: bytes to be sent and its position.
final class EventStream: ResponseStream {
  private struct State {
    /// The pieces to be sent; streams share the piece of a page.
    var pieces: [ArraySlice<UInt8>]
    var position: Int64
    var totals: Totals?
    /// Whether the connection is suspended until there is something to send.
    var isWaiting = false
    var isClosed = false
  }

  let watcher: EventWatcher
  private let connection: SuspendableConnection
  private let hub: LiveEventHub
  private let lease: RequestLease
  private let state: Locked<State>

  init(
    of watcher: EventWatcher, position: Int64, connection: SuspendableConnection, hub: LiveEventHub,
    lease: RequestLease
  ) {
    self.watcher = watcher
    self.connection = connection
    self.hub = hub
    self.lease = lease
    state = Locked(State(pieces: [Array("retry: 2000\n\n".utf8)[...]], position: position))
  }

  /// The number of the last reading given to the stream.
  var position: Int64 { state.withLock { $0.position } }
  var isWaiting: Bool { state.withLock { $0.isWaiting } }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ResponseStreamResult {
    let result = state.withLock { state -> ResponseStreamResult in
      if let piece = state.pieces.first {
        let count = min(buffer.count, piece.count)
        unsafe buffer.copyBytes(from: piece.prefix(count))
        state.pieces[0] = piece.dropFirst(count)
        if state.pieces[0].isEmpty { state.pieces.removeFirst() }
        return .bytes(count)
      }
      lease.forceHold(0)
      // Under the lock, so that nothing resumes the connection before this.
      guard !state.isClosed, connection.suspend() else { return .end }
      state.isWaiting = true
      return .suspended
    }
    if case .suspended = result { hub.notify() }
    return result
  }

  /// Gives new readings and totals to a waiting stream; without memory for them it keeps waiting.
  func feed(_ page: EventPage, _ totals: Totals?) {
    state.withLock { state in
      let isNew = totals != nil && totals != state.totals
      let bytes = [page.bytes, isNew ? totals?.event ?? [] : []].filter { !$0.isEmpty }
      guard state.isWaiting, (try? lease.hold(bytes.reduce(0) { $0 + $1.count })) != nil else {
        return
      }
      state.position = page.position
      state.totals = totals
      if !bytes.isEmpty { wake(&state, with: bytes) }
    }
  }

  /// Gives bytes to a waiting stream without counting their memory.
  func feed(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.isWaiting { wake(&state, with: [bytes]) }
    }
  }

  /// Ends the stream after the bytes it has been given.
  func close() {
    state.withLock { state in
      state.isClosed = true
      if state.isWaiting { wake(&state, with: []) }
    }
  }

  /// Ends the stream at once and discards its bytes: its watcher may no longer see them.
  func cancel() {
    state.withLock { $0.pieces = [] }
    close()
  }

  func ended() { hub.remove(self) }

  private func wake(_ state: inout State, with pieces: [[UInt8]]) {
    state.pieces = pieces.map { $0[...] }
    state.isWaiting = false
    connection.resume()
  }
}
