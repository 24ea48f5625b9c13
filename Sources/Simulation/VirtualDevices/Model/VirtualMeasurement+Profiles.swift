// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// The payloads in which devices of the SIG's profiles send given values; nil for other values, and
/// for those that the format cannot hold.
extension VirtualMeasurement {
  /// Blood Pressure Measurement (2A35).
  func bloodPressurePayload(at time: LocalDateTime) -> [UInt8]? {
    guard case .bloodPressure(let systolic, let diastolic, let pulse) = values else { return nil }
    let words = [systolic, diastolic, pulse]
      .compactMap { try? MedicalFloat16(Double($0), exponent: 0) }
    guard words.count == 3 else { return nil }
    return BloodPressureMeasurement(
      systolic: words[0], diastolic: words[1], timestamp: Timestamp(time), pulseRate: words[2],
      userID: user.map(UserID.init(rawValue:)), measurementStatus: []
    ).payload
  }

  /// Temperature Measurement (2A1C), to a tenth of a degree.
  func temperaturePayload(_ place: TemperatureType, at time: LocalDateTime) -> [UInt8]? {
    guard case .temperature(let celsius) = values, celsius.isFinite,
      let value = try? MedicalFloat32(celsius, exponent: -1)
    else { return nil }
    return TemperatureMeasurement(
      value: value, timestamp: Timestamp(time), temperatureType: place
    ).payload
  }

  /// Weight Measurement (2A9D), in steps of 0.005 kg.
  func weightPayload(at time: LocalDateTime) -> [UInt8]? {
    guard let rawWeight else { return nil }
    return WeightMeasurement(
      rawWeight: rawWeight, timestamp: Timestamp(time), userID: user.map(UserID.init(rawValue:))
    ).payload
  }

  /// The weight in steps of 0.005 kg.
  var rawWeight: UInt16? {
    guard case .weight(let kilograms, _) = values else { return nil }
    // The last word stands for a failed measurement.
    return UInt16(exactly: (kilograms * 200).rounded()).flatMap { $0 < .max ? $0 : nil }
  }
}
