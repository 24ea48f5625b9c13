// SPDX-License-Identifier: Apache-2.0

/// Which of a device's stored records a request is about.
public enum RecordSelection: Hashable, Sendable {
  /// All of them.
  case all
  /// The oldest.
  case first
  /// The newest.
  case last
  /// Those with these sequence numbers.
  case sequenceNumbers(RecordRange<UInt16>)
  /// Those with these times, as the device shows them.
  case userFacingTimes(RecordRange<DateTime>)

  /// Those of a continuous glucose monitor with these Time Offsets, in minutes.
  ///
  /// The filter has the same type and width as that by sequence number: which of them is meant
  /// follows from the service. Source: Continuous Glucose Monitoring Service 1.0.2, Record Access
  /// Control Point, Filter Type 0x01.
  public static func timeOffsets(_ range: RecordRange<UInt16>) -> RecordSelection {
    .sequenceNumbers(range)
  }

  var recordOperator: RecordAccessControlPoint.Operator {
    switch self {
    case .all: .allRecords
    case .first: .firstRecord
    case .last: .lastRecord
    case .sequenceNumbers(let range): range.recordOperator
    case .userFacingTimes(let range): range.recordOperator
    }
  }

  var operand: RecordAccessControlPoint.Operand {
    switch self {
    case .all, .first, .last: .empty
    case .sequenceNumbers(let range): .sequenceNumbers(range)
    case .userFacingTimes(let range): .userFacingTimes(range)
    }
  }
}

/// A range of sequence numbers or times; its bounds belong to it.
public enum RecordRange<Bound: Hashable & Sendable>: Hashable, Sendable {
  /// Up to the bound.
  case through(Bound)
  /// From the bound on.
  case from(Bound)
  /// From the first bound to the second.
  case within(Bound, Bound)

  /// The lower bound, if there is one.
  public var minimum: Bound? {
    switch self {
    case .through: nil
    case .from(let bound), .within(let bound, _): bound
    }
  }

  /// The upper bound, if there is one.
  public var maximum: Bound? {
    switch self {
    case .from: nil
    case .through(let bound), .within(_, let bound): bound
    }
  }

  var bounds: [Bound] { [minimum, maximum].compactMap { $0 } }

  var recordOperator: RecordAccessControlPoint.Operator {
    switch self {
    case .through: .lessThanOrEqualTo
    case .from: .greaterThanOrEqualTo
    case .within: .withinRangeOf
    }
  }
}

extension RecordRange {
  /// Reads the bounds that an operator of a range has: one, or two for `withinRangeOf`.
  init(
    _ recordOperator: RecordAccessControlPoint.Operator, from reader: inout PayloadReader,
    bound: (inout PayloadReader) throws(PayloadError) -> Bound
  ) throws(PayloadError) {
    let first = try bound(&reader)
    switch recordOperator {
    case .lessThanOrEqualTo: self = .through(first)
    case .withinRangeOf: self = .within(first, try bound(&reader))
    default: self = .from(first)
    }
  }
}
