// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An app or a device that saves data in the health store.
open class HKSource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The name that the Health app shows.
  public let name: String
  /// The app's bundle identifier; of a device one that is made of `com.apple.health` and a UUID.
  public let bundleIdentifier: String

  package init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
  }

  /// The running app: its main bundle, or the program's name where a bundle has no identifier.
  @discardableResult
  open class func `default`() -> HKSource { HealthProcess.source }

  /// Whether both have the same bundle identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKSource)?.bundleIdentifier == bundleIdentifier
  }

  /// A hash of the bundle identifier.
  open override var hash: Int { bundleIdentifier.hashValue }

  /// The name and the bundle identifier.
  open override var description: String { "\(name) (\(bundleIdentifier))" }

  /// The source itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a source from an archive.
  public required init?(coder: NSCoder) {
    guard let name = coder.text("name"), let identifier = coder.text("bundle") else { return nil }
    self.name = name
    bundleIdentifier = identifier
  }

  /// Writes the source into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(bundleIdentifier as NSString, forKey: "bundle")
  }
}

/// A source at a version, on a kind of device, with an operating system.
open class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The source.
  public let source: HKSource
  /// The version of the app or of the device's software.
  public let version: String?
  /// The kind of device such as `Watch6,2`.
  public let productType: String?
  /// The operating system's version; zeros where it is not known.
  public let operatingSystemVersion: OperatingSystemVersion

  /// A source at a version; with the other initializer predicates can name more.
  public convenience init(source: HKSource, version: String?) {
    self.init(
      source: source, version: version, productType: nil,
      operatingSystemVersion: OperatingSystemVersion())
  }

  /// A source at a version, on a kind of device, with an operating system.
  public init(
    source: HKSource, version: String?, productType: String?,
    operatingSystemVersion: OperatingSystemVersion
  ) {
    self.source = source
    self.version = version
    self.productType = productType
    self.operatingSystemVersion = operatingSystemVersion
  }

  /// The operating system's version as three numbers with points between them.
  package var systemText: String {
    let version = operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
  }

  /// The version that ``systemText`` says.
  package static func system(_ text: String) -> OperatingSystemVersion {
    let parts = text.split(separator: ".").map { Int($0) ?? 0 } + [0, 0, 0]
    return OperatingSystemVersion(
      majorVersion: parts[0], minorVersion: parts[1], patchVersion: parts[2])
  }

  /// Whether both say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKSourceRevision else { return false }
    return source == other.source && version == other.version && productType == other.productType
      && systemText == other.systemText
  }

  /// A hash of the source and its version.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(source)
    hasher.combine(version)
    return hasher.finalize()
  }

  /// The revision itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a revision from an archive.
  public required init?(coder: NSCoder) {
    guard let source = coder.decodeObject(of: HKSource.self, forKey: "source") else { return nil }
    self.source = source
    version = coder.text("version")
    productType = coder.text("product")
    operatingSystemVersion = Self.system(coder.text("system") ?? "")
  }

  /// Writes the revision into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(source, forKey: "source")
    coder.encode(version.map { $0 as NSString }, forKey: "version")
    coder.encode(productType.map { $0 as NSString }, forKey: "product")
    coder.encode(systemText as NSString, forKey: "system")
  }
}

/// In a predicate: any version.
public let HKSourceRevisionAnyVersion = "HKSourceRevisionAnyVersion"
/// In a predicate: any kind of device.
public let HKSourceRevisionAnyProductType = "HKSourceRevisionAnyProductType"
/// In a predicate: any operating system.
public let HKSourceRevisionAnyOperatingSystem = OperatingSystemVersion(
  majorVersion: -1, minorVersion: -1, patchVersion: -1)
