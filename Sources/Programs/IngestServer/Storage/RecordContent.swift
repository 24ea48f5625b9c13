// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioJSON
import SantorioCryptography

extension HealthRecord {
  /// The digest of the measured content: kind, time, metrics, tags, notes and details.
  ///
  /// A record without the members that were added later keeps its digest, so that stored digests
  /// stay valid.
  ///
  /// The digest excludes what differs when a device is read again: the time of receipt, the battery
  /// level and the transport. The time reported by the device counts instead of the one derived by
  /// the receiver, which depends on the receiver's zone and the measured drift, unless a user has
  /// corrected it.
  var contentDigest: [UInt8] {
    var json = JSONWriter()
    json.array { json in
      json.string(kind.rawValue)
      if let deviceTime = time.deviceTime, time.origin != .user {
        json.string(deviceTime.description)
        json.number(time.end.timeIntervalSince(time.start))
      } else {
        json.instant(time.start)
        json.instant(time.end)
        json.integer(time.utcOffsetSeconds ?? -1_000_000)
      }
      json.array { json in
        for metric in metrics {
          metric.writeContent(to: &json)
        }
      }
      json.array { json in for tag in tags { json.pair("n", tag.name, "v", tag.value) } }
      json.array { json in for note in userNotes { json.pair("t", note.type, "v", note.value) } }
      if hasDetails { json.object(writeDetails) }
    }
    return SHA256Digest.bytes(json.bytes)
  }
}

extension IncomingDeletion {
  /// The digest by which a deletion that is sent again is recognised.
  var digest: [UInt8] { SHA256Digest.bytes(Array("deleted \(noticed)".utf8)) }
}

extension BatchItem {
  /// Reads one line of a batch.
  init(_ bytes: [UInt8], line: Int?) {
    let json: JSONReader
    do throws(RecordError) {
      json = try JSONReader(parsing: bytes)
    } catch {
      self = .unusable(bytes: bytes, logID: nil, Fault(error, line: line))
      return
    }
    do throws(RecordError) {
      guard !RecordDeletion.isMeant(by: json) else {
        let deletion = try RecordDeletion(json)
        self = .deletion(
          IncomingDeletion(
            logID: deletion.logID, noticed: deletion.noticed.milliseconds, bytes: bytes))
        return
      }
      let record = try HealthRecord(json)
      self = .record(
        IncomingRecord(
          logID: record.logID, digest: record.contentDigest, bytes: bytes,
          changed: record.lastUpdated?.milliseconds))
    } catch {
      self = .unusable(bytes: bytes, logID: Self.logID(json), Fault(error, line: line))
    }
  }

  /// The same item if it has the expected `log_id`, else an unusable one.
  func requiring(_ logID: String) -> BatchItem {
    if case .deletion(let deletion) = self {
      let message = "a deletion is no content; POST it, or DELETE the record for good"
      return .unusable(
        bytes: deletion.bytes, logID: logID,
        Fault(RecordError.Code.invalidValue.rawValue, message, path: "deleted_at"))
    }
    guard case .record(let record) = self, record.logID != logID else { return self }
    let message = "must match the log_id in the path"
    return .unusable(
      bytes: record.bytes, logID: logID,
      Fault("log_id_mismatch", message, path: "log_id"))
  }

  /// The `log_id` of an item that is not a record, so that its sender can identify it.
  private static func logID(_ json: JSONReader) -> String? {
    guard let logID = try? json.optional("log_id")?.string(), (1...128).contains(logID.utf8.count),
      logID.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return nil }
    return logID
  }

  /// Whether the item is not even JSON.
  var isMalformed: Bool {
    guard case .unusable(_, _, let fault) = self else { return false }
    return fault.code == RecordError.Code.malformedJSON.rawValue
  }
}
