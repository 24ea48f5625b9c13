// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCompression

/// The rows that one request carries, or the rows that no request can carry.
///
/// A record that the destination cannot represent fails alone: it does not delay the others.
enum UploadRequest {
  case request(TransportRequest, of: [OutboxRow])
  case unfit([OutboxRow], [DeliveryResult])

  init(_ rows: [OutboxRow], of user: SantorioUser, to destination: any RecordDestination) {
    let deletions = destination.acceptsDeletions ? [] : rows.filter(\.isDeletion)
    guard deletions.isEmpty else {
      self = .unfit(deletions, deletions.map { _ in .rejected(.deletionUnsupported) })
      return
    }
    if let request = try? destination.submission(of: rows.map(\.outgoing), of: user) {
      self = .request(request, of: rows)
      return
    }
    var unfit: [(row: OutboxRow, result: DeliveryResult)] = []
    var fit: (request: TransportRequest, row: OutboxRow)?
    for row in rows {
      do throws(RecordError) {
        let request = try destination.submission(of: [row.outgoing], of: user)
        if fit == nil { fit = (request, row) }
      } catch {
        unfit.append((row, .rejected(RecordFailure(error))))
      }
    }
    // If each of them fits on its own, the first is sent alone.
    if unfit.isEmpty, let fit {
      self = .request(fit.request, of: [fit.row])
    } else {
      self = .unfit(unfit.map(\.row), unfit.map(\.result))
    }
  }
}

extension OutboxRow {
  var outgoing: OutgoingRecord { OutgoingRecord(logID: logID, informJSON: body, part: part) }
}

extension TransportRequest {
  /// Bodies up to this size are not worth compressing.
  private static let smallest = 1024

  /// The request with its body compressed; nil when that would not make it shorter.
  func packed() -> TransportRequest? {
    guard let body, body.count > Self.smallest, let packed = Gzip.compress(body),
      packed.count < body.count
    else { return nil }
    var request = self
    request.body = packed
    request.headers.append(TransportHeader("Content-Encoding", "gzip"))
    return request
  }

  /// Whether the body is compressed.
  var isPacked: Bool { headers.contains { $0.name == "Content-Encoding" } }
}
