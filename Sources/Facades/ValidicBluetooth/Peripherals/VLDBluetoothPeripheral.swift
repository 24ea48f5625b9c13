// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import HealthDevices
import PeripheralTypes
public import SantorioBluetooth
import SantorioCore
public import ValidicCore

/// The key under which a device's encryption key is stored, see
/// ``VLDBluetoothPeripheral/storeData(_:forKey:ofPeripheralUUID:)``: 32 hexadecimal digits.
public let kVLDBluetoothPeripheralDataKeyEncryptionKey = "encryptionKey"

/// A model of device that is read by Bluetooth, with the texts that a user needs.
///
/// The manufacturer's and the model's name, the picture and the texts can be replaced, as apps do with
/// those of the generic models.
#if canImport(ObjectiveC)
  @objc(VLDBluetoothPeripheral) @objcMembers
#endif
public final class VLDBluetoothPeripheral: VLDPeripheral {
  /// Whether it must be paired before it is read.
  public let requiresPairing: Bool
  /// What the user does to begin.
  public var instructions: String
  /// What the user does when the device is ready to be read.
  public var readingInstructions: String
  /// What the user does to pair the device; nil where it is not paired.
  public var pairingInstructions: String?
  /// The version of the model, where there are several.
  public let version: String?
  private let content: DeviceModel

  package init(_ model: DeviceModel) {
    content = model
    requiresPairing = model.requiresPairing
    instructions = model.instructions
    readingInstructions = model.readingInstructions
    pairingInstructions = model.pairingInstructions
    version = model.version
    super.init(
      peripheralID: UInt(clamping: model.id), type: VLDPeripheralType(model.type),
      manufacturer: model.manufacturer, model: model.model, imageURL: model.imageURL,
      disabled: model.isDisabled)
  }

  /// The peripheral of a number; nil when there is none.
  ///
  /// Disabled ones are found, too.
  ///
  /// - Parameter peripheralID: The number.
  public convenience init?(forID peripheralID: UInt) {
    guard let id = Int(exactly: peripheralID),
      let model = SharedBluetooth.settings.catalogue.entry(id: id)
    else { return nil }
    self.init(model)
  }

  /// The entry of the catalogue with what was replaced.
  package var deviceModel: DeviceModel {
    var model = content
    (model.manufacturer, model.model, model.imageURL) = (manufacturer, self.model, imageURL)
    (model.instructions, model.readingInstructions) = (instructions, readingInstructions)
    model.pairingInstructions = pairingInstructions
    return model
  }

  /// `bluetooth`.
  ///
  /// - Returns: The word.
  public override class func connectionType() -> String { "bluetooth" }

  /// The peripherals that can be read, without disabled ones.
  ///
  /// - Returns: ``VLDBluetoothPeripheral``s.
  public override class func supportedPeripherals() -> [Any]! {
    SharedBluetooth.settings.catalogue.supported.map(VLDBluetoothPeripheral.init)
  }

  /// Stores something that belongs to one device in the credential store.
  ///
  /// A text that cannot be the key is not stored, with a line in the log: check it before, 32
  /// hexadecimal digits for ``kVLDBluetoothPeripheralDataKeyEncryptionKey``.
  ///
  /// - Parameters:
  ///   - data: What to store.
  ///   - key: What it is.
  ///   - peripheralUUID: The device, as ``VLDBluetoothOperationMetadata/peripheralUUID`` named it.
  /// - Returns: Whether it was stored.
  @discardableResult
  public func storeData(
    _ data: String, forKey key: String, ofPeripheralUUID peripheralUUID: String
  ) -> Bool {
    guard key == kVLDBluetoothPeripheralDataKeyEncryptionKey,
      let identifier = UUID(uuidString: peripheralUUID)
    else {
      FacadeLog.warn(.bluetooth, "a device's key was not stored: unknown name or device")
      return false
    }
    do throws(BluetoothError) {
      try SharedBluetooth.current.receiver.setSecret(data, .encryptionKey, for: identifier)
      return true
    } catch {
      FacadeLog.warn(.bluetooth, "a device's key was not stored: it has not 32 hexadecimal digits")
      return false
    }
  }

  /// Sets the catalogue, the clocks and the radio that are used, before the first use.
  ///
  /// - Parameters:
  ///   - settings: The settings, for instance with a catalogue that has devices of your own.
  ///   - central: The central of the radio; nil for the system's.
  /// - Returns: False when Bluetooth is in use already; then nothing changes.
  @discardableResult
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  public static func configure(
    _ settings: BluetoothSettings, central: BluetoothCentral? = nil
  ) -> Bool {
    let isEarly = SharedBluetooth.configure(settings, central)
    if !isEarly {
      FacadeLog.warn(.bluetooth, "Bluetooth is in use and cannot be configured any more")
    }
    return isEarly
  }

  // MARK: - Archives

  /// True: an archive is read with the class that it names only.
  public override class var supportsSecureCoding: Bool { true }

  /// Reads a peripheral from an archive, by its number; nil when the catalogue does not have it any
  /// more.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    let id = coder.decodeInteger(forKey: "peripheralID")
    guard let model = SharedBluetooth.settings.catalogue.entry(id: id) else { return nil }
    content = model
    requiresPairing = model.requiresPairing
    instructions = model.instructions
    readingInstructions = model.readingInstructions
    pairingInstructions = model.pairingInstructions
    version = model.version
    super.init(coder: coder)
  }

  /// The same model with the same texts, which change independently.
  ///
  /// - Parameter zone: Ignored, as everywhere.
  /// - Returns: The copy.
  public override func copy(with zone: NSZone? = nil) -> Any {
    VLDBluetoothPeripheral(deviceModel)
  }
}

#if canImport(ObjectiveC)
  extension VLDBluetoothPeripheral {
    /// The peripheral of a number, for Objective-C; in Swift it is ``init(forID:)``.
    ///
    /// - Parameter peripheralID: The number.
    /// - Returns: The peripheral; nil when there is none.
    @objc(peripheralForID:)
    public class func peripheral(forID peripheralID: UInt) -> VLDBluetoothPeripheral? {
      VLDBluetoothPeripheral(forID: peripheralID)
    }
  }
#endif
