// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of eight bytes of the Hutbit scale and its kin (service FFB0), in both directions.
///
/// ```
/// // AC 02  0348 0000  CE  19
/// // MARK   CONTENT    ST  sum of bytes 2...6
/// ```
///
/// Source: KristianP26/ble-scale-sync (captured frames).
package struct HutbitFrame: CharacteristicValue {
  /// Four bytes: a weight, or FD and what the scale is doing.
  package var content: [UInt8]
  /// CA settled, CE measuring, CB impedance, CC a request.
  package var status: UInt8

  /// Makes a weight in tenths of a kilogram.
  package init(tenthsOfKilogram: UInt16, isSettled: Bool) {
    content = [UInt8(tenthsOfKilogram >> 8), UInt8(tenthsOfKilogram & 0xFF), 0, 0]
    status = isSettled ? 0xCA : 0xCE
  }

  /// Makes an impedance in ohms; nil for one that could not be measured.
  package init(ohms: UInt16?) {
    content = [0xFD, ohms == nil ? 0xFF : 0x01, UInt8((ohms ?? 0) >> 8), UInt8((ohms ?? 0) & 0xFF)]
    status = 0xCB
  }

  /// Makes a request of four bytes; others are filled up or cut.
  package init(request content: [UInt8]) {
    self.content = Array((content + [0, 0, 0, 0]).prefix(4))
    status = 0xCC
  }

  /// Reads a frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let mark = try reader.uint8(field: "Mark")
    guard mark == 0xAC else {
      throw PayloadError(
        .reservedValue, field: "Mark", offset: 0, message: "No frame of this scale starts so.")
    }
    model = try reader.uint8(field: "Model")
    content = try reader.bytes(4, field: "Content")
    status = try reader.uint8(field: "Status")
    try reader.verify(.sum8, from: 2)
  }

  /// The byte after the mark: 2 for a Hutbit.
  package private(set) var model: UInt8 = 2

  /// Writes the frame.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.uint8(0xAC)
    writer.uint8(model)
    writer.append(content)
    writer.uint8(status)
    writer.append(.sum8, from: start + 2)
  }

  /// Whether this is a weight that no longer changes.
  package var isSettled: Bool { status == 0xCA }

  /// The weight in kilograms; nil for other frames.
  package var kilograms: Double? {
    status == 0xCA || status == 0xCE ? Double(word(0)) / 10 : nil
  }

  /// The impedance in ohms that follows the weight; nil for other frames, and without contact.
  package var ohms: Int? {
    status == 0xCB && content[0] == 0xFD && content[1] == 0x01 ? word(2) : nil
  }

  /// Whether the scale says that it could not measure the impedance.
  package var hasNoContact: Bool {
    status == 0xCB && content[0] == 0xFD && content[1] == 0xFF
  }

  private func word(_ offset: Int) -> Int {
    Int(content[offset]) << 8 | Int(content[offset + 1])
  }
}
