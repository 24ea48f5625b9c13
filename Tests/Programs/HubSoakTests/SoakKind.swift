// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import VirtualDevices

/// A kind of device in the soak, and how its readings are told apart.
enum SoakKind: String, CaseIterable, Sendable {
  case pressureCuff, scale, thermometer, glucoseMeter, oneTouchMeter, pressureMonitor, userScale
  /// The one that two patients share.
  case sharedMonitor

  /// Those that one patient has.
  static let ofOnePatient: [SoakKind] = allCases.filter { $0 != .sharedMonitor }

  var model: VirtualDeviceModel {
    switch self {
    case .pressureCuff: .ua651BLE(memory: [])
    case .scale: .uc352BLE
    case .thermometer: .ut201BLE
    case .glucoseMeter: .accuChekGuide
    case .oneTouchMeter: .oneTouchVerioFlex
    case .pressureMonitor: .taiDocBloodPressure
    case .userScale: .bf720
    case .sharedMonitor: .bm54(memory: [])
    }
  }

  /// How many measurements its memory holds; nil for more than a soak makes.
  var capacity: Int? { self == .pressureCuff ? 6 : nil }

  /// Whether it erases what was sent.
  var erasesSentMeasurements: Bool {
    switch self {
    case .pressureCuff, .scale, .thermometer, .userScale: true
    case .glucoseMeter, .oneTouchMeter, .pressureMonitor, .sharedMonitor: false
    }
  }

  /// A frame of a measurement that failed; nil for a device that keeps none.
  var failedFrame: [UInt8]? {
    // FL  SYST DIAS MAP   YEAR MO DA HH MM SS  PULS  STAT
    self == .pressureCuff
      ? [0x16, 0xFF, 7, 0xFF, 7, 0xFF, 7, 0xEA, 7, 3, 1, 7, 0, 0, 0xFF, 7, 0, 0] : nil
  }

  /// Values that differ from those of other numbers, as long as there are such.
  func values(_ number: Int) -> VirtualMeasurement.Values {
    switch self {
    case .pressureCuff, .pressureMonitor, .sharedMonitor:
      .bloodPressure(
        systolic: 100 + number % 60, diastolic: 60 + number / 60 % 30, pulse: 55 + number % 47)
    case .scale, .userScale: .weight(kilograms: 50 + Double(number % 600) / 10)
    case .thermometer: .temperature(celsius: 35.5 + Double(number % 60) / 10)
    case .glucoseMeter, .oneTouchMeter: .glucose(milligramsPerDeciliter: 60 + number % 340)
    }
  }

  /// The number of the user that it takes without slots; nil where it needs none.
  var user: UInt8? { self == .userScale ? 1 : nil }
}

extension VirtualMeasurement.Values {
  /// The values as the ledger names them.
  var text: String {
    switch self {
    case .bloodPressure(let systolic, let diastolic, let pulse):
      "\(systolic)/\(diastolic) \(pulse)"
    case .glucose(let milligrams, _): "glucose \(milligrams)"
    case .temperature(let celsius): "temperature \(Int((celsius * 10).rounded()))"
    case .weight(let kilograms, _): "weight \(Int((kilograms * 10).rounded()))"
    default: "other"
    }
  }
}

extension HealthRecord {
  /// Its values as the ledger names them.
  var text: String {
    func rounded(_ value: Double, _ factor: Double = 1) -> Int { Int((value * factor).rounded()) }
    if let systolic = value(.systolic), let diastolic = value(.diastolic) {
      return "\(rounded(systolic))/\(rounded(diastolic)) \(value(.pulse).map { rounded($0) } ?? 0)"
    }
    if let glucose = value(.bloodGlucose, in: .milligramsPerDeciliter) {
      return "glucose \(rounded(glucose))"
    }
    if let celsius = value(.bodyTemperature, in: .celsius) {
      return "temperature \(rounded(celsius, 10))"
    }
    if let kilograms = value(.bodyWeight, in: .kilograms) {
      return "weight \(rounded(kilograms, 10))"
    }
    return "other"
  }
}
