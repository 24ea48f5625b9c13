// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

/// One row of the table of payloads that this package decodes.
///
/// Each area has its own rows, in `CharacteristicCodec+Area.swift`.
package struct CharacteristicCodec: Sendable {
  /// The 16-bit UUID in hexadecimal, for instance `2A35`; `SFLOAT` and `FLOAT` for a bare number;
  /// for what only one manufacturer sends a name in lower case, for instance `omron-frame`.
  package let characteristic: String
  /// The name in the specification, or manufacturer and kind.
  package let name: String
  private let decode: Decode

  typealias Decode =
    @Sendable ([UInt8], [String: String]) throws(PayloadError) -> any FieldRepresentable

  init<Value: FieldRepresentable>(
    _ characteristic: String, _ name: String, _: Value.Type
  ) {
    self.init(characteristic, name) { bytes, _ throws(PayloadError) in
      try Value(payload: bytes)
    }
  }

  /// A row whose payload cannot be read without parameters.
  init(_ characteristic: String, _ name: String, decode: @escaping Decode) {
    self.characteristic = characteristic
    self.name = name
    self.decode = decode
  }

  /// A row of a manufacturer's payload, with the fields that its type stores.
  init(_ payload: VendorPayload) {
    self.init(payload.id, payload.name) { bytes, _ throws(PayloadError) in
      StoredFields(of: try payload.type.init(payload: bytes))
    }
  }

  /// Decodes a payload to the value's own type.
  ///
  /// - Parameters:
  ///   - payload: The bytes of the characteristic value.
  ///   - parameters: What else is needed to read it, for instance a key.
  /// - Returns: The value, of the type that belongs to the row.
  /// - Throws: Why the payload cannot be read.
  package func value(
    _ payload: [UInt8], parameters: [String: String] = [:]
  ) throws(PayloadError) -> any FieldRepresentable {
    try decode(payload, parameters)
  }

  /// All rows, in the order of their names.
  package static let all = [
    time, device, numbers, bloodPressure, bloodPressureVendors, glucose, continuousGlucose,
    oximeters, vendorScales,
    pulseOximeter, thermometer, weightScale, userData, heartRate, oneTouch, taiDoc,
    vendorThermometers, bioland, Manufacturer.all.flatMap(\.payloads).map(CharacteristicCodec.init),
  ]
  .flatMap { $0 }.sorted { $0.characteristic < $1.characteristic }

  private static let byCharacteristic = Dictionary(
    all.map { ($0.characteristic.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })

  /// The row of a characteristic, in upper or lower case; nil when there is none.
  package static func codec(for characteristic: String) -> CharacteristicCodec? {
    byCharacteristic[characteristic.uppercased()]
  }

  /// Decodes a payload to named fields.
  ///
  /// - Parameters:
  ///   - characteristic: A 16-bit UUID such as `2A35`, or `SFLOAT` or `FLOAT`.
  ///   - payload: The bytes of the characteristic value.
  ///   - parameters: What else is needed to read it: `key` and `mac` for what is encrypted.
  /// - Returns: The fields, in their order.
  /// - Throws: `unsupportedCharacteristic`, or why the payload cannot be read.
  package static func decode(
    characteristic: String, payload: some Collection<UInt8>, parameters: [String: String] = [:]
  ) throws(PayloadError) -> DecodedPayload {
    guard let codec = codec(for: characteristic) else {
      throw PayloadError(
        .unsupportedCharacteristic, field: "Characteristic",
        message: "There is no codec for \(characteristic).")
    }
    let value = try codec.value(Array(payload), parameters: parameters)
    return DecodedPayload(
      name: codec.name, fields: value.fields, trailingBytes: value.trailingBytes)
  }
}
