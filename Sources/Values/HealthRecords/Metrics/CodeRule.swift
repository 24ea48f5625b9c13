// SPDX-License-Identifier: Apache-2.0

/// The codes of a metric in circumstances of its record, in place of those of its row.
package struct CodeRule: Hashable, Sendable {
  package let type: MetricType
  package let condition: Condition
  package let codes: MetricCodes

  /// What must be known beside the metric.
  package enum Condition: Hashable, Sendable {
    /// What glucose was measured in, by the finding `sample_type`, and the unit.
    case specimen(String, unit: GlucoseUnit)
    /// Glucose in anything else.
    case anotherSpecimen
    /// Where the temperature was taken, by the finding `measurement_location`.
    case site(String)
    /// The unit of the value.
    case unit(GlucoseUnit)
    /// The kind of the record, and the unit where it matters.
    case kind(RecordKind, unit: GlucoseUnit? = nil)
    /// The way the record came.
    case source(SourceType)
    /// What measured.
    case instrument(Instrument)
  }
}

/// What stands for a metric of a record.
package struct MetricCodes: Hashable, Sendable {
  /// What is meant, for a reader; nil where it is what the metric's row says.
  package var meaning: String?
  package var loinc: MetricCode?
  package var mdc: MetricCode?
  /// Where on the body, if ``loinc`` does not say it.
  package var site: BodySite?
}

/// A place on the body.
package struct BodySite: Hashable, Sendable {
  package let name: String
  package let code: MetricCode
}

extension HealthRecord {
  /// The codes of a metric of the record in a unit; none but the meaning where the unit is not one
  /// of what the codes stand for.
  package func codes(of type: MetricType, unit: String) -> MetricCodes {
    guard let row = type.definition, Metric(type, 1, unit: unit).standardValue != nil else {
      return MetricCodes()
    }
    let rule = MetricTable.rules.first { $0.type == type && holds($0.condition, unit: unit) }
    var codes = rule?.codes ?? MetricCodes(loinc: row.loinc, mdc: row.mdc)
    if type == .bloodGlucose {
      codes.site = tag("sample_location").flatMap { MetricTable.sites[$0] }
    }
    return codes
  }

  /// Whether a solution was measured to try a meter, so that there is no glucose of a person.
  package var isOfControlSolution: Bool { specimen == Self.controlSolution }

  private func holds(_ condition: CodeRule.Condition, unit: String) -> Bool {
    switch condition {
    case .specimen(let name, let wanted): specimen == name && wanted.rawValue == unit
    case .anotherSpecimen: specimen != nil
    case .site(let name): temperatureSite == name
    case .unit(let wanted): wanted.rawValue == unit
    case .kind(let kind, let wanted): self.kind == kind && wanted?.rawValue ?? unit == unit
    case .source(let type): source.type == type
    case .instrument(let instrument): self.instrument == instrument
    }
  }

  /// What glucose was measured in; a continuous monitor that does not say it is under the skin.
  private var specimen: String? {
    let names = ["sample_type", "sample_location"].compactMap(tag)
    if names.contains(Self.controlSolution) { return Self.controlSolution }
    return tag("sample_type") ?? (kind == .cgm ? "interstitial_fluid" : nil)
  }

  private static let controlSolution = "control_solution"

  /// Thermometers of the profile name the place in one finding, others in another.
  private var temperatureSite: String? { tag("measurement_location") ?? tag("sample_location") }

  private func tag(_ name: String) -> String? { tags.first { $0.name == name }?.value }
}
