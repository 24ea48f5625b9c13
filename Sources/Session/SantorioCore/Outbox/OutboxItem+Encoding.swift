// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthRecords
import SantorioConcurrency

extension OutboxItem {
  /// Fewer records are encoded before another thread has woken up.
  private static let leastShare = 25

  /// Encodes records, once for all that happens to them; the processor's cores share many of them.
  ///
  /// - Throws: ``SessionError`` of code `invalidRecord`, for the first that cannot be encoded.
  static func encoding(_ records: [HealthRecord]) throws(SessionError) -> [OutboxItem] {
    let most = records.count / leastShare
    let shares = most < 2 ? 1 : min(most, ProcessInfo.processInfo.activeProcessorCount)
    guard shares > 1 else { return try encoding(records[...]) }
    let results = Locked(
      [Result<[OutboxItem], SessionError>](repeating: .success([]), count: shares))
    DispatchQueue.concurrentPerform(iterations: shares) { share in
      let range = records.count * share / shares..<records.count * (share + 1) / shares
      let result = Result { () throws(SessionError) in try encoding(records[range]) }
      results.withLock { $0[share] = result }
    }
    var items: [OutboxItem] = []
    items.reserveCapacity(records.count)
    for result in results.withLock({ $0 }) {
      switch result {
      case .success(let share): items += share
      case .failure(let error): throw error
      }
    }
    return items
  }

  private static func encoding(
    _ records: ArraySlice<HealthRecord>
  ) throws(SessionError) -> [OutboxItem] {
    var items: [OutboxItem] = []
    items.reserveCapacity(records.count)
    for (index, record) in zip(records.indices, records) {
      do throws(RecordError) {
        items.append(OutboxItem(logID: record.logID, body: try record.informJSON()))
      } catch {
        throw SessionError(error, index: index)
      }
    }
    return items
  }
}
