// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// One client's stream of events: octets to be sent, and where it stands.
final class EventStream: ResponseStream {
  private struct State {
    var octets: ArraySlice<UInt8>
    var position: Int64
    var totals: Totals?
    /// The connection is suspended, until there is something to send.
    var isWaiting = false
    var isClosed = false
  }

  private let connection: SuspendableConnection
  private let hub: EventHub
  private let state: Locked<State>

  init(position: Int64, connection: SuspendableConnection, hub: EventHub) {
    self.connection = connection
    self.hub = hub
    state = Locked(State(octets: Array("retry: 2000\n\n".utf8)[...], position: position))
  }

  /// The number of the last reading that was handed over.
  var position: Int64 { state.withLock { $0.position } }
  var isWaiting: Bool { state.withLock { $0.isWaiting } }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ResponseStreamResult {
    let result = state.withLock { state -> ResponseStreamResult in
      guard state.octets.isEmpty else {
        let count = min(buffer.count, state.octets.count)
        unsafe buffer.copyBytes(from: state.octets.prefix(count))
        state.octets = state.octets.dropFirst(count)
        return .octets(count)
      }
      guard !state.isClosed else { return .end }
      // Under the lock: nobody may resume before this.
      connection.suspend()
      state.isWaiting = true
      return .suspended
    }
    if case .suspended = result { hub.notify() }
    return result
  }

  /// Gives readings and totals to a waiting stream, as far as they are new to it.
  func feed(_ page: EventPage, _ totals: Totals) {
    state.withLock { state in
      let news = page.octets + (state.totals == totals ? [] : totals.event)
      guard state.isWaiting, !news.isEmpty else { return }
      state.position = page.position
      state.totals = totals
      wake(&state, with: news)
    }
  }

  /// Gives octets of no account to a waiting stream.
  func feed(_ octets: [UInt8]) {
    state.withLock { state in
      if state.isWaiting { wake(&state, with: octets) }
    }
  }

  /// Ends the stream after what it has been given.
  func close() {
    state.withLock { state in
      state.isClosed = true
      if state.isWaiting { wake(&state, with: []) }
    }
  }

  func ended() { hub.remove(self) }

  private func wake(_ state: inout State, with octets: [UInt8]) {
    state.octets = octets[...]
    state.isWaiting = false
    connection.resume()
  }
}
