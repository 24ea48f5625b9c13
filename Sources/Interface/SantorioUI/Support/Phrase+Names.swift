// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import HealthDevices
import HealthRecords
import PeripheralTypes
import SantorioOCR

extension Phrase {
  /// The name of a metric.
  init(_ type: MetricType) {
    let name =
      type.definition?.displayName ?? type.rawValue.replacingOccurrences(of: "_", with: " ")
    self.init(english: name)
  }

  /// The name of a type of devices, as a heading.
  init(headingOf type: PeripheralType) {
    let key: TextKey? =
      switch type {
      case .thermometer: .thermometers
      case .bloodPressure: .bloodPressureMonitors
      case .heartRate: .heartRateMonitors
      case .glucoseMeter: .glucoseMeters
      case .continuousGlucoseMonitor: .continuousGlucoseMonitors
      case .weightScale: .weightScales
      case .pulseOximeter: .pulseOximeters
      case .coagulationMeter: .coagulationMeters
      default: nil
      }
    self = key.map { Phrase($0) } ?? Phrase(english: type.displayName)
  }

  /// What to do so that a display is read.
  init(_ advice: CaptureAdvice) { self.init(english: advice.text) }

  /// Why something that a device sent is no reading.
  init(_ reason: RejectedReading.Reason) {
    let key: TextKey =
      switch reason {
      case .failedMeasurement: .rejectedMeasurement
      case .implausible, .outOfRange: .rejectedImplausible
      case .control: .rejectedControl
      case .noSignal: .rejectedSignal
      case .otherUser: .rejectedUser
      default: .rejectedMalformed
      }
    self.init(key)
  }
}
