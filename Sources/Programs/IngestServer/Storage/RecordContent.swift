// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioJSON
import SantorioCryptography
import CivilCalendar

extension HealthRecord {
  /// The digest of what was measured: kind, time, metrics, tags, notes, and what else was said.
  ///
  /// A record without the members that came later has the digest that it always had, so that what
  /// is stored stays what it is.
  ///
  /// What differs when a device is read again stays out: the time of receipt, the charge of the
  /// battery, the way the record came. A time that the device told counts in place of the one that
  /// the receiver made of it, which depends on the receiver's zone and on the drift found; but not
  /// where a person has corrected it.
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
      let record = try HealthRecord(json)
      self = .record(
        IncomingRecord(logID: record.logID, digest: record.contentDigest, bytes: bytes))
    } catch {
      self = .unusable(bytes: bytes, logID: Self.logID(json), Fault(error, line: line))
    }
  }

  /// The same item where its `log_id` is the one expected, else one that cannot be used.
  func requiring(_ logID: String) -> BatchItem {
    guard case .record(let record) = self, record.logID != logID else { return self }
    let message = "must be the log_id of the path"
    return .unusable(
      bytes: record.bytes, logID: logID,
      Fault("log_id_mismatch", message, path: "log_id"))
  }

  /// The `log_id` of an item that is no record, so that its sender knows which one it was.
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
