// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// Monitors that notify one value when they have measured, without a clock that could be set.
extension DriverModel {
  /// Yonker, Yongrow and METIKO.
  package static let yonkerBloodPressure = oneValue(
    id: "yonker-blood-pressure", name: "Yonker blood pressure monitors", value: .yonkerMeasurement,
    confidence: .agreed, sources: ["derdilla/blood-pressure-monitor-fl"]
  ) { bytes throws(PayloadError) in
    let value = try YonkerMeasurement(payload: bytes)
    return DeviceReading(
      systolic: value.systolic, diastolic: value.diastolic, pulseRate: value.pulseRate,
      clock: value.timestamp.dateTime.map { .local($0) }, payload: bytes)
  }

  /// Samico, sold by Pyle among others.
  package static let samicoBloodPressure = oneValue(
    id: "samico-blood-pressure", name: "Samico blood pressure monitors", value: .samicoMeasurement,
    confidence: .single, sources: ["Bp_PyleCommunicator"]
  ) { bytes throws(PayloadError) in
    guard
      case .result(let systolic, let diastolic, _, let pulseRate, _) = try SamicoMeasurement(
        payload: bytes)
    else { return nil }
    return DeviceReading(
      systolic: systolic, diastolic: diastolic, pulseRate: pulseRate, payload: bytes)
  }

  /// Jumper JPD-HA120.
  package static let jumperBloodPressure = oneValue(
    id: "jumper-blood-pressure", name: "Jumper JPD-HA120", value: .jumperPressure,
    confidence: .single, sources: ["weliem/LivecareBluetoothSDK"]
  ) { bytes throws(PayloadError) in
    switch try JumperPressureReply(payload: bytes) {
    case .result(let systolic, let diastolic, let pulseRate, _):
      DeviceReading(
        systolic: systolic, diastolic: diastolic, pulseRate: pulseRate, payload: bytes)
    case .failed:
      DeviceReading(
        refused: .failedMeasurement,
        "The device reports that the measurement failed. Measure again.", payload: bytes)
    case .switchedOff: nil
    }
  }

  /// AndesFit ADF-B19 and BPM_01.
  package static let andesFitBloodPressure = oneValue(
    id: "andesfit-blood-pressure", name: "AndesFit blood pressure monitors",
    value: .jumperPressure, confidence: .single, sources: ["weliem/LivecareBluetoothSDK"]
  ) { bytes throws(PayloadError) in
    // All other values are on the way to a measurement.
    guard bytes.count == 18, let value = try? AndesFitMeasurement(payload: bytes) else {
      return nil
    }
    return DeviceReading(
      systolic: value.systolic, diastolic: value.diastolic, pulseRate: value.pulseRate,
      payload: bytes)
  }

  private static func oneValue(
    id: String, name: String, value: Attribute, confidence: Confidence, sources: [String],
    decode: @escaping @Sendable ([UInt8]) throws(PayloadError) -> DeviceReading?
  ) -> DriverModel {
    DriverModel(
      id: id, name: name, required: [value], confidence: confidence, sources: sources
    ) { context in
      PushDriver(context, steps: .facts + [.subscribe(value)], measurements: [value]) {
        _, bytes, _ in
        do throws(PayloadError) {
          return try decode(bytes)
        } catch {
          return DeviceReading(error, payload: bytes)
        }
      }
    }
  }
}

extension Attribute {
  package static let yonkerMeasurement = Attribute(
    "CDEACD80-5235-4C07-8846-93A37EE6B86D", "CDEACD81-5235-4C07-8846-93A37EE6B86D")
  package static let samicoMeasurement = Attribute("FFF0", "FFF4")
  package static let jumperPressure = Attribute("FFF0", "FFF1")
}
