// SPDX-License-Identifier: Apache-2.0

/// Whose the answers are of transfers that the system carries out, also while the program does not
/// run.
///
/// A transfer is known by the digest of its request. One that an earlier launch began, or whose
/// task was cancelled, is an orphan: nobody waits for its answer. If the same request is made again
/// before the answer is there, it joins the transfer; if it is made afterwards, it gets the answer.
/// So a batch that went out while the program was gone is not sent twice. An answer that nobody
/// asks for is dropped: its records are still in the queue and are sent again, and the server knows
/// them by their identifiers.
struct TransferLedger<Waiter> {
  typealias Answer = Result<TransportResponse, TransportError>

  /// What is to be done for a request.
  enum Admission {
    /// An orphan has the answer already.
    case answered(TransportResponse)
    /// A transfer of the same request is under way; the waiter waits for it.
    case joined
    /// Begin a transfer, then call ``started(_:for:)``.
    case start
  }

  /// A transfer that is over.
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

  /// The most answers that are kept for somebody to ask.
  static var mostKept: Int { 8 }

  /// The digests of the requests under way.
  var keys: Set<String> {
    Set(running.values.map(\.key)).union(starting.values.map(\.key))
  }

  /// An earlier launch began this transfer.
  mutating func found(_ transfer: Int, key: String, limit: Int) {
    guard running[transfer] == nil else { return }
    running[transfer] = Transfer(key: key, limit: limit)
  }

  /// Somebody, `id`, makes a request.
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

  /// The transfer of `id` has begun; false when it was given up meanwhile.
  mutating func started(_ transfer: Int, for id: Int) -> Bool {
    guard let request = starting.removeValue(forKey: id) else { return false }
    running[transfer] = Transfer(
      key: request.key, limit: request.limit, waiters: [id: request.waiter])
    return true
  }

  /// The waiter `id` gives up; its transfer, if it has begun, goes on without it.
  mutating func gaveUp(_ id: Int) -> Waiter? {
    if let request = starting.removeValue(forKey: id) { return request.waiter }
    for transfer in running.keys {
      if let waiter = running[transfer]?.waiters.removeValue(forKey: id) { return waiter }
    }
    return nil
  }

  /// A part of an answer's body came; false when it is larger than allowed.
  mutating func received(_ bytes: some Collection<UInt8>, of transfer: Int) -> Bool {
    guard let known = running[transfer] else { return true }
    guard known.body.count + bytes.count <= known.limit else {
      running[transfer]?.isTooLarge = true
      return false
    }
    running[transfer]?.body += bytes
    return true
  }

  /// A transfer is over, with the head of an answer or with an error.
  mutating func completed(_ transfer: Int, with head: Answer) -> Completion? {
    guard let known = running.removeValue(forKey: transfer) else { return nil }
    let answer: Answer =
      known.isTooLarge
      ? .failure(TransportError(.tooLarge, "the answer is larger than allowed"))
      : head.map { TransportResponse(status: $0.status, headers: $0.headers, body: known.body) }
    keep(answer, of: known)
    return Completion(key: known.key, waiters: Array(known.waiters.values), answer: answer)
  }

  /// Only what stays true is kept: that the server took the records.
  private mutating func keep(_ answer: Answer, of transfer: Transfer) {
    guard transfer.waiters.isEmpty, case .success(let response) = answer,
      (200...299).contains(response.status)
    else { return }
    if kept.count == Self.mostKept { kept.removeFirst() }
    kept.append((transfer.key, response))
  }

  /// Drops the answers that were kept: what they say may no longer be so.
  mutating func forget() { kept = [] }
}
