// SPDX-License-Identifier: Apache-2.0

/// Assigns the system's reports about transfers to those who wait for their answers.
///
/// The system carries on with transfers while the program is not running, and then reports on some
/// that this launch has not started. A transfer has the name of its upload; the system numbers its
/// attempts in its own way.
struct TransferLedger<Waiter> {
  typealias Answer = Result<TransportResponse, TransportError>

  /// What becomes of the wish for an answer.
  enum Admission {
    /// It is there.
    case answered(Answer)
    /// The waiter waits for it.
    case waits
    /// There is no such upload.
    case unknown
  }

  private struct Upload {
    var body: [UInt8] = []
    var isTooLarge = false
    var answer: Answer?
    var waiters: [Int: Waiter] = [:]
  }

  /// The largest accepted body of an answer, in bytes.
  let limit: Int
  private var uploads: [String: Upload] = [:]
  /// The system reports on these too, and nobody wants to know.
  private var cancelledIDs: Set<String> = []

  init(limit: Int) { self.limit = limit }

  /// The uploads that are under way or answered, and whether they are answered.
  var known: [String: Bool] { uploads.mapValues { $0.answer != nil } }

  /// An upload was started, or the system reports on it.
  mutating func found(_ id: String) {
    if uploads[id] == nil, !cancelledIDs.contains(id) { uploads[id] = Upload() }
  }

  /// A waiter wants the answer; one that is there is forgotten then.
  mutating func wants(_ id: String, _ waiter: Waiter, number: Int) -> Admission {
    guard let upload = uploads[id] else { return .unknown }
    guard let answer = upload.answer else {
      uploads[id]?.waiters[number] = waiter
      return .waits
    }
    uploads[id] = nil
    return .answered(answer)
  }

  /// A waiter gives up; the upload goes on.
  mutating func gaveUp(_ number: Int) -> Waiter? {
    for id in uploads.keys {
      if let waiter = uploads[id]?.waiters.removeValue(forKey: number) { return waiter }
    }
    return nil
  }

  /// A part of an answer's body arrived; false when it is larger than allowed.
  mutating func received(_ bytes: some Collection<UInt8>, of id: String) -> Bool {
    guard let upload = uploads[id], upload.answer == nil else { return true }
    guard upload.body.count + bytes.count <= limit else {
      uploads[id]?.isTooLarge = true
      return false
    }
    uploads[id]?.body += bytes
    return true
  }

  /// A transfer has ended, with the head of an answer or with an error.
  ///
  /// - Returns: Those who waited for the answer, and the answer; nil for an upload that is not known.
  mutating func completed(
    _ id: String, with head: Answer
  ) -> (waiters: [Waiter], answer: Answer)? {
    guard let upload = uploads[id], upload.answer == nil else { return nil }
    let answer: Answer =
      upload.isTooLarge
      ? .failure(TransportError(.tooLarge, "the answer is larger than allowed"))
      : head.map { TransportResponse(status: $0.status, headers: $0.headers, body: upload.body) }
    let waiters = Array(upload.waiters.values)
    uploads[id] = waiters.isEmpty ? Upload(answer: answer) : nil
    return (waiters, answer)
  }

  /// Uploads were cancelled; returns those who waited for them.
  mutating func cancelled(_ ids: Set<String>) -> [Waiter] {
    cancelledIDs.formUnion(ids)
    return ids.flatMap { id in
      uploads.removeValue(forKey: id).map { Array($0.waiters.values) } ?? []
    }
  }
}
