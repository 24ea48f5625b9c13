// SPDX-License-Identifier: Apache-2.0

/// User Control Point (2A9F): a request to a device's user data service, or its answer.
///
/// Requests are written, answers are indicated. A device hands out no measurement of a user before
/// that user's consent.
///
/// ```
/// // 02  01  D204            20  01  01  02
/// // OP  US  CODE (consent)  OP  RQ  RV  US (answer to a registration)
/// ```
///
/// Source: User Data Service, User Control Point. Op codes without a name are kept with all their
/// bytes.
public struct UserControlPoint: CharacteristicValue {
  /// What is asked for or answered.
  public enum Procedure: Hashable, Sendable {
    /// 0x01: make a new user with this consent code; the answer holds the user's index.
    case registerNewUser(ConsentCode)
    /// 0x02: use the data of a user with that user's consent code.
    case consent(UserID, ConsentCode)
    /// 0x03: delete the data of the user who has consented.
    case deleteUserData
    /// 0x04: list all users.
    case listAllUsers
    /// 0x05: delete a user, or all for 0xFF.
    case deleteUser(UserID)
    /// 0x20: the answer to a request.
    case response(Response)
    /// Any other op code; its parameter is in `trailingBytes`.
    case unknown(opCode: UInt8)
  }

  /// What is asked for or answered.
  public var procedure: Procedure
  /// What follows the last known field.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a request or an answer.
  public init(_ procedure: Procedure) {
    self.procedure = procedure
  }

  /// Reads op code and parameter, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let opCode = OpCode(rawValue: try reader.uint8(field: "Op Code"))
    procedure = try Procedure(opCode, from: &reader)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes op code, parameter and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(opCode.rawValue)
    switch procedure {
    case .registerNewUser(let code):
      writer.uint16(code.rawValue)
    case .consent(let user, let code):
      writer.uint8(user.rawValue)
      writer.uint16(code.rawValue)
    case .deleteUser(let user):
      writer.uint8(user.rawValue)
    case .response(let response):
      response.encode(to: &writer)
    case .deleteUserData, .listAllUsers, .unknown:
      break
    }
    writer.append(trailingBytes)
  }

  /// The op code.
  public var opCode: OpCode {
    switch procedure {
    case .registerNewUser: .registerNewUser
    case .consent: .consent
    case .deleteUserData: .deleteUserData
    case .listAllUsers: .listAllUsers
    case .deleteUser: .deleteUsers
    case .response: .responseCode
    case .unknown(let opCode): OpCode(rawValue: opCode)
    }
  }
}

extension UserControlPoint {
  /// Op Code; values without a name are reserved and kept.
  public struct OpCode: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// 0x01.
    public static let registerNewUser = OpCode(rawValue: 0x01)
    /// 0x02.
    public static let consent = OpCode(rawValue: 0x02)
    /// 0x03.
    public static let deleteUserData = OpCode(rawValue: 0x03)
    /// 0x04.
    public static let listAllUsers = OpCode(rawValue: 0x04)
    /// 0x05.
    public static let deleteUsers = OpCode(rawValue: 0x05)
    /// 0x20.
    public static let responseCode = OpCode(rawValue: 0x20)
  }
}

extension UserControlPoint.Procedure {
  fileprivate init(
    _ opCode: UserControlPoint.OpCode, from reader: inout PayloadReader
  ) throws(PayloadError) {
    switch opCode {
    case .registerNewUser:
      self = .registerNewUser(try ConsentCode(from: &reader))
    case .consent:
      self = .consent(
        UserID(rawValue: try reader.uint8(field: "User Index")), try ConsentCode(from: &reader))
    case .deleteUserData: self = .deleteUserData
    case .listAllUsers: self = .listAllUsers
    case .deleteUsers:
      self = .deleteUser(UserID(rawValue: try reader.uint8(field: "User Index")))
    case .responseCode:
      self = .response(try UserControlPoint.Response(from: &reader))
    default: self = .unknown(opCode: opCode.rawValue)
    }
  }
}
