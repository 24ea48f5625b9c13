// SPDX-License-Identifier: Apache-2.0

// MARK: - Key paths of samples

/// The start of a sample.
public let HKPredicateKeyPathStartDate: String = "startDate"
/// The end of a sample.
public let HKPredicateKeyPathEndDate: String = "endDate"
/// The identifier of an object.
public let HKPredicateKeyPathUUID: String = "UUID"
/// The metadata of an object.
public let HKPredicateKeyPathMetadata: String = "metadata"
/// The source of an object.
public let HKPredicateKeyPathSource: String = "source"
/// The source of an object and its version.
public let HKPredicateKeyPathSourceRevision: String = "sourceRevision"
/// The device of an object.
public let HKPredicateKeyPathDevice: String = "device"
/// The correlation that holds a sample.
public let HKPredicateKeyPathCorrelation: String = "correlation"
/// The workout to which a sample belongs.
public let HKPredicateKeyPathWorkout: String = "workout"
/// The quantity of a sample.
public let HKPredicateKeyPathQuantity: String = "quantity"
/// The value of a category.
public let HKPredicateKeyPathCategoryValue: String = "value"
/// How many quantities a sample holds.
public let HKPredicateKeyPathCount: String = "count"
/// The sum of a cumulative sample.
public let HKPredicateKeyPathSum: String = "quantity"
/// The average of a discrete sample.
public let HKPredicateKeyPathAverage: String = "quantity"
/// The least quantity of a discrete sample.
public let HKPredicateKeyPathMin: String = "min"
/// The greatest quantity of a discrete sample.
public let HKPredicateKeyPathMax: String = "max"
/// The last quantity of a discrete sample.
public let HKPredicateKeyPathMostRecent: String = "most_recent"
/// The start of the last quantity.
public let HKPredicateKeyPathMostRecentStartDate: String = "most_recent_start_date"
/// The end of the last quantity.
public let HKPredicateKeyPathMostRecentEndDate: String = "most_recent_end_date"
/// The duration of the last quantity.
public let HKPredicateKeyPathMostRecentDuration: String = "most_recent_duration"
/// The day of an activity summary.
public let HKPredicateKeyPathDateComponents: String = "dateComponents"

// MARK: - Key paths of workouts

/// The kind of a workout.
public let HKPredicateKeyPathWorkoutType: String = "workoutType"
/// The duration of a workout.
public let HKPredicateKeyPathWorkoutDuration: String = "duration"
/// The distance of a workout.
public let HKPredicateKeyPathWorkoutTotalDistance: String = "totalDistance"
/// The energy of a workout.
public let HKPredicateKeyPathWorkoutTotalEnergyBurned: String = "totalEnergyBurned"
/// The strokes of a workout.
public let HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount: String = "totalSwimmingStrokeCount"
/// The flights of a workout.
public let HKPredicateKeyPathWorkoutTotalFlightsClimbed: String = "totalFlightsClimbed"
/// The sum of a type in a workout.
public let HKPredicateKeyPathWorkoutSumQuantity: String = "sumQuantity"
/// The average of a type in a workout.
public let HKPredicateKeyPathWorkoutAverageQuantity: String = "averageQuantity"
/// The least value of a type in a workout.
public let HKPredicateKeyPathWorkoutMinimumQuantity: String = "minimumQuantity"
/// The greatest value of a type in a workout.
public let HKPredicateKeyPathWorkoutMaximumQuantity: String = "maximumQuantity"
/// A part of a workout.
public let HKPredicateKeyPathWorkoutActivity: String = "workoutActivity"
/// The kind of a part.
public let HKPredicateKeyPathWorkoutActivityType: String = "activityType"
/// The start of a part.
public let HKPredicateKeyPathWorkoutActivityStartDate: String = "activityStartDate"
/// The end of a part.
public let HKPredicateKeyPathWorkoutActivityEndDate: String = "activityEndDate"
/// The duration of a part.
public let HKPredicateKeyPathWorkoutActivityDuration: String = "activityDuration"
/// The sum of a type in a part.
public let HKPredicateKeyPathWorkoutActivitySumQuantity: String = "activitySumQuantity"
/// The average of a type in a part.
public let HKPredicateKeyPathWorkoutActivityAverageQuantity: String = "activityAverageQuantity"
/// The least value of a type in a part.
public let HKPredicateKeyPathWorkoutActivityMinimumQuantity: String = "activityMinimumQuantity"
/// The greatest value of a type in a part.
public let HKPredicateKeyPathWorkoutActivityMaximumQuantity: String = "activityMaximumQuantity"

// MARK: - Key paths of electrocardiograms and documents

/// The average heart rate of an electrocardiogram.
public let HKPredicateKeyPathAverageHeartRate: String = "ecg_average_heart_rate"
/// The classification of an electrocardiogram.
public let HKPredicateKeyPathECGClassification: String = "ecg_public_classification"
/// Whether a person had symptoms during an electrocardiogram.
public let HKPredicateKeyPathECGSymptomsStatus: String = "ecg_symptoms_status"
/// The title of a document.
public let HKPredicateKeyPathCDATitle: String = "title"
/// The patient of a document.
public let HKPredicateKeyPathCDAPatientName: String = "patient_name"
/// The author of a document.
public let HKPredicateKeyPathCDAAuthorName: String = "author_name"
/// The custodian of a document.
public let HKPredicateKeyPathCDACustodianName: String = "custodian_name"
/// The identifier of a clinical record's resource.
public let HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier: String =
  "FHIRResource.identifier"
/// The type of a clinical record's resource.
public let HKPredicateKeyPathClinicalRecordFHIRResourceType: String = "FHIRResource.resourceType"
