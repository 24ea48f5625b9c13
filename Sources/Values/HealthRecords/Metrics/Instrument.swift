// SPDX-License-Identifier: Apache-2.0

/// A kind of measuring device, by the specializations of ISO/IEEE 11073-104xx.
package enum Instrument: CaseIterable, Hashable, Sendable {
  case continuousGlucoseMonitor
  case bloodPressureMonitor
  case glucoseMeter
  case coagulationMeter
  case thermometer
  case bodyCompositionAnalyzer
  case scale
  case spirometer
  case peakFlowMeter
  case activityMonitor
  case oximeter
  case heartRateSensor
  /// A device without a specialization of its own.
  case other
}

/// One row of the table of instruments.
package struct InstrumentDefinition: Sendable {
  package let instrument: Instrument
  /// The name for a reader.
  package let name: String
  /// The code of the specialization with its source, where there is one.
  package let code: MetricCode?
  /// The metrics of which one tells the instrument.
  package let metrics: Set<MetricType>
}

extension InstrumentDefinition {
  /// The instruments; of those whose metrics a record has, the first measured it.
  package static let all: [InstrumentDefinition] = [
    row(.continuousGlucoseMonitor, "Continuous glucose monitor", 528_409, []),
    row(
      .bloodPressureMonitor, "Blood pressure monitor", 528_391,
      [.systolic, .diastolic, .meanArterialPressure]),
    row(.glucoseMeter, "Glucose meter", 528_401, [.bloodGlucose, .bloodKetone]),
    row(.coagulationMeter, "Coagulation meter", 528_402, [.inr, .prothrombinTime]),
    row(.thermometer, "Thermometer", 528_392, [.bodyTemperature]),
    row(
      .bodyCompositionAnalyzer, "Body composition analyzer", 528_404,
      [
        .bodyFat, .bodyFatMass, .bodyLeanMass, .bodyMuscle, .bodyMuscleMass, .bodyWater,
        .bodyWaterMass, .bodyBone, .bodyBoneMass, .softLeanMass, .bodyImpedance, .visceralFat,
        .basalMetabolicRate,
      ]),
    row(.scale, "Weighing scale", 528_399, [.bodyWeight, .bmi]),
    // The guide has its code in a system of codes that ISO/IEEE 11073-10101 lacks.
    row(.spirometer, "Spirometer", nil, [.fvc, .fev1PerFVC, .midExpiratoryFlow]),
    row(.peakFlowMeter, "Peak flow monitor", 528_405, [.peakExpiratoryFlow, .fev1, .fev6]),
    row(
      .activityMonitor, "Cardiovascular fitness and activity monitor", 528_425,
      [
        .steps, .distance, .floors, .elevation, .energyBurned, .activeEnergyBurned,
        .activeDuration, .sleepDuration, .workoutDuration,
      ]),
    row(
      .oximeter, "Pulse oximeter", 528_388,
      [
        .oxygenSaturation, .averageOxygenSaturation, .minimumOxygenSaturation,
        .maximumOxygenSaturation, .perfusionIndex,
      ]),
    row(.heartRateSensor, "Heart rate sensor", 528_525, [.pulse]),
    row(.other, "Personal health device", 528_457, []),
  ]

  private static func row(
    _ instrument: Instrument, _ name: String, _ code: Int?, _ metrics: Set<MetricType>
  ) -> InstrumentDefinition {
    InstrumentDefinition(
      instrument: instrument, name: name, code: code.map { .mdc($0, .deviceTypes) },
      metrics: metrics)
  }
}

extension HealthRecord {
  /// What measured, judged by what was measured; nil where the record came from no device itself.
  package var instrument: Instrument? {
    if kind == .cgm { return .continuousGlucoseMonitor }
    guard source.type == .bluetooth else { return nil }
    let types = Set(metrics.map(\.type) + series.map(\.type))
    let row = InstrumentDefinition.all.first { !$0.metrics.isDisjoint(with: types) }
    return isOpticalHeartRate(row?.instrument) ? .activityMonitor : row?.instrument ?? .other
  }

  /// A heart rate sensor that is not on the chest has no electrodes.
  private func isOpticalHeartRate(_ instrument: Instrument?) -> Bool {
    instrument == .heartRateSensor
      && tags.contains { $0.name == "sensor_location" && !["chest", "other"].contains($0.value) }
  }
}
