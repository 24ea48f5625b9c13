// SPDX-License-Identifier: Apache-2.0

import SantorioCompression
import SantorioConcurrency
import SantorioCryptography

/// An image that is being received.
///
/// It is written to its file and digested part by part, so that at most one part is in memory.
final class ImageUpload: BodySink {
  /// How many bytes at the beginning are kept to detect the type.
  private static let headSize = 1_024
  /// How many parts are written before other clients have their turn.
  private static let partsAtOnce = 4

  private struct State {
    var partial: PartialImage?
    var digest: SHA256Stream?
    var expansion: GzipExpansion?
    /// The bytes received but not yet written.
    var input: [UInt8] = []
    var head: [UInt8] = []
    var size = 0
    var failure: Refusal?
  }

  /// A completely received image.
  struct Received: Sendable {
    let partial: PartialImage
    /// As hexadecimal digits.
    let digest: String
    /// The bytes at its beginning.
    let head: [UInt8]
    /// In bytes.
    let size: Int
  }

  private let digest: MediaDigest
  private let media: MediaQueue
  private let maximum: Int
  private let isGzip: Bool
  private let pool: WorkPool
  private let client: ClientKey
  private let state = Locked(State())

  /// Prepares an upload of at most `maximum` bytes, after expansion if it is gzip.
  init(
    _ digest: MediaDigest, isGzip: Bool, maximum: Int, to media: MediaQueue, by client: ClientKey,
    on pool: WorkPool
  ) {
    (self.digest, self.isGzip, self.maximum) = (digest, isGzip, maximum)
    (self.media, self.client, self.pool) = (media, client, pool)
  }

  /// A gzip body is large work, since it may expand to a large one.
  var lane: WorkPool.Lane { isGzip ? .large : .small }

  func write(_ bytes: [UInt8], completion: @escaping @Sendable () -> Void) {
    take(bytes)
    let job = WorkPool.Job(
      client: client,
      run: { [self] _ in
        guard advance() else { return .more(lane) }
        completion()
        return .done
      }, cancel: completion)
    pool.submit(job, to: lane)
  }

  /// Takes the next bytes; the previous ones must have been written.
  func take(_ bytes: [UInt8]) { state.withLock { $0.input = bytes } }

  /// Writes some of the taken bytes; false while there is more to write.
  func advance() -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return true }
      do throws(Refusal) {
        return try advance(&state)
      } catch {
        state.failure = error
        // Remove the file now, not when the client has sent the rest.
        state.partial = nil
        return true
      }
    }
  }

  func discard() {
    state.withLock { state in
      state.partial?.discard()
      state.partial = nil
    }
  }

  private func advance(_ state: inout State) throws(Refusal) -> Bool {
    guard isGzip else {
      try append(state.input, to: &state)
      state.input = []
      return true
    }
    do throws(GzipError) {
      if state.expansion == nil { state.expansion = try GzipExpansion() }
      if !state.input.isEmpty { state.expansion?.take(state.input) }
      state.input = []
    } catch {
      throw Refusal(gzip: error, maximum: maximum)
    }
    for _ in 0..<Self.partsAtOnce {
      guard let part = try expanded(&state) else { return true }
      try append(part, to: &state)
    }
    return false
  }

  /// The next expanded bytes; nil when there are none.
  private func expanded(_ state: inout State) throws(Refusal) -> [UInt8]? {
    do throws(GzipError) {
      guard case .bytes(let part)? = try state.expansion?.step() else { return nil }
      return part
    } catch {
      throw Refusal(gzip: error, maximum: maximum)
    }
  }

  private func append(_ bytes: [UInt8], to state: inout State) throws(Refusal) {
    state.size += bytes.count
    guard state.size <= maximum else { throw Refusal(.tooLarge(maximum)) }
    state.head += bytes.prefix(Self.headSize - state.head.count)
    do throws(IngestError) {
      if state.partial == nil {
        state.partial = try media.makePartial(digest)
        state.digest = SHA256Stream()
      }
      try state.partial?.append(bytes)
      state.digest?.update(bytes)
    } catch {
      throw Refusal(.unavailable(error.message))
    }
  }

  /// Finishes the upload after all bytes were taken and written.
  func finish() throws(Refusal) -> Received {
    try state.withLock { state throws(Refusal) in
      if let failure = state.failure { throw failure }
      if isGzip, state.expansion?.isComplete != true {
        throw Refusal(gzip: .truncated, maximum: maximum)
      }
      // An empty body gets a file too.
      if state.partial == nil { try append([], to: &state) }
      guard let partial = state.partial, let digest = state.digest else {
        throw Refusal(.internalError)
      }
      return Received(
        partial: partial, digest: digest.finish(), head: state.head, size: state.size)
    }
  }
}
