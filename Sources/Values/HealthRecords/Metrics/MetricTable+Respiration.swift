// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// Breathing.
  static let respiration: [MetricDefinition] = [
    row(
      .respiratoryRate, "Respiratory rate", "breaths/min", "/min", 2...150,
      loinc: .loinc("9279-1", .vitalSigns), mdc: .mdc(151_562), .biometrics,
      quantity: "RespiratoryRate"),
    row(
      .fev1, "Forced expiratory volume in 1 s", "L", "L", 0.1...12, loinc: .loinc("20150-9"),
      mdc: .mdc(152_586), .biometrics, quantity: "ForcedExpiratoryVolume1"),
    row(
      .fev6, "Forced expiratory volume in 6 s", "L", "L", 0.1...15, mdc: .mdc(152_587),
      .biometrics),
    row(
      .fvc, "Forced vital capacity", "L", "L", 0.1...15, loinc: .loinc("19868-9"),
      mdc: .mdc(188_928), .biometrics, quantity: "ForcedVitalCapacity"),
    row(
      .peakExpiratoryFlow, "Peak expiratory flow", "L/min", "L/min", 10...1200,
      loinc: .loinc("33452-4"), mdc: .mdc(152_584), .biometrics,
      quantity: "PeakExpiratoryFlowRate"),
    row(
      .midExpiratoryFlow, "Forced mid-expiratory flow", "L/s", "L/s", 0.05...15, mdc: .mdc(188_960),
      .biometrics),
    row(
      .forcedExpiratoryTime, "Forced expiratory time", "s", "s", 0.1...60, mdc: .mdc(189_016),
      .biometrics),
    row(
      .fev1PerFVC, "FEV1 per FVC", "%", "%", 1...100, loinc: .loinc("19926-5"), mdc: .mdc(188_948),
      .biometrics),
    row(
      .fev1PerFEV6, "FEV1 per FEV6", "%", "%", 1...100, mdc: .mdc(188_936), .biometrics),
  ]
}

extension MetricType {
  /// Respiratory rate in breaths a minute.
  public static let respiratoryRate = MetricType(rawValue: "respiratory_rate")
  /// Forced expiratory volume in 1 s in litres.
  public static let fev1 = MetricType(rawValue: "fev1")
  /// Forced expiratory volume in 6 s in litres.
  public static let fev6 = MetricType(rawValue: "fev6")
  /// Forced vital capacity in litres.
  public static let fvc = MetricType(rawValue: "fvc")
  /// Peak expiratory flow in L/min.
  public static let peakExpiratoryFlow = MetricType(rawValue: "pef")
  /// Forced mid-expiratory flow in L/s.
  public static let midExpiratoryFlow = MetricType(rawValue: "fef_25_75")
  /// Forced expiratory time in seconds.
  public static let forcedExpiratoryTime = MetricType(rawValue: "fet")
  /// FEV1 per FVC in per cent.
  public static let fev1PerFVC = MetricType(rawValue: "fev1_per_fvc")
  /// FEV1 per FEV6 in per cent.
  public static let fev1PerFEV6 = MetricType(rawValue: "fev1_per_fev6")
}
