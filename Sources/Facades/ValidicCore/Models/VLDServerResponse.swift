// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What the server answered about a record.
#if canImport(ObjectiveC)
  @objc(VLDServerResponse) @objcMembers
#endif
public final class VLDServerResponse: VLDModel {
  /// The HTTP status.
  public var code: NSNumber?
  /// The server's words, if any.
  public var message: String?
  /// What the server found wrong, if anything.
  public var errors: String?
  /// The client's identifier of the record.
  public var activityID: String?

  /// Makes an empty answer.
  public override init() { super.init() }

  /// True: an archive is read with the class that it names only.
  public override class var supportsSecureCoding: Bool { true }

  /// Reads an answer from an archive.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    code = coder.decodeObject(of: NSNumber.self, forKey: "code")
    message = coder.text(forKey: "message")
    errors = coder.text(forKey: "errors")
    activityID = coder.text(forKey: "activityID")
  }

  /// Writes the answer to an archive.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    coder.encode(code, forKey: "code")
    coder.encode(message as NSString?, forKey: "message")
    coder.encode(errors as NSString?, forKey: "errors")
    coder.encode(activityID as NSString?, forKey: "activityID")
  }

  /// Makes a copy that changes independently.
  ///
  /// - Parameter zone: Ignored, as everywhere.
  /// - Returns: The copy.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = VLDServerResponse()
    (copy.code, copy.message, copy.errors) = (code, message, errors)
    copy.activityID = activityID
    return copy
  }
}
