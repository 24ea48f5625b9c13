// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords

/// Blood pressure, temperature, oxygen saturation, heart rate, and what laboratories measure.
#if canImport(ObjectiveC)
  @objc(VLDBiometrics) @objcMembers
#endif
public final class VLDBiometrics: VLDRecord {
  /// The class of the record.
  ///
  /// - Returns: ``VLDRecordType/biometrics``.
  public override func recordType() -> VLDRecordType { .biometrics }

  /// Blood calcium in mg/dL.
  public var bloodCalcium: NSNumber? {
    get { number(.bloodCalcium) }
    set { setNumber(newValue, of: .bloodCalcium) }
  }
  /// Blood chromium in µg/L.
  public var bloodChromium: NSNumber? {
    get { number(.bloodChromium) }
    set { setNumber(newValue, of: .bloodChromium) }
  }
  /// Blood folic acid in ng/mL.
  public var bloodFolicAcid: NSNumber? {
    get { number(.bloodFolicAcid) }
    set { setNumber(newValue, of: .bloodFolicAcid) }
  }
  /// Blood magnesium in mg/dL.
  public var bloodMagnesium: NSNumber? {
    get { number(.bloodMagnesium) }
    set { setNumber(newValue, of: .bloodMagnesium) }
  }
  /// Blood potassium in mEq/L.
  public var bloodPotassium: NSNumber? {
    get { number(.bloodPotassium) }
    set { setNumber(newValue, of: .bloodPotassium) }
  }
  /// Blood sodium in mEq/L.
  public var bloodSodium: NSNumber? {
    get { number(.bloodSodium) }
    set { setNumber(newValue, of: .bloodSodium) }
  }
  /// Blood vitamin B12 in pg/mL.
  public var bloodVitaminB12: NSNumber? {
    get { number(.bloodVitaminB12) }
    set { setNumber(newValue, of: .bloodVitaminB12) }
  }
  /// Blood zinc in µg/dL.
  public var bloodZinc: NSNumber? {
    get { number(.bloodZinc) }
    set { setNumber(newValue, of: .bloodZinc) }
  }
  /// Creatine kinase in U/L.
  public var creatineKinase: NSNumber? {
    get { number(.creatineKinase) }
    set { setNumber(newValue, of: .creatineKinase) }
  }
  /// C-reactive protein in mg/L.
  public var crp: NSNumber? {
    get { number(.cReactiveProtein) }
    set { setNumber(newValue, of: .cReactiveProtein) }
  }
  /// Diastolic blood pressure in mmHg.
  public var diastolic: NSNumber? {
    get { number(.diastolic) }
    set { setNumber(newValue, of: .diastolic) }
  }
  /// Ferritin in ng/mL.
  public var ferritin: NSNumber? {
    get { number(.ferritin) }
    set { setNumber(newValue, of: .ferritin) }
  }
  /// HDL cholesterol in mg/dL.
  public var hdl: NSNumber? {
    get { number(.hdl) }
    set { setNumber(newValue, of: .hdl) }
  }
  /// High-sensitivity C-reactive protein in mg/L.
  public var hscrp: NSNumber? {
    get { number(.highSensitivityCRP) }
    set { setNumber(newValue, of: .highSensitivityCRP) }
  }
  /// Interleukin 6 in pg/mL.
  public var il6: NSNumber? {
    get { number(.interleukin6) }
    set { setNumber(newValue, of: .interleukin6) }
  }
  /// LDL cholesterol in mg/dL.
  public var ldl: NSNumber? {
    get { number(.ldl) }
    set { setNumber(newValue, of: .ldl) }
  }
  /// Systolic blood pressure in mmHg.
  public var systolic: NSNumber? {
    get { number(.systolic) }
    set { setNumber(newValue, of: .systolic) }
  }
  /// Testosterone in ng/dL.
  public var testosterone: NSNumber? {
    get { number(.testosterone) }
    set { setNumber(newValue, of: .testosterone) }
  }
  /// Total cholesterol in mg/dL.
  public var totalCholesterol: NSNumber? {
    get { number(.totalCholesterol) }
    set { setNumber(newValue, of: .totalCholesterol) }
  }
  /// Thyrotropin in mIU/L.
  public var tsh: NSNumber? {
    get { number(.thyrotropin) }
    set { setNumber(newValue, of: .thyrotropin) }
  }
  /// Uric acid in mg/dL.
  public var uricAcid: NSNumber? {
    get { number(.uricAcid) }
    set { setNumber(newValue, of: .uricAcid) }
  }
  /// Vitamin D in ng/mL.
  public var vitaminD: NSNumber? {
    get { number(.vitaminD) }
    set { setNumber(newValue, of: .vitaminD) }
  }
  /// White cells per µL.
  public var whiteCellCount: NSNumber? {
    get { number(.whiteCellCount) }
    set { setNumber(newValue, of: .whiteCellCount) }
  }
  /// Oxygen saturation in percent.
  public var spo2: NSNumber? {
    get { number(.oxygenSaturation) }
    set { setNumber(newValue, of: .oxygenSaturation) }
  }
  /// Body temperature in °C.
  public var temperature: NSNumber? {
    get { number(.bodyTemperature) }
    set { setNumber(newValue, of: .bodyTemperature) }
  }
  /// International normalized ratio; the documents name no property for it.
  public var inr: NSNumber? {
    get { number(.inr) }
    set { setNumber(newValue, of: .inr) }
  }

  /// The heart rate in beats a minute.
  ///
  /// The class has no other property for one: where no resting heart rate was measured as such, it is
  /// the pulse that a cuff, an oximeter or a strap has measured.
  public var restingHeartrate: NSNumber? {
    get { number(.restingHeartRate) ?? number(.pulse) }
    set { setNumber(newValue, of: isPulse ? .pulse : .restingHeartRate) }
  }

  private var isPulse: Bool { number(.restingHeartRate) == nil && number(.pulse) != nil }

  /// The body temperature in a unit.
  ///
  /// - Parameter unit: The unit.
  /// - Returns: The temperature; nil when there is none.
  #if canImport(ObjectiveC)
    @objc(temperatureWithUnit:)
  #endif
  public func temperature(with unit: VLDTemperatureUnit) -> NSNumber? {
    temperature.map { VLDRecord.convertTemperatureValue($0, from: .celsius, to: unit) }
  }

  /// Sets the body temperature from a value in a unit.
  ///
  /// - Parameters:
  ///   - temperature: The value.
  ///   - unit: Its unit.
  #if canImport(ObjectiveC)
    @objc(setTemperature:withUnit:)
  #endif
  public func setTemperature(_ temperature: NSNumber, with unit: VLDTemperatureUnit) {
    self.temperature = VLDRecord.convertTemperatureValue(temperature, from: unit, to: .celsius)
  }

  /// The lowest heart rate in beats a minute.
  ///
  /// - Returns: The rate; nil when there is none.
  public func minHeartRate() -> NSNumber? { number(.minimumHeartRate) }
  /// The highest heart rate in beats a minute.
  ///
  /// - Returns: The rate; nil when there is none.
  public func maxHeartRate() -> NSNumber? { number(.maximumHeartRate) }
  /// The average heart rate in beats a minute.
  ///
  /// - Returns: The rate; nil when there is none.
  public func averageHeartRate() -> NSNumber? { number(.averageHeartRate) }
  /// The median heart rate in beats a minute.
  ///
  /// - Returns: The rate; nil when there is none.
  public func medianHeartRate() -> NSNumber? { number(.medianHeartRate) }
}
