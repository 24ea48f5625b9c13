// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Something that was saved in the health store: who saved it, on which device, and what it says of
/// itself.
open class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The object's identifier in the store.
  public let uuid: UUID
  /// The device that generated the data.
  public let device: HKDevice?
  /// What is known of the object beside its value, by keys such as `HKMetadataKeyTimeZone`.
  public let metadata: [String: Any]?
  /// The app or the device that saved the object.
  public let sourceRevision: HKSourceRevision
  /// The app or the device that saved the object.
  @available(iOS, introduced: 8.0, deprecated: 9.0)
  open var source: HKSource { sourceRevision.source }

  /// Where the store has the object; nil of one that was not read from it.
  package let row: Int64?

  package init(_ facts: ObjectFacts) {
    uuid = facts.uuid
    device = facts.device
    metadata = facts.metadata
    sourceRevision = facts.sourceRevision
    row = facts.row
  }

  /// Whether both are the same object of the store.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKObject)?.uuid == uuid
  }

  /// A hash of the identifier.
  open override var hash: Int { uuid.hashValue }

  // MARK: - Coding

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an object from an archive.
  public required init?(coder: NSCoder) {
    guard let uuid = coder.text("uuid").flatMap(UUID.init(uuidString:)),
      let revision = coder.decodeObject(of: HKSourceRevision.self, forKey: "source")
    else { return nil }
    self.uuid = uuid
    sourceRevision = revision
    device = coder.decodeObject(of: HKDevice.self, forKey: "device")
    metadata = coder.text("metadata").flatMap { try? MetadataCoding.decode($0) }
    row = nil
  }

  /// Writes the object into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(uuid.uuidString as NSString, forKey: "uuid")
    coder.encode(sourceRevision, forKey: "source")
    coder.encode(device, forKey: "device")
    coder.encode(metadata.map { MetadataCoding.encode($0) as NSString }, forKey: "metadata")
  }
}

/// What every object has.
package struct ObjectFacts {
  package var uuid = UUID()
  package var device: HKDevice?
  package var metadata: [String: Any]?
  package var sourceRevision = HKSourceRevision(source: .default(), version: nil)
  package var row: Int64?

  package init(device: HKDevice? = nil, metadata: [String: Any]? = nil) {
    self.device = device
    self.metadata = metadata
  }

  package init(
    uuid: UUID, device: HKDevice?, metadata: [String: Any]?, sourceRevision: HKSourceRevision,
    row: Int64
  ) {
    self.uuid = uuid
    self.device = device
    self.metadata = metadata
    self.sourceRevision = sourceRevision
    self.row = row
  }
}

extension NSCoder {
  /// A text of an archive.
  func text(_ key: String) -> String? {
    decodeObject(of: NSString.self, forKey: key).map { $0 as String }
  }

  /// An instant of an archive.
  func instant(_ key: String) -> Date? {
    containsValue(forKey: key)
      ? Date(timeIntervalSinceReferenceDate: decodeDouble(forKey: key)) : nil
  }

  /// Writes an instant.
  func encode(_ instant: Date, forKey key: String) {
    encode(instant.timeIntervalSinceReferenceDate, forKey: key)
  }
}
