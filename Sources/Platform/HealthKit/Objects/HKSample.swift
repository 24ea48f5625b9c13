// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An object that describes a time.
open class HKSample: HKObject, @unchecked Sendable {
  /// What the sample is of.
  public let sampleType: HKSampleType
  /// The start of the time.
  public let startDate: Date
  /// The end of the time; the start for an instant.
  public let endDate: Date
  /// Whether the sample goes on until a later one ends it.
  open var hasUndeterminedDuration: Bool { endDate == .distantFuture }

  package init(_ type: HKSampleType, _ start: Date, _ end: Date, _ facts: ObjectFacts) {
    precondition(
      end >= start, "A sample of \(type.identifier) ends at \(end), before its start at \(start).")
    sampleType = type
    startDate = start
    endDate = end
    super.init(facts)
  }

  /// Reads a sample from an archive.
  public required init?(coder: NSCoder) {
    guard let type = coder.decodeObject(of: HKObjectType.all, forKey: "type") as? HKSampleType,
      let start = coder.instant("start"), let end = coder.instant("end"), end >= start
    else { return nil }
    sampleType = type
    startDate = start
    endDate = end
    super.init(coder: coder)
  }

  /// Writes the sample into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(sampleType, forKey: "type")
    coder.encode(startDate, forKey: "start")
    coder.encode(endDate, forKey: "end")
  }
}
