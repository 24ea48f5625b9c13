// SPDX-License-Identifier: Apache-2.0

extension UserControlPoint {
  /// The answer to a request.
  public struct Response: Hashable, Sendable {
    /// Response Value; a value without a name is an error, never a success.
    public struct Value: RawRepresentable, Hashable, Sendable {
      /// The byte.
      public let rawValue: UInt8

      /// Takes any byte.
      public init(rawValue: UInt8) {
        self.rawValue = rawValue
      }

      /// 0x01: done.
      public static let success = Value(rawValue: 0x01)
      /// 0x02: the device does not know the op code.
      public static let opCodeNotSupported = Value(rawValue: 0x02)
      /// 0x03: a parameter is wrong.
      public static let invalidParameter = Value(rawValue: 0x03)
      /// 0x04: it failed; a registration does so when there is no slot left.
      public static let operationFailed = Value(rawValue: 0x04)
      /// 0x05: wrong consent code, or no consent yet.
      public static let userNotAuthorized = Value(rawValue: 0x05)
    }

    /// The op code of the request.
    public var requestOpCode: OpCode
    /// How it went.
    public var value: Value
    /// What the request returns: for a registration the index of the new user.
    public var parameter: [UInt8]

    /// Creates an answer.
    public init(to requestOpCode: OpCode, _ value: Value, parameter: [UInt8] = []) {
      self.requestOpCode = requestOpCode
      self.value = value
      self.parameter = parameter
    }

    /// The index of the user that was registered; nil in all other answers.
    public var registeredUser: UserID? {
      guard requestOpCode == .registerNewUser, value == .success else { return nil }
      return parameter.first.map { UserID(rawValue: $0) }
    }
  }
}

extension UserControlPoint.Response {
  init(from reader: inout PayloadReader) throws(PayloadError) {
    requestOpCode = UserControlPoint.OpCode(rawValue: try reader.uint8(field: "Request Op Code"))
    value = Value(rawValue: try reader.uint8(field: "Response Value"))
    parameter = []
    if requestOpCode == .registerNewUser, value == .success {
      parameter = [try reader.uint8(field: "User Index")]
    }
    parameter += reader.remainingBytes()
  }

  func encode(to writer: inout PayloadWriter) {
    writer.uint8(requestOpCode.rawValue)
    writer.uint8(value.rawValue)
    writer.append(parameter)
  }
}
