// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SantorioOCR
public import ValidicCore

/// A kind of device whose display is read with the camera.
#if canImport(ObjectiveC)
  @objc(VLDOCRPeripheral) @objcMembers
#endif
public final class VLDOCRPeripheral: VLDPeripheral {
  package let content: OCRPeripheral

  package init(_ peripheral: OCRPeripheral) {
    content = peripheral
    super.init(
      peripheralID: UInt(clamping: peripheral.id), type: VLDPeripheralType(peripheral.type),
      manufacturer: "", model: peripheral.name, imageURL: peripheral.imageURL, disabled: false)
  }

  /// The peripheral of a number; nil when there is none.
  ///
  /// - Parameter peripheralID: The number.
  public convenience init?(forID peripheralID: UInt) {
    guard let id = Int(exactly: peripheralID),
      let peripheral = OCRPeripheral.peripheral(forID: id)
    else { return nil }
    self.init(peripheral)
  }

  /// `ocr`.
  ///
  /// - Returns: The word.
  public override class func connectionType() -> String { "ocr" }

  /// The peripherals whose displays can be read.
  ///
  /// - Returns: ``VLDOCRPeripheral``s.
  public override class func supportedPeripherals() -> [Any]! {
    OCRPeripheral.supportedPeripherals().map(VLDOCRPeripheral.init)
  }

  /// True: an archive is read with the class that it names only.
  public override class var supportsSecureCoding: Bool { true }

  /// Reads a peripheral from an archive, by its number; nil when it is not supported any more.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    let id = coder.decodeInteger(forKey: "peripheralID")
    guard let peripheral = OCRPeripheral.peripheral(forID: id) else { return nil }
    content = peripheral
    super.init(coder: coder)
  }

  /// The same peripheral.
  ///
  /// - Parameter zone: Ignored, as everywhere.
  /// - Returns: The copy.
  public override func copy(with zone: NSZone? = nil) -> Any { VLDOCRPeripheral(content) }
}

#if canImport(ObjectiveC)
  extension VLDOCRPeripheral {
    /// The peripheral of a number, for Objective-C; in Swift it is ``init(forID:)``.
    ///
    /// - Parameter peripheralID: The number.
    /// - Returns: The peripheral; nil when there is none.
    @objc(peripheralForID:)
    public class func peripheral(forID peripheralID: UInt) -> VLDOCRPeripheral? {
      VLDOCRPeripheral(forID: peripheralID)
    }
  }
#endif
