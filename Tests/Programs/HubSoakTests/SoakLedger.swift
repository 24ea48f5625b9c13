// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency

/// A measurement that a device has made.
struct SoakReading: Hashable, Sendable {
  /// The device's number in the ward, and its entry in the catalogue.
  let device: Int
  let model: Int
  /// Whose it is; nil for a user of whom nobody knows who that is.
  let patient: String?
  /// Its values; "failed" for a measurement that failed.
  let values: String
  /// When it was made, in true time.
  let time: Date

  static let failed = "failed"
}

/// What became of a measurement.
enum SoakFate: String, CaseIterable, Sendable {
  case stored = "on the server once, with its patient"
  case held = "held for a decision: a user whom nobody has assigned"
  case rejected = "declined: failedMeasurement; on the server as what it is"
  case overwritten = "overwritten in the device's full memory before it could be read"
  case lostWithProcess =
    "confirmed by the radio to a process that was killed before it was on the disk"
  // Faults.
  case missing = "MISSING"
  case repeated = "REPEATED on the server"
  case misplaced = "with ANOTHER PATIENT"
  case invented = "on the server, and NO DEVICE made it"

  var isFault: Bool {
    switch self {
    case .stored, .held, .rejected, .overwritten, .lostWithProcess: false
    case .missing, .repeated, .misplaced, .invented: true
    }
  }
}

/// What the devices have made, and what became of it.
final class SoakLedger: Sendable {
  private struct Entries: Sendable {
    var made: [SoakReading] = []
    var overwritten: [Overwritten: Int] = [:]
    var confirmedToKilled: Set<SoakReading> = []

    /// Why a reading is not on the server; nil where nothing accounts for it.
    mutating func takeReason(of reading: SoakReading) -> SoakFate? {
      let gone = Overwritten(device: reading.device, values: reading.values)
      if let count = overwritten[gone], count > 0 {
        overwritten[gone] = count - 1
        return .overwritten
      }
      return confirmedToKilled.contains(reading) ? .lostWithProcess : nil
    }
  }

  private struct Overwritten: Hashable, Sendable {
    let device: Int
    let values: String
  }

  private let entries = Locked(Entries())

  var made: [SoakReading] { entries.withLock { $0.made } }

  func add(_ reading: SoakReading) { entries.withLock { $0.made.append(reading) } }

  /// A device has overwritten a frame of a blood pressure.
  func overwrote(_ device: Int, _ frame: [UInt8]) {
    let values =
      frame[2] == 7 ? SoakReading.failed : "\(frame[1])/\(frame[3]) \(frame[14])"
    entries.withLock { $0.overwritten[.init(device: device, values: values), default: 0] += 1 }
  }

  /// A device has erased what it has made since a time: the radio had confirmed it to a process that
  /// was killed then.
  func confirmedToKilled(_ device: Int, since: Date) {
    entries.withLock { entries in
      let some = entries.made.filter { $0.device == device && $0.time > since }
      entries.confirmedToKilled.formUnion(some)
    }
  }

  // MARK: - The end

  /// A record, and in whose hands it is.
  struct Found: Hashable, Sendable {
    /// The patient; nil for one that is held until somebody decides.
    let patient: String?
    let model: Int
    let values: String
    /// In how many forms the server has it.
    var forms = 1
    let logID: String
  }

  /// Says what became of each measurement, and which records no device has made.
  ///
  /// - Parameter found: What is on the server, and what is held.
  /// - Returns: The fates with their lines.
  func settle(_ found: [Found]) -> [(SoakFate, String)] {
    var all = entries.withLock { $0 }
    var lines: [(SoakFate, String)] = []
    var left = Dictionary(grouping: found) { Place(patient: $0.patient, $0.model, $0.values) }
    var unmatched: [SoakReading] = []
    for reading in all.made {
      if let match = left[Place(of: reading)]?.popLast() {
        lines.append((match.forms > 1 ? .repeated : reading.ordinaryFate, "\(reading)"))
      } else {
        unmatched.append(reading)
      }
    }
    // After all others: what is left now is nobody else's.
    for reading in unmatched {
      let fate = all.takeReason(of: reading)
      lines.append((fate ?? Self.fault(of: reading, &left), "\(reading)"))
    }
    let made = Set(all.made.map { Place(of: $0) })
    for (place, records) in left {
      for record in records {
        lines.append((made.contains(place) ? .repeated : .invented, "\(record)"))
      }
    }
    return lines
  }

  /// What is wrong with a reading that is not where it should be, without a reason.
  private static func fault(
    of reading: SoakReading, _ left: inout [Place: [Found]]
  ) -> SoakFate {
    let place = Place(of: reading)
    for other in left.keys where other.isOther(than: place) {
      if left[other]?.popLast() != nil { return .misplaced }
    }
    return .missing
  }

  private struct Place: Hashable {
    let patient: String?
    let model: Int
    let values: String

    init(patient: String?, _ model: Int, _ values: String) {
      (self.patient, self.model, self.values) = (patient, model, values)
    }

    init(of reading: SoakReading) {
      self.init(patient: reading.patient, reading.model, reading.values)
    }

    func isOther(than place: Place) -> Bool {
      patient != place.patient && model == place.model && values == place.values
    }
  }
}

extension SoakReading {
  /// What becomes of it if nothing is lost.
  fileprivate var ordinaryFate: SoakFate {
    if patient == nil { return .held }
    return values == Self.failed ? .rejected : .stored
  }
}
