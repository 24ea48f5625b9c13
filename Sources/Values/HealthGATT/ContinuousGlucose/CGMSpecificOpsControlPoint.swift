// SPDX-License-Identifier: Apache-2.0

/// CGM Specific Ops Control Point (2AAC): a request to a continuous glucose monitor, or its answer.
///
/// Requests are written, answers are indicated. Records are asked for elsewhere, see
/// ``RecordAccessControlPoint``.
///
/// ```
/// // 01  05               every five minutes
/// // OP  MI
/// // 1C  02  01  3C3B     answer to request 2: success
/// // OP  RQ  CO  E2ECRC
/// ```
///
/// Source: GATT Specification Supplement, CGM Specific Ops Control Point; Continuous Glucose
/// Monitoring Service 1.0.2. The E2E-CRC is there where CGM Feature announces it. Op codes without a
/// name are kept with all their bytes, among them an E2E-CRC that cannot be told from the operand.
public struct CGMSpecificOpsControlPoint: CharacteristicValue {
  /// What is asked for or answered.
  public var operation: Operation
  /// Whether the value carries an E2E-CRC; never for an operation without a name.
  public var hasCRC: Bool

  /// Creates a request or an answer.
  public init(_ operation: Operation, hasCRC: Bool = false) {
    self.operation = operation
    self.hasCRC = hasCRC && operation.isKnown
  }

  /// Reads op code and operand, and the E2E-CRC where it follows.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let opCode = OpCode(rawValue: try reader.uint8(field: "Op Code"))
    operation = try Operation(opCode, from: &reader)
    hasCRC = try reader.endsWithE2ECRC()
  }

  /// Writes op code and operand, and the E2E-CRC of a value that has one.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(opCode.rawValue)
    operation.encode(to: &writer)
    if hasCRC, operation.isKnown { writer.e2eCRC() }
  }

  /// The op code.
  public var opCode: OpCode { operation.opCode }
}

extension CGMSpecificOpsControlPoint {
  /// What is asked for or answered.
  public enum Operation: Hashable, Sendable {
    /// 0x01: notify measurements every so many minutes; 0 for never, 255 as often as possible.
    case setCommunicationInterval(minutes: UInt8)
    /// 0x02: how often are measurements notified?
    case getCommunicationInterval
    /// 0x03: they are notified every so many minutes.
    case communicationInterval(minutes: UInt8)
    /// 0x04: calibrate with this.
    case setCalibration(CGMCalibration)
    /// 0x05: what was the calibration of a number, or the last one for ``CGMCalibration/last``?
    case getCalibration(recordNumber: UInt16)
    /// 0x06: it was this.
    case calibration(CGMCalibration)
    /// 0x07, 0x0A, 0x0D, 0x10, 0x13, 0x16: alert at a level, in mg/dL or mg/dL per minute.
    case setAlertLevel(AlertLevel, MedicalFloat16)
    /// 0x08, 0x0B, 0x0E, 0x11, 0x14, 0x17: at what level is alerted?
    case getAlertLevel(AlertLevel)
    /// 0x09, 0x0C, 0x0F, 0x12, 0x15, 0x18: it is alerted at this level.
    case alertLevel(AlertLevel, MedicalFloat16)
    /// 0x19: end the alert that only the device has.
    case resetDeviceSpecificAlert
    /// 0x1A: begin a session.
    case startSession
    /// 0x1B: end the session.
    case stopSession
    /// 0x1C: the answer to a request that returns nothing, or that failed.
    case response(to: OpCode, ResponseCode)
    /// Any other op code, with all that follows it.
    case unknown(OpCode, [UInt8])

    var isKnown: Bool {
      if case .unknown = self { false } else { true }
    }
  }

  /// The levels at which a sensor can alert.
  public enum AlertLevel: UInt8, CaseIterable, Hashable, Sendable {
    /// Patient High Alert Level, in mg/dL.
    case patientHigh = 0x07
    /// Patient Low Alert Level, in mg/dL.
    case patientLow = 0x0A
    /// Hypo Alert Level, in mg/dL.
    case hypo = 0x0D
    /// Hyper Alert Level, in mg/dL.
    case hyper = 0x10
    /// Rate of Decrease Alert Level, in mg/dL per minute.
    case rateOfDecrease = 0x13
    /// Rate of Increase Alert Level, in mg/dL per minute.
    case rateOfIncrease = 0x16

    /// The op code that sets the level; those that ask for it and answer follow.
    var setting: OpCode { OpCode(rawValue: rawValue) }
    var getting: OpCode { OpCode(rawValue: rawValue + 1) }
    var answering: OpCode { OpCode(rawValue: rawValue + 2) }

    /// The name of the field that holds the level.
    var field: String {
      switch self {
      case .patientHigh: "Patient High Alert Level"
      case .patientLow: "Patient Low Alert Level"
      case .hypo: "Hypo Alert Level"
      case .hyper: "Hyper Alert Level"
      case .rateOfDecrease: "Rate of Decrease Alert Level"
      case .rateOfIncrease: "Rate of Increase Alert Level"
      }
    }
  }
}
