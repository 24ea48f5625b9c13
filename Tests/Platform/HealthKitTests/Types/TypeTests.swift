// SPDX-License-Identifier: Apache-2.0

import HealthKit
import Testing

struct `Types` {
  @Test(
    arguments: [
      (.stepCount, "count", .cumulative), (.bodyMass, "lb", .discreteArithmetic),
      (.heartRate, "count/min", .discreteTemporallyWeighted),
      (.atrialFibrillationBurden, "%", .discreteTemporallyWeighted),
      (.environmentalAudioExposure, "dBASPL", .discreteEquivalentContinuousLevel),
      (.insulinDelivery, "IU", .cumulative), (.vo2Max, "mL/kg·min", .discreteArithmetic),
      (.bloodGlucose, "mmol<180.1558800000541>/L", .discreteArithmetic),
      (.bloodGlucose, "mg/dL", .discreteArithmetic), (.oxygenSaturation, "%", .discreteArithmetic),
      (.dietaryWater, "fl_oz_us", .cumulative), (.dietaryVitaminB12, "mcg", .cumulative),
      (.activeEnergyBurned, "Cal", .cumulative), (.bodyMassIndex, "count", .discreteArithmetic),
      (.bodyTemperature, "degF", .discreteArithmetic), (.runningPower, "W", .discreteArithmetic),
      (.peakExpiratoryFlowRate, "L/min", .discreteArithmetic),
      (.electrodermalActivity, "mcS", .discreteArithmetic),
      (.heartRateVariabilitySDNN, "ms", .discreteArithmetic),
      (.distanceRowing, "km", .cumulative), (.physicalEffort, "kcal/hr·kg", .discreteArithmetic),
      (.timeInDaylight, "min", .cumulative), (.walkingSpeed, "km/hr", .discreteArithmetic),
    ] as [(HKQuantityTypeIdentifier, String, HKQuantityAggregationStyle)])
  func `of quantities have a style and units`(
    identifier: HKQuantityTypeIdentifier, unit: String, style: HKQuantityAggregationStyle
  ) {
    let type = HKQuantityType(identifier)

    #expect(type.aggregationStyle == style)
    #expect(type.is(compatibleWith: HKUnit(from: unit)))
  }

  @Test(
    arguments: [
      (.stepCount, "m"), (.bloodGlucose, "mmol/L"), (.environmentalAudioExposure, "dBHL"),
      (.runningPower, "J/s"),
    ] as [(HKQuantityTypeIdentifier, String)])
  func `of quantities refuse other units`(identifier: HKQuantityTypeIdentifier, unit: String) {
    #expect(!HKQuantityType(identifier).is(compatibleWith: HKUnit(from: unit)))
  }

  @Test(
    arguments: [
      (HKObjectType.workoutType(), "HKWorkoutTypeIdentifier"),
      (HKSeriesType.workoutRoute(), "HKWorkoutRouteTypeIdentifier"),
      (HKSeriesType.heartbeat(), "HKDataTypeIdentifierHeartbeatSeries"),
      (HKObjectType.activitySummaryType(), "HKActivitySummaryTypeIdentifier"),
      (HKObjectType.audiogramSampleType(), "HKDataTypeIdentifierAudiogram"),
      (HKObjectType.electrocardiogramType(), "HKDataTypeIdentifierElectrocardiogram"),
      (HKObjectType.visionPrescriptionType(), "HKVisionPrescriptionTypeIdentifier"),
      (HKCorrelationType(.bloodPressure), "HKCorrelationTypeIdentifierBloodPressure"),
      (HKCharacteristicType(.dateOfBirth), "HKCharacteristicTypeIdentifierDateOfBirth"),
      (HKDocumentType(.CDA), "HKDocumentTypeIdentifierCDA"),
      (HKClinicalType(.labResultRecord), "HKClinicalTypeIdentifierLabResultRecord"),
    ] as [(HKObjectType, String)])
  func `without a choice have their identifier`(type: HKObjectType, identifier: String) {
    #expect(type.identifier == identifier)
    #expect(type.description == identifier)
  }

  @Test func `are found in sets by their identifier`() {
    let types: Set<HKObjectType> = [
      HKQuantityType(.stepCount), HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis),
    ]

    #expect(types.count == 2)
    #expect(types.contains(HKQuantityType(.stepCount)))
  }

  @Test func `of later versions are made from what an export says`() {
    let type = HKQuantityType(
      identifier: "HKQuantityTypeIdentifierOfTomorrow", canonicalUnit: HKUnit(from: "m/s"))

    #expect(type.aggregationStyle == .discreteArithmetic)
    #expect(type.is(compatibleWith: HKUnit(from: "km/hr")))
    #expect(HKCategoryType(unchecked: "Tomorrow").identifier == "Tomorrow")
  }

  @Test func `survive archiving`() throws {
    let types: [HKObjectType] = [
      HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis), HKObjectType.workoutType(),
      HKSeriesType.heartbeat(),
      HKQuantityType(identifier: "Tomorrow", canonicalUnit: HKUnit(from: "m/s")),
    ]

    for type in types {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: type, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKObjectType.self, from: data)

      #expect(read == type)
      #expect(
        (read as? HKQuantityType)?.aggregationStyle == (type as? HKQuantityType)?.aggregationStyle)
    }
  }

  @Test func `say how long samples may last`() {
    #expect(HKQuantityType(.stepCount).isMaximumDurationRestricted)
    #expect(HKDocumentType(.CDA).maximumAllowedDuration == 345_600)
    #expect(!HKCategoryType(.pregnancy).isMaximumDurationRestricted)
    #expect(!HKQuantityType(.stepCount).isMinimumDurationRestricted)
    #expect(HKObjectType.visionPrescriptionType().requiresPerObjectAuthorization())
    #expect(!HKQuantityType(.stepCount).requiresPerObjectAuthorization())
  }
}
