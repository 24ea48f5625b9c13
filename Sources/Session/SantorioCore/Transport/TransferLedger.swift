// SPDX-License-Identifier: Apache-2.0

/// Assigns answers to requests when the system carries out the transfers.
///
/// The system continues transfers while the program is not running. A transfer is identified by
/// the digest of its request. One that an earlier launch started, or whose task was cancelled, is
/// an orphan: no task waits for its answer. If the same request is made again before the answer
/// arrives, it joins the transfer; if it is made afterwards, it gets the answer. So a batch that
/// was sent while the program was gone is not sent twice. An answer that is never requested is
/// dropped: its records are still in the queue and are sent again, and the server recognises them
/// by their identifiers.
struct TransferLedger<Waiter> {
  typealias Answer = Result<TransportResponse, TransportError>

  /// How a request is handled.
  enum Admission {
    /// An orphan has the answer already.
    case answered(TransportResponse)
    /// A transfer of the same request is under way; the waiter waits for it.
    case joined
    /// Start a transfer, then call ``started(_:for:)``.
    case start
  }

  /// A transfer that has ended.
  struct Completion {
    let key: String
    let waiters: [Waiter]
    let answer: Answer
  }

  private struct Request {
    let key: String
    let limit: Int
    let waiter: Waiter
  }

  private struct Transfer {
    let key: String
    var limit: Int
    var body: [UInt8] = []
    var isTooLarge = false
    var waiters: [Int: Waiter] = [:]
  }

  private var starting: [Int: Request] = [:]
  private var running: [Int: Transfer] = [:]
  private var kept: [(key: String, response: TransportResponse)] = []

  /// The maximum number of answers kept for a later request.
  static var mostKept: Int { 8 }

  /// The digests of the current requests.
  var keys: Set<String> {
    Set(running.values.map(\.key)).union(starting.values.map(\.key))
  }

  /// An earlier launch started this transfer.
  mutating func found(_ transfer: Int, key: String, limit: Int) {
    guard running[transfer] == nil else { return }
    running[transfer] = Transfer(key: key, limit: limit)
  }

  /// The waiter `id` makes a request.
  mutating func requested(
    _ key: String, by id: Int, limit: Int, _ waiter: Waiter
  ) -> Admission {
    if let index = kept.firstIndex(where: { $0.key == key }) {
      return .answered(kept.remove(at: index).response)
    }
    guard let transfer = running.first(where: { $0.value.key == key })?.key else {
      starting[id] = Request(key: key, limit: limit, waiter: waiter)
      return .start
    }
    running[transfer]?.waiters[id] = waiter
    return .joined
  }

  /// The transfer of `id` has started; false when it was given up in the meantime.
  mutating func started(_ transfer: Int, for id: Int) -> Bool {
    guard let request = starting.removeValue(forKey: id) else { return false }
    running[transfer] = Transfer(
      key: request.key, limit: request.limit, waiters: [id: request.waiter])
    return true
  }

  /// The waiter `id` gives up; its transfer, if it has started, continues without it.
  mutating func gaveUp(_ id: Int) -> Waiter? {
    if let request = starting.removeValue(forKey: id) { return request.waiter }
    for transfer in running.keys {
      if let waiter = running[transfer]?.waiters.removeValue(forKey: id) { return waiter }
    }
    return nil
  }

  /// A part of an answer's body arrived; false when it is larger than allowed.
  mutating func received(_ bytes: some Collection<UInt8>, of transfer: Int) -> Bool {
    guard let known = running[transfer] else { return true }
    guard known.body.count + bytes.count <= known.limit else {
      running[transfer]?.isTooLarge = true
      return false
    }
    running[transfer]?.body += bytes
    return true
  }

  /// A transfer has ended, with the head of an answer or with an error.
  mutating func completed(_ transfer: Int, with head: Answer) -> Completion? {
    guard let known = running.removeValue(forKey: transfer) else { return nil }
    let answer: Answer =
      known.isTooLarge
      ? .failure(TransportError(.tooLarge, "the answer is larger than allowed"))
      : head.map { TransportResponse(status: $0.status, headers: $0.headers, body: known.body) }
    keep(answer, of: known)
    return Completion(key: known.key, waiters: Array(known.waiters.values), answer: answer)
  }

  /// Keeps only a result that stays true: that the server accepted the records.
  private mutating func keep(_ answer: Answer, of transfer: Transfer) {
    guard transfer.waiters.isEmpty, case .success(let response) = answer,
      (200...299).contains(response.status)
    else { return }
    if kept.count == Self.mostKept { kept.removeFirst() }
    kept.append((transfer.key, response))
  }

  /// Drops the kept answers, since they may no longer be true.
  mutating func forget() { kept = [] }
}
