// SPDX-License-Identifier: Apache-2.0

/// All records of a type.
struct RecordGroup {
  let type: RecordType
  /// Appends the records of a day, and adds to the truth what they mean.
  let make: (Int, inout [RecordDraft], inout Ledger) -> Void

  init(_ type: RecordType, _ make: @escaping (Int, inout [RecordDraft], inout Ledger) -> Void) {
    self.type = type
    self.make = make
  }
}

extension Life {
  /// The groups in the order of the document.
  var groups: [RecordGroup] {
    measurements + activity + Nutrient.allCases.map { RecordGroup($0.type(units), nutrient($0)) }
      + [RecordGroup(.quantity("DietaryWater", units.volume), water)] + cycleGroups + heartGroups
  }

  private var measurements: [RecordGroup] {
    [
      RecordGroup(.quantity("BloodGlucose", units.glucose), glucose),
      RecordGroup(.quantity("BodyMassIndex", "count"), massIndex),
      RecordGroup(.quantity("Height", units.length), height),
      RecordGroup(.quantity("BodyMass", units.mass), mass),
      RecordGroup(.quantity("HeartRate", "count/min"), heartRate),
      RecordGroup(.quantity("OxygenSaturation", "%"), oxygen),
      RecordGroup(.quantity("BodyTemperature", units.temperature), temperature),
      RecordGroup(.quantity("BloodPressureSystolic", "mmHg"), systolic),
      RecordGroup(.quantity("BloodPressureDiastolic", "mmHg"), diastolic),
      RecordGroup(.quantity("RespiratoryRate", "count/min"), breathing),
      RecordGroup(.quantity("BodyFatPercentage", "%"), fat),
      RecordGroup(.quantity("LeanBodyMass", units.mass), leanMass),
    ]
  }

  private var activity: [RecordGroup] {
    [
      RecordGroup(.quantity("StepCount", "count"), steps),
      RecordGroup(.quantity("DistanceWalkingRunning", units.distance), distance),
      RecordGroup(.quantity("BasalEnergyBurned", units.energy), basalEnergy),
      RecordGroup(.quantity("ActiveEnergyBurned", units.energy), activeEnergy),
      RecordGroup(.quantity("FlightsClimbed", "count"), flights),
      RecordGroup(.quantity("AppleExerciseTime", "min"), exercise),
      RecordGroup(.quantity("DistanceCycling", units.distance), cycling),
      RecordGroup(.quantity("VO2Max", "mL/min·kg"), fitness),
      RecordGroup(.quantity("AppleStandTime", "min"), standTime),
      RecordGroup(.quantity("EnvironmentalAudioExposure", "dBASPL"), audio),
      RecordGroup(.quantity("PhysicalEffort", "kcal/hr·kg"), effort),
      RecordGroup(.quantity("WalkingSpeed", units.speed), walkingSpeed),
      RecordGroup(.quantity("WalkingStepLength", units.length), stepLength),
      RecordGroup(.quantity("WalkingDoubleSupportPercentage", "%"), doubleSupport),
      RecordGroup(.sleepDurationGoal, sleepGoal),
    ]
  }

  private var cycleGroups: [RecordGroup] {
    [
      RecordGroup(.quantity("BasalBodyTemperature", units.temperature), basalTemperature),
      RecordGroup(.category("MenstrualFlow"), menstrualFlow),
      RecordGroup(.category("OvulationTestResult"), ovulationTest),
      RecordGroup(.category("CervicalMucusQuality"), mucus),
      RecordGroup(.category("IntermenstrualBleeding"), bleeding),
      RecordGroup(.category("SexualActivity"), sexualActivity),
    ]
  }

  private var heartGroups: [RecordGroup] {
    [
      RecordGroup(.category("SleepAnalysis"), sleep),
      RecordGroup(.category("AppleStandHour"), standHours),
      RecordGroup(.category("MindfulSession"), mindful),
      RecordGroup(.quantity("RestingHeartRate", "count/min"), restingHeartRate),
      RecordGroup(.quantity("WalkingHeartRateAverage", "count/min"), walkingHeartRate),
      RecordGroup(.quantity("HeartRateVariabilitySDNN", "ms"), variability),
    ]
  }
}
