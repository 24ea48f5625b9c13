// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import SantorioCryptography

/// MiBeacon (service data of FE95): what Xiaomi's devices broadcast, encrypted since version 4.
///
/// ```
/// // 4859  D53B  71  530438B5894B242C209908DA  000000  479ECDA3
/// // CTRL  PROD  CN  ENCRYPTED                 EXTCNT  TAG
/// ```
///
/// The address and a capability stand between counter and object where Frame Control says so.
/// Source: Bluetooth-Devices/xiaomi-ble, parser.py; openScale.
package struct MiBeacon: CharacteristicValue {
  /// What the frame holds: bit 3 encrypted, 4 address, 5 capability, 6 object, 12...15 version.
  package var frameControl: UInt16
  /// The model.
  package var productID: UInt16
  /// Counts the frames.
  package var frameCounter: UInt8
  /// Address and capability, as sent, where Frame Control announces them.
  package var header: [UInt8]
  /// The encrypted object.
  package var ciphertext: [UInt8]
  /// The upper three bytes of the counter.
  package var extendedCounter: [UInt8]
  /// The proof of authenticity.
  package var tag: [UInt8]

  /// Reads a frame that holds an encrypted object.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    frameControl = try reader.uint16(field: "Frame Control")
    guard frameControl & 0x48 == 0x48, frameControl >> 12 >= 4 else {
      throw PayloadError(
        .reservedValue, field: "Frame Control", offset: 0,
        message: "It announces no encrypted object of version 4 or 5. There is nothing to open.")
    }
    productID = try reader.uint16(field: "Product ID")
    frameCounter = try reader.uint8(field: "Frame Counter")
    header = []
    if frameControl & 0x10 != 0 { header = try reader.bytes(6, field: "Address") }
    if frameControl & 0x20 != 0 {
      let capability = try reader.uint8(field: "Capability")
      header.append(capability)
      if capability & 0x20 != 0 { header += try reader.bytes(2, field: "IO Capability") }
    }
    ciphertext = try reader.bytes(max(0, reader.remainingCount - 7), field: "Object")
    extendedCounter = try reader.bytes(3, field: "Extended Counter")
    tag = try reader.bytes(4, field: "Tag")
  }

  /// Writes the frame.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint16(frameControl)
    writer.uint16(productID)
    writer.uint8(frameCounter)
    writer.append(header)
    writer.append(ciphertext)
    writer.append(extendedCounter)
    writer.append(tag)
  }

  /// The address, where the frame has it.
  package var address: DeviceAddress? {
    frameControl & 0x10 == 0 ? nil : DeviceAddress(bytes: header.prefix(6).reversed())
  }

  /// Decrypts the object.
  ///
  /// - Parameters:
  ///   - key: The device's bind key.
  ///   - address: The device's address; one in the frame takes precedence.
  /// - Returns: Identifier, length and value of the object.
  /// - Throws: `keyRequired` without an address; `authenticationFailed`.
  package func open(key: BindKey, address: DeviceAddress?) throws(PayloadError) -> [UInt8] {
    let nonce = try nonce(address)
    do throws(CryptographyError) {
      return try AESCCM(key: key.bytes, tagCount: 4).open(
        ciphertext + tag, nonce: nonce, authenticating: [0x11])
    } catch {
      throw PayloadError(
        .authenticationFailed, field: "Tag", offset: 5 + header.count + ciphertext.count + 3,
        message: "The bind key or the address is not this device's. Enter the right one.")
    }
  }

  /// Encrypts an object, as the device does.
  ///
  /// - Parameters:
  ///   - object: Identifier, length and value.
  ///   - key: The device's bind key.
  ///   - address: The device's address.
  ///   - productID: The model.
  ///   - counter: The number of the frame; the low four bytes count.
  /// - Throws: `outOfRange` for an object that is too long.
  package init(
    sealing object: [UInt8], key: BindKey, address: DeviceAddress, productID: UInt16,
    counter: UInt32
  ) throws(PayloadError) {
    frameControl = 0x5948
    self.productID = productID
    frameCounter = UInt8(truncatingIfNeeded: counter)
    header = []
    ciphertext = []
    extendedCounter = [8, 16, 24].map { UInt8(truncatingIfNeeded: counter >> $0) }
    tag = []
    let nonce = try nonce(address)
    do throws(CryptographyError) {
      let sealed = try AESCCM(key: key.bytes, tagCount: 4).seal(
        object, nonce: nonce, authenticating: [0x11])
      ciphertext = Array(sealed.dropLast(4))
      tag = sealed.suffix(4)
    } catch {
      throw PayloadError(.outOfRange, field: "Object", message: "\(error)")
    }
  }

  /// Address from its last byte on, model, counter.
  private func nonce(_ address: DeviceAddress?) throws(PayloadError) -> [UInt8] {
    guard let address = self.address ?? address else {
      throw PayloadError(
        .keyRequired, field: "Address", offset: 5,
        message: "The frame lacks the device's address. Pass the address, too.")
    }
    var writer = PayloadWriter()
    writer.append(address.bytes.reversed())
    writer.uint16(productID)
    writer.uint8(frameCounter)
    writer.append(extendedCounter)
    return writer.bytes
  }
}
