// SPDX-License-Identifier: Apache-2.0

/// Synthetic exports, each with what one version of iOS writes.
enum SampleDocument {
  static let steps = #"""
     <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" sourceVersion="12.3" device="&lt;&lt;HKDevice: 0x282e19d10&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone10,4, software:12.3&gt;" unit="count" creationDate="2019-05-14 20:37:51 -0400" startDate="2019-05-14 20:26:37 -0400" endDate="2019-05-14 20:34:07 -0400" value="417"/>

    """#

  static let inBed = #"""
     <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Sam’s Apple Watch" sourceVersion="6.4" creationDate="2025-04-28 08:37:42 +0100" startDate="2025-04-28 01:05:06 +0100" endDate="2025-04-28 08:30:00 +0100" value="HKCategoryValueSleepAnalysisInBed">
      <MetadataEntry key="HKTimeZone" value="Europe/Zurich"/>
     </Record>

    """#

  static let variability = #"""
     <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Watch" unit="ms" startDate="2025-05-28 07:55:00 +0000" endDate="2025-05-28 08:00:00 +0000" value="45.3">
      <HeartRateVariabilityMetadataList>
       <InstantaneousBeatsPerMinute bpm="72" time="7:47:41.86 PM"/>
       <InstantaneousBeatsPerMinute bpm="68" time="19:47:53,78"/>
       <InstantaneousBeatsPerMinute bpm="67" time="下午7:47"/>
      </HeartRateVariabilityMetadataList>
     </Record>

    """#

  static let mindful = #"""
     <Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="Breathe" startDate="2025-05-28 15:55:00 +0100" endDate="2025-05-28 16:00:00 +0100"/>

    """#

  static let pressure = #"""
     <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" startDate="2025-05-23 11:30:00 +0100" endDate="2025-05-23 11:30:00 +0100">
      <MetadataEntry key="HKWasUserEntered" value="1"/>
      <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" startDate="2025-05-23 11:30:00 +0100" endDate="2025-05-23 11:30:00 +0100" value="136">
       <MetadataEntry key="HKWasUserEntered" value="1"/>
      </Record>
      <Record type="HKQuantityTypeIdentifierBloodPressureDiastolic" sourceName="Cuff" unit="mmHg" startDate="2025-05-23 11:30:00 +0100" endDate="2025-05-23 11:30:00 +0100" value="69"/>
     </Correlation>

    """#

  static let oldWorkout = #"""
     <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="5.19412346680959" durationUnit="min" totalDistance="0.4971749504535062" totalDistanceUnit="mi" totalEnergyBurned="48.74499999999999" totalEnergyBurnedUnit="kcal" sourceName="Apple Watch" sourceVersion="3.1" creationDate="2016-11-14 07:33:49 -0700" startDate="2016-11-14 07:25:41 -0700" endDate="2016-11-14 07:30:52 -0700">
      <MetadataEntry key="HKWeatherTemperature" value="56 degF"/>
      <WorkoutEvent type="HKWorkoutEventTypePause" date="2016-11-14 07:26:00 -0700"/>
      <WorkoutRoute sourceName="Phone" startDate="2016-11-14 07:25:44 -0700" endDate="2016-11-14 07:30:51 -0700">
       <Location date="2016-11-14 07:25:44 -0700" latitude="0.5" longitude="0.5"/>
       <Location date="2016-11-14 07:25:45 -0700" latitude="0.5" longitude="0.6"/>
      </WorkoutRoute>
     </Workout>

    """#

  static let newWorkout = #"""
     <Workout workoutActivityType="HKWorkoutActivityTypeSwimBikeRun" duration="90.5" durationUnit="min" sourceName="Watch" startDate="2025-05-08 17:26:15 +0100" endDate="2025-05-08 18:57:18 +0100">
      <MetadataEntry key="HKIndoorWorkout" value="0"/>
      <WorkoutEvent type="HKWorkoutEventTypeSegment" date="2025-05-08 17:45:00 +0100" duration="2.5" durationUnit="min">
       <MetadataEntry key="HKSWOLFScore" value="41"/>
      </WorkoutEvent>
      <WorkoutActivity uuid="6E7E5D6C-0000-4000-8000-000000000001" startDate="2025-05-08 17:26:15 +0100" endDate="2025-05-08 17:50:00 +0100" duration="23.75" durationUnit="min">
       <WorkoutEvent type="HKWorkoutEventTypeLap" date="2025-05-08 17:30:00 +0100"/>
       <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceSwimming" startDate="2025-05-08 17:26:15 +0100" endDate="2025-05-08 17:50:00 +0100" sum="750" unit="m"/>
       <MetadataEntry key="HKLapLength" value="25 m"/>
      </WorkoutActivity>
      <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" startDate="2025-05-08 17:26:15 +0100" endDate="2025-05-08 18:57:18 +0100" average="92.5" minimum="65" maximum="125" unit="count/min"/>
      <WorkoutRoute sourceName="Watch" startDate="2025-06-07 12:58:33 +0200" endDate="2025-06-07 12:59:02 +0200">
       <MetadataEntry key="HKMetadataKeySyncVersion" value="2"/>
       <FileReference path="/workout-routes/route_2025-06-07_11.59am.gpx"/>
      </WorkoutRoute>
     </Workout>

    """#

  static let summary = #"""
     <ActivitySummary dateComponents="2016-11-15" activeEnergyBurned="590.252" activeEnergyBurnedGoal="630" activeEnergyBurnedUnit="kcal" appleMoveTime="12" appleMoveTimeGoal="0" appleExerciseTime="68" appleExerciseTimeGoal="30" appleStandHours="13" appleStandHoursGoal="12"/>

    """#

  static let others = #"""
     <ClinicalRecord type="AllergyIntolerance" identifier="1" sourceName="Clinic" sourceURL="https://example.org" fhirVersion="1.0.2" receivedDate="2020-01-01 00:00:00 +0000" resourceFilePath="/clinical-records/1.json"/>
     <Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="Phone" startDate="2020-01-01 00:00:00 +0000" endDate="2020-01-01 00:00:00 +0000">
      <SensitivityPoint frequencyValue="125" frequencyUnit="Hz" leftEarValue="15" leftEarUnit="dBHL"/>
      <MetadataEntry key="HKWasUserEntered" value="1"/>
     </Audiogram>
     <VisionPrescription type="glasses" dateIssued="2022-01-01">
      <RightEye sphere="-1" sphereUnit="D"/>
     </VisionPrescription>
     <StateOfMind valence="0.5"><Label name="calm"/><StateOfMind/></StateOfMind>

    """#

  static let me = #"""
     <ExportDate value="2025-06-17 12:00:00 +0100"/>
     <Me HKCharacteristicTypeIdentifierDateOfBirth="1995-01-15" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>

    """#

  /// A document type as a version of the format has it; nil for none.
  static func type(version: Int?) -> String {
    guard let version else { return "" }
    // Version 12 forgot to end one of its lists.
    let end = version == 12 ? "" : ">"
    return #"""
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE HealthData [
      <!-- HealthKit Export Version: \#(version) -->
      <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
      <!ATTLIST HealthData
        locale CDATA #REQUIRED
      >
      <!ELEMENT WorkoutStatistics EMPTY>
      <!ATTLIST WorkoutStatistics
        type CDATA #REQUIRED
      \#(end)
      <!-- Note: Any <Record/> of a correlation also appears at the top level. -->
      <!ELEMENT MetadataEntry EMPTY>
      <!ATTLIST MetadataEntry
        key   CDATA #REQUIRED
      >
      ]>

      """#
  }

  static func document(version: Int? = 14, _ content: String) -> String {
    type(version: version) + "<HealthData locale=\"en_US\">\n" + me + content + "</HealthData>\n"
  }

  static let all = document(
    steps + inBed + variability + mindful + pressure + oldWorkout + newWorkout + summary + others
      + steps)
}
