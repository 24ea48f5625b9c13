// SPDX-License-Identifier: Apache-2.0

/// PnP ID (2A50): vendor, product and version as numbers.
///
/// ```
/// // 02  3412  7856  0001
/// // SO  VEND  PROD  VERS
/// ```
///
/// Source: GATT Specification Supplement, PnP ID.
public struct PnPID: CharacteristicValue {
  /// Vendor ID Source; values without a name are reserved and kept.
  public struct VendorIDSource: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The vendor has a company identifier of the Bluetooth SIG.
    public static let bluetoothSIG = VendorIDSource(rawValue: 1)
    /// The vendor has an identifier of the USB Implementer's Forum.
    public static let usbImplementersForum = VendorIDSource(rawValue: 2)
  }

  /// Who assigned `vendorID`.
  public var vendorIDSource: VendorIDSource
  /// The vendor.
  public var vendorID: UInt16
  /// The product, numbered by its vendor.
  public var productID: UInt16
  /// The version in binary-coded decimal, 0xJJMN for JJ.M.N.
  public var productVersion: UInt16

  /// Creates the value.
  public init(
    vendorIDSource: VendorIDSource, vendorID: UInt16, productID: UInt16, productVersion: UInt16
  ) {
    self.vendorIDSource = vendorIDSource
    self.vendorID = vendorID
    self.productID = productID
    self.productVersion = productVersion
  }

  /// Reads the seven bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    vendorIDSource = VendorIDSource(rawValue: try reader.uint8(field: "Vendor ID Source"))
    vendorID = try reader.uint16(field: "Vendor ID")
    productID = try reader.uint16(field: "Product ID")
    productVersion = try reader.uint16(field: "Product Version")
  }

  /// Writes the seven bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(vendorIDSource.rawValue)
    writer.uint16(vendorID)
    writer.uint16(productID)
    writer.uint16(productVersion)
  }
}
