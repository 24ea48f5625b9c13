// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// The reproductive system, of which the Legacy API has no published class.
  ///
  /// But for the temperature the values are codes, see ``MetricDefinition/valueNames``.
  static let reproduction: [MetricDefinition] = [
    row(
      .basalBodyTemperature, "Basal body temperature", "°C", "Cel", 30...43, nil,
      quantity: "BasalBodyTemperature"),
    code(
      .menstrualFlow, "Menstrual flow", category: "MenstrualFlow",
      [1: "unspecified", 2: "light", 3: "medium", 4: "heavy", 5: "none"]),
    code(
      .intermenstrualBleeding, "Bleeding between periods", category: "IntermenstrualBleeding",
      [1: "present"]),
    code(
      .cervicalMucusQuality, "Cervical mucus", category: "CervicalMucusQuality",
      [1: "dry", 2: "sticky", 3: "creamy", 4: "watery", 5: "egg_white"]),
    code(
      .ovulationTestResult, "Ovulation test", category: "OvulationTestResult",
      [
        1: "negative", 2: "luteinizing_hormone_surge", 3: "indeterminate", 4: "estrogen_surge",
      ]),
    code(
      .sexualActivity, "Sexual activity", category: "SexualActivity",
      [1: "present"]),
  ]

  private static func code(
    _ type: MetricType, _ name: String, category: String, _ names: [Int: String]
  ) -> MetricDefinition {
    row(
      type, name, "code", "{code}", 0...Double(names.count), nil, category: category, names: names)
  }
}

extension MetricType {
  /// Body temperature at rest in degrees Celsius.
  public static let basalBodyTemperature = MetricType(rawValue: "basal_body_temperature")
  /// How strong a period is: 1 unspecified, 2 light, 3 medium, 4 heavy, 5 none.
  public static let menstrualFlow = MetricType(rawValue: "menstrual_flow")
  /// Bleeding between periods: 1 present.
  public static let intermenstrualBleeding = MetricType(rawValue: "intermenstrual_bleeding")
  /// The mucus of the cervix: 1 dry, 2 sticky, 3 creamy, 4 watery, 5 like egg white.
  public static let cervicalMucusQuality = MetricType(rawValue: "cervical_mucus_quality")
  /// The result of an ovulation test: 1 negative, 2 luteinizing hormone surge, 3 indeterminate,
  /// 4 estrogen surge.
  public static let ovulationTestResult = MetricType(rawValue: "ovulation_test_result")
  /// Sexual activity: 1 present.
  public static let sexualActivity = MetricType(rawValue: "sexual_activity")
}
