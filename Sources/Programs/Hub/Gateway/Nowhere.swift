// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

/// The destination of a session whose readings are only kept.
struct Nowhere: RecordDestination {
  // Nothing is sent there.
  let endpoint = URL(string: "https://localhost") ?? URL(fileURLWithPath: "/")
  let maximumBatchRecords = 1

  func submission(
    of records: [OutgoingRecord], of user: SantorioUser
  ) throws(RecordError) -> TransportRequest {
    TransportRequest(url: endpoint)
  }

  func results(
    in response: TransportResponse, on records: [OutgoingRecord]
  ) -> [DeliveryResult?] { records.map { _ in nil } }

  func failure(in response: TransportResponse) -> RecordFailure? { nil }

  func imageSubmission(_ image: OutgoingImage, of user: SantorioUser) -> TransportRequest? { nil }

  func media(in response: TransportResponse, for image: RecordMedia) -> RecordMedia? { nil }
}
