// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What the models of Validic's mobile SDK have in common: they can be copied and archived.
#if canImport(ObjectiveC)
  @objc(VLDModel) @objcMembers
#endif
open class VLDModel: NSObject, NSCopying, NSSecureCoding {
  /// True: an archive is read with the class that it names only.
  open class var supportsSecureCoding: Bool { true }

  /// Makes an empty model.
  public override init() { super.init() }

  /// Reads a model from an archive.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) { super.init() }

  /// Writes the model to an archive.
  ///
  /// - Parameter coder: The archive.
  open func encode(with coder: NSCoder) {}

  /// Makes a copy that changes independently.
  ///
  /// - Parameter zone: Ignored, as everywhere.
  /// - Returns: A model of the same class.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSCoder {
  /// A text of an archive; nil where it has none.
  func text(forKey key: String) -> String? {
    // For a key that is missing, Foundation on Linux fails the whole archive.
    guard containsValue(forKey: key) else { return nil }
    return decodeObject(of: NSString.self, forKey: key) as String?
  }
}
