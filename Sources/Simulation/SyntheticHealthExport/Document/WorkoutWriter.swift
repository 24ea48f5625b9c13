// SPDX-License-Identifier: Apache-2.0

/// Writes workouts.
struct WorkoutWriter {
  let life: Life
  let document: DocumentWriter
  let hasDuplicateAttribute: Bool

  private var units: UnitNames { life.units }

  /// The form of a workout's totals.
  func form(_ day: Int, _ exertion: Exertion) -> SyntheticHealthExport.Workout.Form {
    if exertion.source == .runner { return .durationOnly }
    let isOld = life.version == .version8 || life.era(day) == 0
    return isOld ? .attributes : .statistics
  }

  /// Writes a workout, and says what it is.
  ///
  /// `duplicate` is called with the position of the statistics that have an attribute twice.
  func write(
    _ day: Int, _ exertion: Exertion, duplicate: (Int) -> Void
  ) -> SyntheticHealthExport.Workout {
    let form = form(day, exertion)
    let truth = truth(day, exertion, form)
    writeHead(day, exertion, form)
    entry("HKIndoorWorkout", exertion.distance == nil ? "1" : "0")
    entry("HKTimeZone", truth.timeZone ?? "")
    if form != .durationOnly {
      entry("HKAverageMETs", "5.4321 kcal/hr·kg")
      entry("HKElevationAscended", "418 cm")
    }
    if let pause = exertion.pause {
      event("Pause", pause.lowerBound)
      event("Resume", pause.upperBound)
    }
    if form == .statistics {
      statistics(exertion, truth, isDoubled: hasDuplicateAttribute && day % 3 == 0, duplicate)
    }
    if exertion.hasRoute { route(day, exertion) }
    document.text(" </Workout>\n")
    return truth
  }

  private func writeHead(
    _ day: Int, _ exertion: Exertion, _ form: SyntheticHealthExport.Workout.Form
  ) {
    document.count("Workout")
    document.text(" <Workout workoutActivityType=\"HKWorkoutActivityType")
    document.text(exertion.activity.rawValue + "\" duration=\"")
    document.decimal(exertion.activeSeconds * 1_000_000 / 60)
    document.text("\" durationUnit=\"min\"")
    if form == .attributes {
      if let distance = exertion.distance {
        value(" totalDistance", distance * 1000)
        document.text(" totalDistanceUnit=\"\(units.distance)\"")
      }
      value(" totalEnergyBurned", exertion.energy * 1000)
      document.text(" totalEnergyBurnedUnit=\"\(units.energy)\"")
    }
    let era = life.era(day)
    document.text(" " + RecordWriter.attributes(exertion.source, era))
    if let device = exertion.source.device(era) {
      document.text(" device=\"&lt;&lt;HKDevice: 0x")
      document.pointer(SeededRandom.mix(UInt64(bitPattern: Int64(exertion.interval.lowerBound))))
      document.text("&gt;, \(device)\"")
    }
    date(" creationDate", exertion.interval.upperBound + 5)
    date(" startDate", exertion.interval.lowerBound)
    date(" endDate", exertion.interval.upperBound)
    document.text(">\n")
  }

  private func statistics(
    _ exertion: Exertion, _ truth: SyntheticHealthExport.Workout, isDoubled: Bool,
    _ duplicate: (Int) -> Void
  ) {
    if let distance = exertion.distance, let type = truth.distanceType {
      statistic(exertion, type, isDoubled: false) {
        value(" sum", distance * 1000)
        document.text(" unit=\"\(units.distance)\"")
      }
    }
    if isDoubled { duplicate(document.position) }
    statistic(exertion, "HKQuantityTypeIdentifierActiveEnergyBurned", isDoubled: isDoubled) {
      value(" sum", exertion.energy * 1000)
      document.text(" unit=\"\(units.energy)\"")
    }
    guard let average = truth.averageHeartRate, let lowest = truth.minimumHeartRate,
      let highest = truth.maximumHeartRate
    else { return }
    statistic(exertion, "HKQuantityTypeIdentifierHeartRate", isDoubled: false) {
      value(" average", Int((average * 1000).rounded()) * 1000)
      value(" minimum", lowest * 1_000_000)
      value(" maximum", highest * 1_000_000)
      document.text(" unit=\"count/min\"")
    }
  }

  private func statistic(
    _ exertion: Exertion, _ type: String, isDoubled: Bool, _ values: () -> Void
  ) {
    document.count("WorkoutStatistics")
    document.text("  <WorkoutStatistics type=\"\(type)\"")
    date(" startDate", exertion.interval.lowerBound)
    if isDoubled { date(" startDate", exertion.interval.upperBound) }
    date(" endDate", exertion.interval.upperBound)
    values()
    document.text("/>\n")
  }

  private func route(_ day: Int, _ exertion: Exertion) {
    document.count("WorkoutRoute")
    document.text("  <WorkoutRoute " + RecordWriter.attributes(.watch, life.era(day)))
    date(" creationDate", exertion.interval.upperBound + 9)
    date(" startDate", exertion.interval.lowerBound)
    date(" endDate", exertion.interval.upperBound)
    document.text(">\n ")
    entry("HKMetadataKeySyncVersion", "2")
    if life.version == .version8 {
      for point in Route(life, day, exertion).points.prefix(20) { location(point) }
    } else {
      document.count("FileReference")
      let path = Route(life, day, exertion).path
      document.text("   <FileReference path=\"\(path)\"/>\n")
    }
    document.text("  </WorkoutRoute>\n")
  }

  private func location(_ point: Route.Point) {
    document.count("Location")
    document.text("   <Location")
    date(" date", point.time)
    value(" latitude", point.latitude)
    value(" longitude", point.longitude)
    value(" altitude", point.altitude)
    document.text(
      " horizontalAccuracy=\"2.5\" verticalAccuracy=\"1.7\" course=\"-1\" speed=\"1.4\"/>\n")
  }

  private func entry(_ key: String, _ value: String) {
    document.count("MetadataEntry")
    document.text("  <MetadataEntry key=\"\(key)\" value=\"\(value)\"/>\n")
  }

  private func event(_ name: String, _ time: Int) {
    document.count("WorkoutEvent")
    document.text("  <WorkoutEvent type=\"HKWorkoutEventType\(name)\"")
    date(" date", time)
    document.text("/>\n")
  }

  private func value(_ name: String, _ millionths: Int) {
    document.text(name + "=\"")
    document.decimal(millionths)
    document.text("\"")
  }

  private func date(_ name: String, _ instant: Int) {
    document.text(name + "=\"")
    document.date(instant)
    document.text("\"")
  }

  private func truth(
    _ day: Int, _ exertion: Exertion, _ form: SyntheticHealthExport.Workout.Form
  ) -> SyntheticHealthExport.Workout {
    let rates = form == .statistics ? life.heartRates(day, exertion).map(\.rate) : []
    let hasTotals = form != .durationOnly
    let distance = hasTotals ? exertion.distance : nil
    let name = exertion.activity == .cycling ? "DistanceCycling" : "DistanceWalkingRunning"
    return SyntheticHealthExport.Workout(
      activity: "HKWorkoutActivityType" + exertion.activity.rawValue,
      source: exertion.source.plainName, form: form, start: exertion.interval.lowerBound,
      end: exertion.interval.upperBound, durationSeconds: exertion.activeSeconds,
      hasPause: exertion.pause != nil, energy: hasTotals ? Double(exertion.energy) / 1000 : nil,
      meters: distance.map { Double($0) * units.meters / 1000 },
      distanceType: distance.map { _ in "HKQuantityTypeIdentifier" + name },
      averageHeartRate: rates.isEmpty
        ? nil : Double(rates.reduce(0, +) * 1000 / rates.count) / 1000,
      minimumHeartRate: rates.min(), maximumHeartRate: rates.max(),
      route: !exertion.hasRoute
        ? nil : life.version == .version8 ? "inline" : Route(life, day, exertion).path,
      timeZone: life.timeline.clock(day).name)
  }
}
