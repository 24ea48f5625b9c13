// SPDX-License-Identifier: Apache-2.0

import Bluetooth
import BluetoothGATT
import DecodeComparison
import Foundation

try runDecoders(of: [.bloodPressure]) { characteristic, payload, take in
  switch characteristic {
  case .bloodPressure:
    guard let measurement = GATTBloodPressureMeasurement(data: payload) else {
      throw CocoaError(.coderInvalidValue)
    }
    take("systolic", Double(Float(measurement.compoundValue.systolic)))
    take("diastolic", Double(Float(measurement.compoundValue.diastolic)))
    take("mean", Double(Float(measurement.compoundValue.meanArterialPressure)))
    if let time = measurement.timestamp { take("minute", Double(time.minute.rawValue)) }
    if let pulse = measurement.pulseRate { take("pulse", Double(Float(pulse))) }
    if let user = measurement.userIdentifier { take("user", Double(user)) }
    if let status = measurement.measurementStatus { take("status", Double(status.rawValue)) }
  default: throw CocoaError(.featureUnsupported)
  }
}
