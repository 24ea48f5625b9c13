// SPDX-License-Identifier: Apache-2.0

extension MetricTable {
  /// The codes that depend on more than the metric; the first rule that holds replaces the codes of
  /// the metric's row.
  package static let rules: [CodeRule] = glucose + temperature + heartRate + ofKinds

  // MARK: - Glucose

  /// Glucose by what it was measured in, in the names of the Bluetooth profile, and by unit: LOINC
  /// has a code for mass and one for substance.
  ///
  /// A meter of capillary plasma takes a drop of capillary blood and shows what its plasma would
  /// have; LOINC's codes of glucometers are those of capillary blood.
  private static let glucose: [CodeRule] =
    bloodSamples.flatMap { sample in
      glucose(
        sample.finding, sample.name, mass: .loinc(sample.mass),
        substance: .loinc(sample.substance), sample.mdc)
    }
    + glucose(
      "interstitial_fluid", "Glucose in interstitial fluid", mass: .loinc("99504-3", .glucoseGuide),
      substance: .loinc("105272-9", .glucoseGuide), .mdc(160_212))
    + [
      CodeRule(type: .bloodGlucose, condition: .anotherSpecimen, codes: MetricCodes()),
      // What a meter measured that does not say in what.
      unit(.bloodGlucose, .loinc("15074-8"), .mdc(160_020)),
      unit(.fastingPlasmaGlucose, .loinc("14771-0")),
      unit(.randomPlasmaGlucose, .loinc("14749-6")),
      // The mean is one under the skin; of other means LOINC has none.
      kind(.averageBloodGlucose, .cgm, .milligramsPerDeciliter, .loinc("97507-8", .glucoseGuide)),
      kind(.averageBloodGlucose, .cgm, .millimolesPerLiter, .loinc("105273-7", .glucoseGuide)),
    ]

  private static let bloodSamples:
    [(finding: String, name: String, mass: String, substance: String, mdc: MetricCode)] = [
      (
        "capillary_whole_blood", "Glucose in capillary blood", "41653-7", "14743-9",
        .mdc(160_184, .deviceGuide)
      ),
      ("capillary_plasma", "Glucose in capillary plasma", "41653-7", "14743-9", .mdc(160_188)),
      ("venous_whole_blood", "Glucose in venous blood", "41652-9", "39480-9", .mdc(160_192)),
      ("venous_plasma", "Glucose in venous plasma", "2345-7", "14749-6", .mdc(160_196)),
      ("arterial_whole_blood", "Glucose in arterial blood", "41651-1", "39481-7", .mdc(160_200)),
      ("arterial_plasma", "Glucose in arterial plasma", "2345-7", "14749-6", .mdc(160_204)),
      ("undetermined_whole_blood", "Blood glucose", "2339-0", "15074-8", .mdc(160_364)),
      (
        "undetermined_plasma", "Glucose in plasma", "2345-7", "14749-6", .mdc(160_368, .deviceGuide)
      ),
    ]

  private static func glucose(
    _ specimen: String, _ meaning: String, mass: MetricCode, substance: MetricCode,
    _ mdc: MetricCode
  ) -> [CodeRule] {
    [(GlucoseUnit.milligramsPerDeciliter, mass), (.millimolesPerLiter, substance)].map {
      unit, loinc in
      CodeRule(
        type: .bloodGlucose, condition: .specimen(specimen, unit: unit),
        codes: MetricCodes(meaning: meaning, loinc: loinc, mdc: mdc))
    }
  }

  /// In mmol/L, where the row has the code of mg/dL.
  private static func unit(
    _ type: MetricType, _ loinc: MetricCode, _ mdc: MetricCode? = nil
  ) -> CodeRule {
    CodeRule(
      type: type, condition: .unit(.millimolesPerLiter), codes: MetricCodes(loinc: loinc, mdc: mdc))
  }

  // MARK: - Body temperature

  /// Body temperature by site, in the names of the Bluetooth profile and of drivers.
  ///
  /// A site without a LOINC code of its own is written as such, beside the code of body temperature.
  private static let temperature: [CodeRule] = [
    temperature("armpit", "Axillary temperature", .loinc("8328-7"), .mdc(188_452)),
    temperature("mouth", "Oral temperature", .loinc("8331-1"), .mdc(188_424)),
    temperature("rectum", "Rectal temperature", .loinc("8332-9"), .mdc(188_420)),
    temperature("ear", "Ear temperature", .loinc("76011-6"), .mdc(188_428)),
    temperature("tympanum", "Tympanic membrane temperature", .loinc("8333-7"), .mdc(150_392)),
    temperature("finger", mdc: .mdc(188_432)),
    temperature("toe", mdc: .mdc(188_448)),
    temperature("gastrointestinal_tract", mdc: .mdc(188_456)),
    temperature("forehead", mdc: .mdc(150_364, .deviceGuide)),
  ]

  private static func temperature(
    _ site: String, _ meaning: String, _ loinc: MetricCode, _ mdc: MetricCode
  ) -> CodeRule {
    CodeRule(
      type: .bodyTemperature, condition: .site(site),
      codes: MetricCodes(meaning: meaning, loinc: loinc, mdc: mdc))
  }

  private static func temperature(_ name: String, mdc: MetricCode) -> CodeRule {
    CodeRule(
      type: .bodyTemperature, condition: .site(name),
      codes: MetricCodes(loinc: .loinc("8310-5", .vitalSigns), mdc: mdc, site: sites[name]))
  }

  /// Places on the body of which no code of what was measured says anything, by the value of the
  /// finding.
  package static let sites = [
    "finger": BodySite(name: "Finger", code: .snomed("7569003")),
    "toe": BodySite(name: "Toe", code: .snomed("29707007")),
    "forehead": BodySite(name: "Forehead", code: .snomed("52795006")),
    "earlobe": BodySite(name: "Ear lobe", code: .snomed("48800003")),
    "gastrointestinal_tract": BodySite(
      name: "Gastrointestinal tract", code: .snomed("122865005")),
    "subcutaneous_tissue": BodySite(name: "Subcutaneous tissue", code: .snomed("71966008")),
  ]

  // MARK: - Heart rate

  /// The pulse has one LOINC code, and one code of ISO/IEEE 11073 by what counted it; only what
  /// HealthKit calls the variability is known to be SDNN. (LOINC has no code of RMSSD.)
  private static let heartRate: [CodeRule] = [
    pulse(.oximeter, .mdc(149_530, .deviceGuide)),
    pulse(.bloodPressureMonitor, .mdc(149_546, .deviceGuide)),
    pulse(.heartRateSensor, .mdc(147_842, .deviceGuide)),
    CodeRule(
      type: .heartRateVariability, condition: .source(.appleHealth),
      codes: MetricCodes(
        meaning: "Heart rate variability (SDNN)", loinc: .loinc("80404-7"))),
  ]

  private static func pulse(_ instrument: Instrument, _ mdc: MetricCode) -> CodeRule {
    CodeRule(
      type: .pulse, condition: .instrument(instrument),
      codes: MetricCodes(loinc: .loinc("8867-4", .vitalSigns), mdc: mdc))
  }

  // MARK: - Kinds of record

  private static let ofKinds: [CodeRule] = [
    // A summary is that of a day.
    kind(.steps, .summary, nil, .loinc("41950-7"), meaning: "Steps of a day"),
    // LOINC's distance is one walked.
    CodeRule(
      type: .distance, condition: .kind(.workout), codes: MetricCodes(mdc: .mdc(8_454_247))),
  ]

  private static func kind(
    _ type: MetricType, _ kind: RecordKind, _ unit: GlucoseUnit?, _ loinc: MetricCode,
    meaning: String? = nil
  ) -> CodeRule {
    CodeRule(
      type: type, condition: .kind(kind, unit: unit),
      codes: MetricCodes(meaning: meaning, loinc: loinc))
  }
}
