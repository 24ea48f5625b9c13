// SPDX-License-Identifier: Apache-2.0

/// A record in the form of Validic's Legacy API (v1).
public struct LegacyEncoder: Hashable, Sendable {
  /// The class of the record, which names its address and its wrapper.
  public let recordClass: LegacyRecord
  /// The JSON object of the class without its wrapper: `{"timestamp":…,"extras":{…}}`.
  public let json: [UInt8]
}

extension HealthRecord {
  /// The class of the Legacy API that the record belongs to.
  ///
  /// Summaries, workouts, sleep and nutrition have a class each. A measurement is `diabetes` or
  /// `weight` when one of its metrics belongs there, and else `biometrics`. Any other kind is of
  /// the class of its first metric.
  public var legacyRecord: LegacyRecord {
    let classes = (metrics.map(\.type) + series.map(\.type)).map { $0.definition?.legacyRecord }
    switch kind {
    case .summary: return .routine
    case .workout: return .fitness
    case .sleep: return .sleep
    case .nutrition: return .nutrition
    case .measurement:
      return [.diabetes, .weight].first { classes.contains($0) } ?? .biometrics
    default: return classes.first.flatMap(\.self) ?? .biometrics
    }
  }

  /// The record's form in the Legacy API.
  ///
  /// Nothing is dropped: what the class has no field for stands in `extras`, metrics under their
  /// Inform name, with `…_unit` where the unit is not the table's, `…_origin` where no device
  /// made the value, `…_bound` where it is a bound of the device's, and `…_absent` where there is
  /// none. Series, segments and images stand there in their Inform form. Where a name is
  /// taken already, an underscore is appended. Equal records make equal bytes.
  ///
  /// The pulse of a blood pressure measurement is in `extras`, and in `resting_heartrate` too: the
  /// class has no other field for it, and a cuff is used at rest.
  ///
  /// - Parameter source: What the record says about the system it came through.
  /// - Returns: The class and its JSON.
  /// - Throws: ``RecordError`` when the record is not valid, see ``validate()``, when it is no reading,
  ///   when it is not known whose it is, and when no published class takes one of its metrics.
  public func legacyForm(
    source: LegacySource = .validicMobile
  ) throws(RecordError) -> LegacyEncoder {
    try validate()
    guard kind.isReading else { throw RecordError.noReading(kind) }
    guard enteredInError == nil else { throw RecordError.enteredInError }
    guard !isOfUnknownUser else { throw RecordError.undecidedUser }
    let types = metrics.map(\.type) + series.map(\.type)
    if let index = types.firstIndex(where: \.hasNoLegacyClass) {
      throw RecordError(
        .invalidValue, at: "metrics[\(index)].type",
        "the Legacy API has no published class for what concerns reproduction")
    }
    var object = LegacyObject(recordClass: legacyRecord, extras: extras)
    object.add(time, lastUpdated: lastUpdated)
    object.addSource(of: self, source)
    object.add("validated", isValidated.map(ExtraValue.flag))
    object.add("activity_id", .text(logID))
    object.addNames(of: self)
    object.addMetrics(of: self)
    object.addRemarks(of: self)
    return LegacyEncoder(recordClass: object.recordClass, json: object.json)
  }
}

extension MetricType {
  /// Whether the table knows the metric and no class that takes it.
  fileprivate var hasNoLegacyClass: Bool {
    definition.map { $0.legacyRecord == nil } ?? false
  }
}
