// SPDX-License-Identifier: Apache-2.0

extension HealthRecord {
  /// Why a data point cannot say a value; nil where it can.
  func obstacle(to metric: Metric) -> OpenMHealthOmission.Reason? {
    let isGlucose = [.bloodGlucose, .averageBloodGlucose].contains(metric.type)
    if metric.value == nil { return .absent }
    if metric.bound != nil || isGlucose && glucoseRange != nil { return .bound }
    if isGlucose, tagValue("sample_type") == "control_solution" { return .noMeasurement }
    if isEarlyEstimate { return .earlyEstimate }
    // Which variability it is, is known of Apple's devices only.
    if metric.type == .heartRateVariability, source.type != .appleHealth { return .noSchema }
    return doubts(about: metric.type) || !metric.isPlausible ? .doubtful : nil
  }

  /// The metrics that stand in one body together.
  var panelFields: [MetricType: OpenMHealthField] {
    switch kind {
    case .sleep: OpenMHealthField.ofSleep
    case .workout: OpenMHealthField.ofWorkout
    default: OpenMHealthField.ofActivity
    }
  }

  /// What was done, which a body of physical activity must say.
  var activityName: String {
    let name = [category, name].compactMap(\.self).first { !$0.isEmpty }
    return switch kind {
    case .workout: name?.replacing("_", with: " ") ?? "workout"
    case .summary: "daily activity summary"
    default: "physical activity"
    }
  }

  /// How hard the user found a workout, in the words of the schema.
  var reportedIntensity: String? {
    kind == .workout && ["light", "moderate", "vigorous"].contains(intensity) ? intensity : nil
  }

  // MARK: - Under which circumstances a value was measured

  /// The members of a body that say under which circumstances a value was measured.
  func circumstances(of metric: Metric) -> [(name: String, value: String)] {
    switch OpenMHealthMeasure.all[metric.type]?.schema {
    case .bloodGlucose: glucoseCircumstances
    case .bodyTemperature: temperaturePlace.map { [("measurement_location", $0)] } ?? []
    // How a person found a value out that they typed in is not known.
    case .oxygenSaturation where metric.origin == .device:
      [("system", "peripheral capillary"), ("measurement_method", "pulse oximetry")]
    case .heartRate: heartRateCircumstances(of: metric)
    default: []
    }
  }

  private var glucoseCircumstances: [(name: String, value: String)] {
    let members: [(name: String, value: String?)] = [
      ("specimen_source", specimen), ("temporal_relationship_to_meal", meal),
      ("temporal_relationship_to_sleep", isBeforeSleep ? "before sleeping" : nil),
    ]
    return members.compactMap { name, value in value.map { (name, $0) } }
  }

  private func heartRateCircumstances(of metric: Metric) -> [(name: String, value: String)] {
    if metric.type == .restingHeartRate {
      return [("temporal_relationship_to_physical_activity", "at rest")]
    }
    switch kind {
    case .workout: return [("temporal_relationship_to_physical_activity", "during exercise")]
    case .sleep: return [("temporal_relationship_to_sleep", "during sleep")]
    default: return []
    }
  }

  // The schema has no plasma and no venous blood.
  private var specimen: String? {
    switch tagValue("sample_type") {
    case "capillary_whole_blood": "capillary blood"
    case "interstitial_fluid": "interstitial fluid"
    case nil: kind == .cgm ? "interstitial fluid" : nil
    default: nil
    }
  }

  private var meal: String? {
    switch mealRelationship {
    case .before: "before meal"
    case .after: "after meal"
    case .fasting: "fasting"
    case .random, nil: nil
    }
  }

  private var isBeforeSleep: Bool {
    tagValue("meal") == "bedtime"
      || userNotes.contains(UserNote(type: "relationship_to_meal", value: "bedtime"))
  }

  // The schema has no ear, which in the Thermometer Service is usually the lobe. Its forehead is
  // that of a strip.
  private var temperaturePlace: String? {
    switch tagValue("measurement_location") {
    case "armpit": "axillary"
    case "finger": "finger"
    case "mouth": "oral"
    case "rectum": "rectal"
    case "toe": "toe"
    case "tympanum": "tympanic"
    default: nil
    }
  }

  private func tagValue(_ name: String) -> String? { tags.first { $0.name == name }?.value }

  // MARK: - What data points have said

  /// Whether a finding is in the bodies of these schemas, or is the reason why a value is in none.
  func isSaid(_ tag: RecordTag, in schemas: Set<OpenMHealthSchema>) -> Bool {
    switch tag.name {
    case GlucoseRange.tagName, Self.implausibleTag, "early_estimate": true
    case "sample_type": schemas.contains(.bloodGlucose) && specimen != nil
    case "meal": schemas.contains(.bloodGlucose) && tag.value == "bedtime"
    case "measurement_location": schemas.contains(.bodyTemperature) && temperaturePlace != nil
    default: false
    }
  }

  /// Whether a remark is in the bodies of these schemas.
  func isSaid(_ note: UserNote, in schemas: Set<OpenMHealthSchema>) -> Bool {
    note.type == "relationship_to_meal" && schemas.contains(.bloodGlucose)
      && (meal != nil || note.value == "bedtime")
  }
}
