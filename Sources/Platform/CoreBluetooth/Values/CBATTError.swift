// SPDX-License-Identifier: Apache-2.0

/// The domain of ``CBATTError``.
public let CBATTErrorDomain: String = "CBATTErrorDomain"

/// An error answer of an attribute server.
public struct CBATTError: _BridgedStoredNSError {
  /// The error object; what a delegate receives is this.
  public let _nsError: NSError

  /// Wraps an error object of the same domain.
  public init(_nsError error: NSError) {
    precondition(error.domain == CBATTErrorDomain, "An error of the domain \(error.domain)")
    _nsError = error
  }

  /// The domain ``CBATTErrorDomain``.
  public static var errorDomain: String { CBATTErrorDomain }

  /// The domain ``CBATTErrorDomain``, for the bridge to `NSError`.
  public static var _nsErrorDomain: String { CBATTErrorDomain }

  /// What happened, by number.
  ///
  /// Codes without a name keep their number: `Code(rawValue:)` takes 0 through 255. The cases
  /// that are not available stand for them; `@unknown default` catches them.
  @nonexhaustive
  public enum Code: RawRepresentable, _ErrorCodeProtocol, Hashable, @unchecked Sendable {
    /// The error that carries this code.
    public typealias _ErrorType = CBATTError

    case success
    case invalidHandle
    case readNotPermitted
    case writeNotPermitted
    case invalidPdu
    case insufficientAuthentication
    case requestNotSupported
    case invalidOffset
    case insufficientAuthorization
    case prepareQueueFull
    case attributeNotFound
    case attributeNotLong
    case insufficientEncryptionKeySize
    case invalidAttributeValueLength
    case unlikelyError
    case insufficientEncryption
    case unsupportedGroupType
    case insufficientResources
    @available(*, unavailable)
    case _18, _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32, _33,
      _34, _35, _36, _37, _38, _39, _40, _41, _42, _43, _44, _45, _46, _47, _48, _49, _50,
      _51, _52, _53, _54, _55, _56, _57, _58, _59, _60, _61, _62, _63, _64, _65, _66, _67,
      _68, _69, _70, _71, _72, _73, _74, _75, _76, _77, _78, _79, _80, _81, _82, _83, _84,
      _85, _86, _87, _88, _89, _90, _91, _92, _93, _94, _95, _96, _97, _98, _99, _100, _101,
      _102, _103, _104, _105, _106, _107, _108, _109, _110, _111, _112, _113, _114, _115,
      _116, _117, _118, _119, _120, _121, _122, _123, _124, _125, _126, _127, _128, _129,
      _130, _131, _132, _133, _134, _135, _136, _137, _138, _139, _140, _141, _142, _143,
      _144, _145, _146, _147, _148, _149, _150, _151, _152, _153, _154, _155, _156, _157,
      _158, _159, _160, _161, _162, _163, _164, _165, _166, _167, _168, _169, _170, _171,
      _172, _173, _174, _175, _176, _177, _178, _179, _180, _181, _182, _183, _184, _185,
      _186, _187, _188, _189, _190, _191, _192, _193, _194, _195, _196, _197, _198, _199,
      _200, _201, _202, _203, _204, _205, _206, _207, _208, _209, _210, _211, _212, _213,
      _214, _215, _216, _217, _218, _219, _220, _221, _222, _223, _224, _225, _226, _227,
      _228, _229, _230, _231, _232, _233, _234, _235, _236, _237, _238, _239, _240, _241,
      _242, _243, _244, _245, _246, _247, _248, _249, _250, _251, _252, _253, _254, _255

    /// The code of that number; nil beyond 0 through 255.
    public init?(rawValue: Int) {
      guard let byte = UInt8(exactly: rawValue) else { return nil }
      self = unsafeBitCast(byte, to: Code.self)
    }

    /// The number as it is in the specification or the header.
    public var rawValue: Int { Int(unsafeBitCast(self, to: UInt8.self)) }
  }

  /// The code ``Code/success``.
  public static var success: Code { .success }
  /// The code ``Code/invalidHandle``.
  public static var invalidHandle: Code { .invalidHandle }
  /// The code ``Code/readNotPermitted``.
  public static var readNotPermitted: Code { .readNotPermitted }
  /// The code ``Code/writeNotPermitted``.
  public static var writeNotPermitted: Code { .writeNotPermitted }
  /// The code ``Code/invalidPdu``.
  public static var invalidPdu: Code { .invalidPdu }
  /// The code ``Code/insufficientAuthentication``.
  public static var insufficientAuthentication: Code { .insufficientAuthentication }
  /// The code ``Code/requestNotSupported``.
  public static var requestNotSupported: Code { .requestNotSupported }
  /// The code ``Code/invalidOffset``.
  public static var invalidOffset: Code { .invalidOffset }
  /// The code ``Code/insufficientAuthorization``.
  public static var insufficientAuthorization: Code { .insufficientAuthorization }
  /// The code ``Code/prepareQueueFull``.
  public static var prepareQueueFull: Code { .prepareQueueFull }
  /// The code ``Code/attributeNotFound``.
  public static var attributeNotFound: Code { .attributeNotFound }
  /// The code ``Code/attributeNotLong``.
  public static var attributeNotLong: Code { .attributeNotLong }
  /// The code ``Code/insufficientEncryptionKeySize``.
  public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
  /// The code ``Code/invalidAttributeValueLength``.
  public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
  /// The code ``Code/unlikelyError``.
  public static var unlikelyError: Code { .unlikelyError }
  /// The code ``Code/insufficientEncryption``.
  public static var insufficientEncryption: Code { .insufficientEncryption }
  /// The code ``Code/unsupportedGroupType``.
  public static var unsupportedGroupType: Code { .unsupportedGroupType }
  /// The code ``Code/insufficientResources``.
  public static var insufficientResources: Code { .insufficientResources }
}

extension CBATTError: _ObjectiveCBridgeable {
  /// Gives the error object.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Makes the error of an object of the same domain.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
    result = Self(_nsError: source)
  }

  /// Makes the error when the object is of the same domain.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout Self?
  ) -> Bool {
    result = source.domain == CBATTErrorDomain ? Self(_nsError: source) : nil
    return result != nil
  }

  /// Makes the error of an object of the same domain; nil stands for the code 0.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
    Self(_nsError: source ?? NSError(domain: CBATTErrorDomain, code: 0))
  }
}

extension CBATTError.Code {
  /// The error object with its sentence.
  var error: NSError {
    NSError(
      domain: CBATTErrorDomain, code: rawValue, userInfo: [NSLocalizedDescriptionKey: sentence])
  }

  private var sentence: String {
    switch self {
    case .success: "The command has succeeded."
    case .invalidHandle: "The handle is invalid."
    case .readNotPermitted: "Reading is not permitted."
    case .writeNotPermitted: "Writing is not permitted."
    case .invalidPdu: "The command is invalid."
    case .insufficientAuthentication: "Authentication is insufficient."
    case .requestNotSupported: "The request is not supported."
    case .invalidOffset: "The offset is invalid."
    case .insufficientAuthorization: "Authorization is insufficient."
    case .prepareQueueFull: "The prepare queue is full."
    case .attributeNotFound: "The attribute could not be found."
    case .attributeNotLong: "The attribute is not long."
    case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
    case .invalidAttributeValueLength: "The value's length is invalid."
    case .unlikelyError: "Unlikely error."
    case .insufficientEncryption: "Encryption is insufficient."
    case .unsupportedGroupType: "The group type is unsupported."
    case .insufficientResources: "Resources are insufficient."
    @unknown default: "Unknown ATT error."
    }
  }
}
