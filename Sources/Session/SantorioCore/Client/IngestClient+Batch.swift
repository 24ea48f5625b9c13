// SPDX-License-Identifier: Apache-2.0

public import HealthRecords

extension IngestClient {
  /// Stores records, of one kind or of several, with as few requests as the server's limits allow.
  ///
  /// - Parameter records: The records.
  /// - Returns: One result per record, in order, also where two have the same `logID`. A record
  ///   that the answer does not name has the code `noAnswer`.
  /// - Throws: ``IngestClientError`` when a record cannot be encoded: then nothing was sent, and
  ///   the path of its failure begins with `records[…]`. Also when the first request fails as a
  ///   whole; when a later one does, its records have that error.
  public func post(_ records: [HealthRecord]) async throws(IngestClientError) -> [Result<
    RecordReceipt, IngestClientError
  >] {
    let outgoing = try Self.encode(records)
    var results: [Result<RecordReceipt, IngestClientError>] = []
    for batch in Self.batches(outgoing) {
      do throws(IngestClientError) {
        let response = try await send(api.submission(of: batch, of: user))
        results += Self.results(in: response, of: batch)
      } catch {
        guard !results.isEmpty else { throw error }
        results += batch.map { _ in .failure(error) }
      }
    }
    return results
  }

  private static func encode(
    _ records: [HealthRecord]
  ) throws(IngestClientError) -> [OutgoingRecord] {
    var outgoing: [OutgoingRecord] = []
    for (index, record) in records.enumerated() {
      let bytes = try encode(record, at: "records[\(index)]")
      outgoing.append(OutgoingRecord(logID: record.logID, informJSON: bytes))
    }
    return outgoing
  }

  /// Splits records into batches of at most the server's limit.
  static func batches(
    _ records: [OutgoingRecord], count: Int = 1000, bytes: Int = 3 << 20
  ) -> [[OutgoingRecord]] {
    var batches: [[OutgoingRecord]] = []
    var size = 0
    for record in records {
      let length = record.informJSON.count + 1
      if let last = batches.last, last.count < count, size + length <= bytes {
        batches[batches.count - 1].append(record)
        size += length
      } else {
        batches.append([record])
        size = length
      }
    }
    return batches
  }

  private static func results(
    in response: TransportResponse, of batch: [OutgoingRecord]
  ) -> [Result<RecordReceipt, IngestClientError>] {
    let answer = BatchAnswer(response.body, lines: batch.map(\.logID))
    return batch.indices.map { index in
      let result = answer?.results[index]
      if let receipt = result?.receipt { return .success(receipt) }
      if case .rejected(let failure) = result?.result {
        return .failure(IngestClientError(.refused, status: response.status, failure: failure))
      }
      return .failure(IngestClientError(.noAnswer, status: response.status))
    }
  }
}
