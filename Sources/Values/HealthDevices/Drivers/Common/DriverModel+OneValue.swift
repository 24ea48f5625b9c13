// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// A device that notifies one value when it has measured, and has no clock that could be set.
  static func oneValue(
    id: String, name: String, value: GATTAttribute, confidence: Confidence, sources: [String],
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
