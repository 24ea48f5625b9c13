// SPDX-License-Identifier: Apache-2.0

/// The parts of a workout whose end tags are still to come.
struct WorkoutParts {
  var activity: ExportedWorkout.Activity?
  var event: ExportedWorkout.Event?
  var isInRoute = false
}

extension ExportParser {
  mutating func readWorkout(_ tag: Tag) throws(Refusal) {
    var attributes = SampleAttributes(tag.bytes, scanner.lexer.attributes)
    attributes.type = attribute("workoutActivityType")
    guard attributes.type != nil else { throw Refusal(.missingAttribute, "workoutActivityType") }
    var workout = ExportedWorkout(sample: try readSample(attributes, at: tag.offset))
    workout.duration = try quantity("duration", unit: "durationUnit")
    workout.totalDistance = try quantity("totalDistance", unit: "totalDistanceUnit")
    workout.totalEnergyBurned = try quantity("totalEnergyBurned", unit: "totalEnergyBurnedUnit")
    workout.totalFlightsClimbed = try quantity(
      "totalFlightsClimbed", unit: "totalFlightsClimbedUnit")
    workout.totalSwimmingStrokeCount = try quantity(
      "totalSwimmingStrokeCount", unit: "totalSwimmingStrokeCountUnit")
    self.workout = workout
    openParts = WorkoutParts()
  }

  mutating func readWorkoutPart(_ tag: Tag) throws(Refusal) {
    switch tag.element {
    case .workoutEvent:
      endEvent()
      openParts.event = try readEvent()
      if tag.isSelfClosing { endEvent() }
    case .workoutStatistics: keep(try readStatistics())
    case .workoutActivity:
      endWorkoutParts()
      openParts.activity = try readActivity()
      if tag.isSelfClosing { endWorkoutParts() }
    case .workoutRoute: openParts.isInRoute = !tag.isSelfClosing
    case .fileReference:
      guard let path = attribute("path") else { throw Refusal(.missingAttribute, "path") }
      found.counts.routes += 1
      workout.routePaths.append(text(path))
    case .location:
      found.counts.locations += 1
      workout.locationCount += 1
    default: break
    }
  }

  mutating func endWorkoutPart(_ element: ElementName) {
    switch element {
    case .workoutEvent: endEvent()
    case .workoutActivity: endWorkoutParts()
    case .workoutRoute: openParts.isInRoute = false
    default: break
    }
  }

  /// Ends all parts that are open.
  mutating func endWorkoutParts() {
    endEvent()
    openParts.isInRoute = false
    guard let activity = openParts.activity else { return }
    openParts.activity = nil
    workout.activities.append(activity)
  }

  /// Keeps metadata with the part that has it; those of a route are dropped.
  mutating func keepInWorkout(_ entry: ExportedMetadata) {
    if openParts.isInRoute { return }
    if openParts.event != nil {
      openParts.event?.metadata.append(entry)
    } else if openParts.activity != nil {
      openParts.activity?.metadata.append(entry)
    } else {
      workout.sample.metadata.append(entry)
    }
  }

  private mutating func endEvent() {
    guard let event = openParts.event else { return }
    openParts.event = nil
    if openParts.activity != nil {
      openParts.activity?.events.append(event)
    } else {
      workout.events.append(event)
    }
  }

  private mutating func keep(_ statistics: ExportedWorkout.Statistics) {
    if openParts.activity != nil {
      openParts.activity?.statistics.append(statistics)
    } else {
      workout.statistics.append(statistics)
    }
  }

  private mutating func readEvent() throws(Refusal) -> ExportedWorkout.Event {
    guard let type = attribute("type") else { throw Refusal(.missingAttribute, "type") }
    return ExportedWorkout.Event(
      type: try intern(type), date: try requiredDate("date"),
      duration: try quantity("duration", unit: "durationUnit"))
  }

  private mutating func readStatistics() throws(Refusal) -> ExportedWorkout.Statistics {
    guard let type = attribute("type") else { throw Refusal(.missingAttribute, "type") }
    return ExportedWorkout.Statistics(
      type: try intern(type), start: try requiredDate("startDate"),
      end: try requiredDate("endDate"), sum: try number("sum"), average: try number("average"),
      minimum: try number("minimum"), maximum: try number("maximum"),
      unit: try intern(attribute("unit")))
  }

  private mutating func readActivity() throws(Refusal) -> ExportedWorkout.Activity {
    ExportedWorkout.Activity(
      identifier: attribute("uuid")?.decoded ?? "", start: try requiredDate("startDate"),
      end: try date("endDate"), duration: try quantity("duration", unit: "durationUnit"))
  }
}
