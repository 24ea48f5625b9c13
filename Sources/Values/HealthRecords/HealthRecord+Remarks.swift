// SPDX-License-Identifier: Apache-2.0

// Remarks and findings that have a fixed name on the wire. `message`, `relationship_to_meal` and
// `out_of_bounds_blood_glucose` are Validic's names, `diabetes_event` is ours.
extension HealthRecord {
  /// The user's words about the record.
  public var comment: String? {
    get { note("message") }
    set { setNote("message", newValue) }
  }

  /// Whether a glucose reading was before or after a meal, or fasting; nil when not known.
  public var mealRelationship: MealRelationship? {
    get { note("relationship_to_meal").flatMap(MealRelationship.init) }
    set { setNote("relationship_to_meal", newValue?.rawValue) }
  }

  /// What happened around a glucose reading.
  public var diabetesEvent: DiabetesEvent? {
    get { note("diabetes_event").flatMap(DiabetesEvent.init) }
    set { setNote("diabetes_event", newValue?.rawValue) }
  }

  /// Whether a glucose reading was below or above the measurable range; nil within it.
  ///
  /// Set where a meter shows "LO" or "HI", by its own bounds; ``Metric/bound`` and
  /// ``Metric/absence`` of the glucose say the same.
  public var glucoseRange: GlucoseRange? {
    get {
      tags.first { $0.name == GlucoseRange.tagName }.flatMap { GlucoseRange(rawValue: $0.value) }
    }
    set {
      let index = tags.firstIndex { $0.name == GlucoseRange.tagName }
      tags.removeAll { $0.name == GlucoseRange.tagName }
      guard let newValue else { return }
      let tag = RecordTag(name: GlucoseRange.tagName, value: newValue.rawValue)
      tags.insert(tag, at: index ?? tags.endIndex)
    }
  }

  /// Whether the device takes its values for an early estimate.
  public var isEarlyEstimate: Bool {
    tags.contains(RecordTag(name: "early_estimate", value: "true"))
  }

  /// Whether the device knows several users and does not know whose measurement it is.
  public var isOfUnknownUser: Bool {
    tags.contains(RecordTag(name: Self.unknownUserTag, value: "true"))
  }

  /// The name of the tag for a measurement of which the device does not know whose it is.
  package static let unknownUserTag = "user_unknown"

  /// The metrics whose values no living person has; they were delivered as measured.
  public var implausibleMetrics: [MetricType] {
    tags.filter { $0.name == Self.implausibleTag }.map { MetricType(rawValue: $0.value) }
  }

  /// The name of a tag whose value is the name of a metric with a value that no living person has.
  package static let implausibleTag = "implausible"

  /// Whether a metric's value is doubted: by the device, or because it is implausible.
  ///
  /// - Parameter type: The metric.
  /// - Returns: Whether it is doubted.
  public func doubts(about type: MetricType) -> Bool {
    implausibleMetrics.contains(type)
      || Self.ofSignal.contains(type)
        && tags.contains { Self.signalDoubts.contains($0.name) && $0.value == "true" }
  }

  // The flags of the Pulse Oximeter Service 1.0.1 by which an oximeter doubts its signal.
  private static let signalDoubts: Set = [
    "signal_processing_irregularity", "inadequate_signal", "poor_signal", "erratic_signal",
    "nonpulsatile_signal", "questionable_pulse", "sensor_interference",
  ]
  private static let ofSignal: Set<MetricType> = [.oxygenSaturation, .pulse, .perfusionIndex]

  private func note(_ type: String) -> String? { userNotes.first { $0.type == type }?.value }

  private mutating func setNote(_ type: String, _ value: String?) {
    let index = userNotes.firstIndex { $0.type == type }
    userNotes.removeAll { $0.type == type }
    guard let value else { return }
    userNotes.insert(UserNote(type: type, value: value), at: index ?? userNotes.endIndex)
  }
}

/// Whether a glucose reading was before or after a meal, or fasting; the names are those of the
/// Inform API.
public enum MealRelationship: String, CaseIterable, Hashable, Sendable {
  /// Before a meal.
  case before
  /// After a meal.
  case after
  /// Without regard to meals.
  case random
  /// After hours without food.
  case fasting
}

/// What happened around a glucose reading; the names are those of the wire.
public enum DiabetesEvent: String, CaseIterable, Hashable, Sendable {
  /// Exercise.
  case exercise
  /// Illness.
  case sick
  /// Medication was taken.
  case medication
  /// Something else.
  case other
}

/// Whether a glucose reading is below or above the measurable range.
public enum GlucoseRange: String, CaseIterable, Hashable, Sendable {
  /// Below what the meter can measure, with most meters 20 mg/dL (1.1 mmol/L).
  case low
  /// Above what the meter can measure, with most meters 600 mg/dL (33.3 mmol/L).
  case high

  static let tagName = "out_of_bounds_blood_glucose"
}
