// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An object that was deleted from the store; the store forgets it after some time.
open class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The identifier that the object had.
  public let uuid: UUID
  /// The sync identifier and its version, if the object had them; nothing else.
  public let metadata: [String: Any]?

  package init(uuid: UUID, metadata: [String: Any]?) {
    self.uuid = uuid
    let kept = metadata?.filter {
      $0.key == HKMetadataKeySyncIdentifier || $0.key == HKMetadataKeySyncVersion
    }
    self.metadata = kept?.isEmpty == true ? nil : kept
  }

  /// Whether both were the same object.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKDeletedObject)?.uuid == uuid
  }

  /// A hash of the identifier.
  open override var hash: Int { uuid.hashValue }

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an object from an archive.
  public required init?(coder: NSCoder) {
    guard let uuid = coder.text("uuid").flatMap(UUID.init(uuidString:)) else { return nil }
    self.uuid = uuid
    metadata = coder.text("metadata").flatMap { try? MetadataCoding.decode($0) }
  }

  /// Writes the object into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(uuid.uuidString as NSString, forKey: "uuid")
    coder.encode(metadata.map { MetadataCoding.encode($0) as NSString }, forKey: "metadata")
  }
}
