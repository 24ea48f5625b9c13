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
  /// A meter that shows "LO" or "HI" by its own bounds reports this without a value; for a value,
  /// ``markGlucoseRange()`` sets it.
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
  /// Below 20 mg/dL (1.1 mmol/L).
  case low
  /// Above 600 mg/dL (33.3 mmol/L).
  case high

  static let tagName = "out_of_bounds_blood_glucose"
}
