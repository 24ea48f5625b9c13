// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A device that generates data.
open class HKDevice: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The name that the user or the manufacturer gave.
  public let name: String?
  /// The manufacturer.
  public let manufacturer: String?
  /// The model.
  public let model: String?
  /// The hardware's revision.
  public let hardwareVersion: String?
  /// The firmware's revision.
  public let firmwareVersion: String?
  /// The software's revision.
  public let softwareVersion: String?
  /// What tells the device from others on this machine, for instance a Bluetooth identifier.
  public let localIdentifier: String?
  /// The device identifier of the device's UDI.
  public let udiDeviceIdentifier: String?

  /// A device of which some things are known.
  public init(
    name: String?, manufacturer: String?, model: String?, hardwareVersion: String?,
    firmwareVersion: String?, softwareVersion: String?, localIdentifier: String?,
    udiDeviceIdentifier UDIDeviceIdentifier: String?
  ) {
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.hardwareVersion = hardwareVersion
    self.firmwareVersion = firmwareVersion
    self.softwareVersion = softwareVersion
    self.localIdentifier = localIdentifier
    self.udiDeviceIdentifier = UDIDeviceIdentifier
  }

  /// This machine.
  @discardableResult
  open class func local() -> HKDevice { HealthProcess.device }

  package convenience init(_ facts: [String?]) {
    self.init(
      name: facts[0], manufacturer: facts[1], model: facts[2], hardwareVersion: facts[3],
      firmwareVersion: facts[4], softwareVersion: facts[5], localIdentifier: facts[6],
      udiDeviceIdentifier: facts[7])
  }

  /// All that is known, in the order of the initializer.
  package var facts: [String?] {
    [
      name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion,
      localIdentifier, udiDeviceIdentifier,
    ]
  }

  /// Whether both say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKDevice)?.facts == facts
  }

  /// A hash of all that is known.
  open override var hash: Int { facts.hashValue }

  /// The device itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a device from an archive.
  public required convenience init?(coder: NSCoder) {
    self.init((0..<8).map { coder.text("fact \($0)") })
  }

  /// Writes the device into an archive.
  open func encode(with coder: NSCoder) {
    for (index, fact) in facts.enumerated() {
      coder.encode(fact.map { $0 as NSString }, forKey: "fact \(index)")
    }
  }
}
