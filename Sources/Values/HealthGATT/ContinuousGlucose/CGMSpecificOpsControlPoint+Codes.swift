// SPDX-License-Identifier: Apache-2.0

extension CGMSpecificOpsControlPoint {
  /// Op Code; values without a name are reserved and kept.
  public struct OpCode: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Set CGM Communication Interval.
    public static let setCommunicationInterval = OpCode(rawValue: 0x01)
    /// Get CGM Communication Interval.
    public static let getCommunicationInterval = OpCode(rawValue: 0x02)
    /// CGM Communication Interval Response.
    public static let communicationIntervalResponse = OpCode(rawValue: 0x03)
    /// Set Glucose Calibration Value.
    public static let setCalibration = OpCode(rawValue: 0x04)
    /// Get Glucose Calibration Value.
    public static let getCalibration = OpCode(rawValue: 0x05)
    /// Glucose Calibration Value Response.
    public static let calibrationResponse = OpCode(rawValue: 0x06)
    /// Reset Device Specific Alert.
    public static let resetDeviceSpecificAlert = OpCode(rawValue: 0x19)
    /// Start the Session.
    public static let startSession = OpCode(rawValue: 0x1A)
    /// Stop the Session.
    public static let stopSession = OpCode(rawValue: 0x1B)
    /// Response Code.
    public static let responseCode = OpCode(rawValue: 0x1C)
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
    /// The operand does not fit the op code.
    public static let invalidOperand = ResponseCode(rawValue: 3)
    /// The sensor could not finish, for whatever reason.
    public static let procedureNotCompleted = ResponseCode(rawValue: 4)
    /// The operand is outside of what the sensor supports.
    public static let parameterOutOfRange = ResponseCode(rawValue: 5)
  }
}

extension CGMSpecificOpsControlPoint.Operation {
  typealias ControlPoint = CGMSpecificOpsControlPoint

  /// The op code.
  var opCode: ControlPoint.OpCode {
    switch self {
    case .setCommunicationInterval: .setCommunicationInterval
    case .getCommunicationInterval: .getCommunicationInterval
    case .communicationInterval: .communicationIntervalResponse
    case .setCalibration: .setCalibration
    case .getCalibration: .getCalibration
    case .calibration: .calibrationResponse
    case .setAlertLevel(let level, _): level.setting
    case .getAlertLevel(let level): level.getting
    case .alertLevel(let level, _): level.answering
    case .resetDeviceSpecificAlert: .resetDeviceSpecificAlert
    case .startSession: .startSession
    case .stopSession: .stopSession
    case .response: .responseCode
    case .unknown(let opCode, _): opCode
    }
  }

  init(
    _ opCode: ControlPoint.OpCode, from reader: inout PayloadReader
  ) throws(PayloadError) {
    switch opCode {
    case .setCommunicationInterval:
      self = .setCommunicationInterval(minutes: try Self.interval(from: &reader))
    case .getCommunicationInterval: self = .getCommunicationInterval
    case .communicationIntervalResponse:
      self = .communicationInterval(minutes: try Self.interval(from: &reader))
    case .setCalibration: self = .setCalibration(try CGMCalibration(from: &reader))
    case .getCalibration:
      self = .getCalibration(
        recordNumber: try reader.uint16(field: "Calibration Data Record Number"))
    case .calibrationResponse: self = .calibration(try CGMCalibration(from: &reader))
    case .resetDeviceSpecificAlert: self = .resetDeviceSpecificAlert
    case .startSession: self = .startSession
    case .stopSession: self = .stopSession
    case .responseCode:
      self = .response(
        to: ControlPoint.OpCode(rawValue: try reader.uint8(field: "Request Op Code")),
        ControlPoint.ResponseCode(rawValue: try reader.uint8(field: "Response Code Value")))
    default: self = try Self.alert(opCode, from: &reader)
    }
  }

  private static func interval(from reader: inout PayloadReader) throws(PayloadError) -> UInt8 {
    try reader.uint8(field: "CGM Communication Interval")
  }

  private static func alert(
    _ opCode: ControlPoint.OpCode, from reader: inout PayloadReader
  ) throws(PayloadError) -> Self {
    for level in ControlPoint.AlertLevel.allCases {
      switch opCode {
      case level.setting:
        return .setAlertLevel(level, try reader.medicalFloat16(field: level.field))
      case level.getting: return .getAlertLevel(level)
      case level.answering:
        return .alertLevel(level, try reader.medicalFloat16(field: level.field))
      default: continue
      }
    }
    return .unknown(opCode, reader.remainingBytes())
  }

  /// Writes the operand.
  func encode(to writer: inout PayloadWriter) {
    switch self {
    case .setCommunicationInterval(let minutes), .communicationInterval(let minutes):
      writer.uint8(minutes)
    case .setCalibration(let calibration), .calibration(let calibration):
      calibration.encode(to: &writer)
    case .getCalibration(let number): writer.uint16(number)
    case .setAlertLevel(_, let level), .alertLevel(_, let level): writer.medicalFloat16(level)
    case .response(let request, let code):
      writer.uint8(request.rawValue)
      writer.uint8(code.rawValue)
    case .unknown(_, let bytes): writer.append(bytes)
    case .getCommunicationInterval, .getAlertLevel, .resetDeviceSpecificAlert, .startSession,
      .stopSession:
      break
    }
  }
}
