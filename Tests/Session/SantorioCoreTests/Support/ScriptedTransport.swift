// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCompression
import TestSupport

@testable import SantorioCore
import SantorioConcurrency

/// A transport that answers as a closure says, and remembers what was asked.
final class ScriptedTransport: HTTPTransport {
  typealias Answer = @Sendable (TransportRequest, Int) -> Result<TransportResponse, TransportError>

  private let requests = Locked<[TransportRequest]>([])
  private let answer: Answer

  /// `answer` gets the request and its number from 0.
  init(_ answer: @escaping Answer) { self.answer = answer }

  var sent: [TransportRequest] { requests.withLock { $0 } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let number = requests.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    return try answer(request, number).get()
  }

  /// What a healthy server answers.
  static func stored(_ request: TransportRequest) -> Result<TransportResponse, TransportError> {
    guard request.method == "POST" else {
      return .success(TransportResponse(status: 200, body: Array(#"{"id":"alice"}"#.utf8)))
    }
    let results = logIDs(request).map { #"{"log_id":"\#($0)","status":"created","id":"s-\#($0)"}"# }
    return .success(
      TransportResponse(
        status: 200, body: Array(#"{"results":[\#(results.joined(separator: ","))]}"#.utf8)))
  }

  static func logIDs(_ request: TransportRequest) -> [String] {
    plainBody(request).split(separator: UInt8(ascii: "\n"))
      .compactMap { try? HealthRecord(informJSON: $0).logID }
  }

  /// The body as it was before it was compressed, if it was.
  static func plainBody(_ request: TransportRequest) -> [UInt8] {
    let body = request.body ?? []
    return request.isPacked ? (try? Gzip.expand(body, limit: 16 << 20)) ?? [] : body
  }

  /// The identifiers of each batch that was sent.
  var batches: [[String]] { sent.filter { $0.method == "POST" }.map(Self.logIDs) }
}

extension TransportResponse {
  /// An answer; without a body that of the ingest API to a question about credentials or to what it
  /// refuses.
  init(_ status: Int, _ body: String? = nil, _ headers: [String: String] = [:]) {
    let own =
      status < 300 ? #"{"id":"alice"}"# : #"{"error":{"code":"refused","message":""}}"#
    self.init(
      status: status, headers: headers.map { TransportHeader($0.key, $0.value) },
      body: Array((body ?? own).utf8))
  }
}
