// SPDX-License-Identifier: Apache-2.0

extension RecordAccessControlPoint {
  /// Op Code; values without a name are reserved and kept.
  public struct OpCode: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Report stored records.
    public static let reportStoredRecords = OpCode(rawValue: 1)
    /// Delete stored records.
    public static let deleteStoredRecords = OpCode(rawValue: 2)
    /// Abort the operation in progress.
    public static let abortOperation = OpCode(rawValue: 3)
    /// Report the number of stored records.
    public static let reportNumberOfStoredRecords = OpCode(rawValue: 4)
    /// The answer to `reportNumberOfStoredRecords`.
    public static let numberOfStoredRecordsResponse = OpCode(rawValue: 5)
    /// The answer to the other requests.
    public static let responseCode = OpCode(rawValue: 6)
    /// Report stored records and their number.
    public static let combinedReport = OpCode(rawValue: 7)
    /// The answer to `combinedReport`.
    public static let combinedReportResponse = OpCode(rawValue: 8)

    var takesSelection: Bool {
      [.reportStoredRecords, .deleteStoredRecords, .reportNumberOfStoredRecords, .combinedReport]
        .contains(self)
    }
  }

  /// Operator; values without a name are reserved and kept.
  public struct Operator: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// None, in answers and in `abort`.
    public static let null = Operator(rawValue: 0)
    /// All records.
    public static let allRecords = Operator(rawValue: 1)
    /// Records up to a value, that value included.
    public static let lessThanOrEqualTo = Operator(rawValue: 2)
    /// Records from a value on, that value included.
    public static let greaterThanOrEqualTo = Operator(rawValue: 3)
    /// Records between two values, both included.
    public static let withinRangeOf = Operator(rawValue: 4)
    /// The first, that is the oldest, record.
    public static let firstRecord = Operator(rawValue: 5)
    /// The last, that is the newest, record.
    public static let lastRecord = Operator(rawValue: 6)
  }

  /// Filter Type: what a range is a range of; other values belong to other services.
  package enum FilterType: UInt8 {
    case sequenceNumber = 1
    case userFacingTime = 2
  }

  /// Response Code Value; values without a name are reserved and kept, and are not success.
  public struct ResponseCode: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The request was carried out.
    public static let success = ResponseCode(rawValue: 1)
    /// The op code is not supported.
    public static let opCodeNotSupported = ResponseCode(rawValue: 2)
    /// The operator does not fit the op code.
    public static let invalidOperator = ResponseCode(rawValue: 3)
    /// The operator is not supported.
    public static let operatorNotSupported = ResponseCode(rawValue: 4)
    /// The operand does not fit the operator.
    public static let invalidOperand = ResponseCode(rawValue: 5)
    /// There are no such records: the answer of an empty memory, and no failure.
    public static let noRecordsFound = ResponseCode(rawValue: 6)
    /// The operation could not be aborted.
    public static let abortUnsuccessful = ResponseCode(rawValue: 7)
    /// The device could not finish, for whatever reason.
    public static let procedureNotCompleted = ResponseCode(rawValue: 8)
    /// The filter type is not supported.
    public static let operandNotSupported = ResponseCode(rawValue: 9)
    /// The device is busy.
    public static let serverBusy = ResponseCode(rawValue: 10)
  }
}
