// SPDX-License-Identifier: Apache-2.0

/// One row of the table of characteristics that this package decodes.
package struct CharacteristicCodec: Sendable {
  /// The 16-bit UUID in hexadecimal, for instance `2A35`; `SFLOAT` and `FLOAT` for a bare number.
  package let characteristic: String
  /// The name in the specification.
  package let name: String
  /// Decodes a payload to the value's own type.
  package let value: @Sendable ([UInt8]) throws(PayloadError) -> any FieldRepresentable

  private init<Value: FieldRepresentable>(
    _ characteristic: String, _ name: String, _: Value.Type
  ) {
    self.characteristic = characteristic
    self.name = name
    value = { octets throws(PayloadError) in try Value(payload: octets) }
  }

  /// All rows, in the order of their UUIDs.
  package static let all = [
    CharacteristicCodec("2A08", "Date Time", DateTime.self),
    CharacteristicCodec("2A0F", "Local Time Information", LocalTimeInformation.self),
    CharacteristicCodec("2A14", "Reference Time Information", ReferenceTimeInformation.self),
    CharacteristicCodec("2A19", "Battery Level", BatteryLevel.self),
    CharacteristicCodec("2A23", "System ID", SystemID.self),
    CharacteristicCodec("2A24", "Model Number String", DeviceInformationString.self),
    CharacteristicCodec("2A25", "Serial Number String", DeviceInformationString.self),
    CharacteristicCodec("2A26", "Firmware Revision String", DeviceInformationString.self),
    CharacteristicCodec("2A27", "Hardware Revision String", DeviceInformationString.self),
    CharacteristicCodec("2A28", "Software Revision String", DeviceInformationString.self),
    CharacteristicCodec("2A29", "Manufacturer Name String", DeviceInformationString.self),
    CharacteristicCodec("2A2B", "Current Time", CurrentTime.self),
    CharacteristicCodec("2A35", "Blood Pressure Measurement", BloodPressureMeasurement.self),
    CharacteristicCodec("2A36", "Intermediate Cuff Pressure", IntermediateCuffPressure.self),
    CharacteristicCodec("2A49", "Blood Pressure Feature", BloodPressureFeature.self),
    CharacteristicCodec("2A50", "PnP ID", PnPID.self),
    CharacteristicCodec("FLOAT", "IEEE 11073-20601 FLOAT", MedicalFloat32.self),
    CharacteristicCodec("SFLOAT", "IEEE 11073-20601 SFLOAT", MedicalFloat16.self),
  ]

  private static let byCharacteristic = Dictionary(
    all.map { ($0.characteristic, $0) }, uniquingKeysWith: { first, _ in first })

  /// The row of a characteristic, in upper or lower case; nil when there is none.
  package static func codec(for characteristic: String) -> CharacteristicCodec? {
    byCharacteristic[characteristic.uppercased()]
  }

  /// Decodes a payload to named fields.
  ///
  /// - Parameters:
  ///   - characteristic: A 16-bit UUID such as `2A35`, or `SFLOAT` or `FLOAT`.
  ///   - payload: The octets of the characteristic value.
  /// - Returns: The fields, in their order.
  /// - Throws: `unsupportedCharacteristic`, or why the payload cannot be read.
  package static func decode(
    characteristic: String, payload: some Collection<UInt8>
  ) throws(PayloadError) -> DecodedPayload {
    guard let codec = codec(for: characteristic) else {
      throw PayloadError(
        .unsupportedCharacteristic, field: "Characteristic",
        message: "There is no codec for \(characteristic).")
    }
    let value = try codec.value(Array(payload))
    return DecodedPayload(
      name: codec.name, fields: value.fields, trailingOctets: value.trailingOctets)
  }
}
