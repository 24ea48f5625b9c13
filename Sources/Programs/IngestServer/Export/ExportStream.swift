// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// The response stream of an export.
///
/// Each part is made on the pool, in turns with other work, once the client has taken the previous
/// one.
final class ExportStream: ResponseStream {
  private struct State {
    var part: ArraySlice<UInt8> = []
    var end: ResponseStreamResult?
  }

  private let export: UserExport
  private let connection: SuspendableConnection
  private let pool: WorkPool
  private let lease: RequestLease
  private let log: @Sendable (String) -> Void
  private let state = Locked(State())

  init(
    _ export: UserExport, on connection: SuspendableConnection, pool: WorkPool, lease: RequestLease,
    log: @escaping @Sendable (String) -> Void
  ) {
    (self.export, self.connection, self.pool) = (export, connection, pool)
    (self.lease, self.log) = (lease, log)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ResponseStreamResult {
    let result = state.withLock { state -> ResponseStreamResult in
      if !state.part.isEmpty {
        let count = min(buffer.count, state.part.count)
        unsafe buffer.copyBytes(from: state.part.prefix(count))
        state.part = state.part.dropFirst(count)
        return .bytes(count)
      }
      if let end = state.end { return end }
      return connection.suspend() ? .suspended : .failure
    }
    if case .suspended = result { makePart() }
    return result
  }

  func ended() {}

  private func makePart() {
    let job = WorkPool.Job(
      client: lease.client,
      run: { [self] turn in
        do throws(IngestError) {
          let part = try export.next()
          // An empty part would look like the end of the stream.
          if let part, part.isEmpty { return .more(turn.lane) }
          resume(with: part)
        } catch {
          log("an export was aborted: \(error)")
          fail()
        }
        return .done
      },
      cancel: { [self] in fail() })
    pool.submit(job, to: .large)
  }

  private func resume(with part: [UInt8]?) {
    state.withLock { state in
      if let part { state.part = part[...] } else { state.end = .end }
    }
    lease.forceHold(max(UserExport.memory, part?.count ?? 0))
    connection.resume()
  }

  private func fail() {
    state.withLock { $0.end = .failure }
    connection.resume()
  }
}
