// SPDX-License-Identifier: Apache-2.0

/// What happened in a workout.
@nonexhaustive
public enum HKWorkoutEventType: Int, @unchecked Sendable {
  case pause = 1
  case resume = 2
  case lap = 3
  case marker = 4
  case motionPaused = 5
  case motionResumed = 6
  case segment = 7
  case pauseOrResumeRequest = 8
}

/// Where a workout takes place.
@nonexhaustive
public enum HKWorkoutSessionLocationType: Int, @unchecked Sendable {
  case unknown = 1
  case indoor = 2
  case outdoor = 3
}
