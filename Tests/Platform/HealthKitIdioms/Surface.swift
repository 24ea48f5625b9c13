// SPDX-License-Identifier: Apache-2.0

// Differs: on Linux nobody recommends the asynchronous forms.
// Uses every declaration that the package needs of HealthKit, with explicit types.
// Only types are checked: Swift 6.3.1 on Linux crashes when it compiles calls of imported asynchronous methods.
@preconcurrency import HealthKit

func store(_ store: HKHealthStore, _ share: Set<HKSampleType>, _ read: Set<HKObjectType>)
  async throws
{
  let isAvailable: Bool = HKHealthStore.isHealthDataAvailable()
  store.requestAuthorization(toShare: share, read: read) { (_: Bool, _: (any Error)?) in }
  store.requestAuthorization(toShare: nil, read: nil) { (_: Bool, _: (any Error)?) in }
  try await store.requestAuthorization(toShare: share, read: read)
  store.getRequestStatusForAuthorization(toShare: share, read: read) {
    (_: HKAuthorizationRequestStatus, _: (any Error)?) in
  }
  let request: HKAuthorizationRequestStatus =
    try await store.statusForAuthorizationRequest(toShare: share, read: read)
  let status: HKAuthorizationStatus = store.authorizationStatus(for: HKQuantityType(.stepCount))
  let earliest: Date = store.earliestPermittedSampleDate()
  let units: [HKQuantityType: HKUnit] = try await store.preferredUnits(for: [])
  store.enableBackgroundDelivery(
    for: HKQuantityType(.stepCount), frequency: HKUpdateFrequency.hourly
  ) {
    (_: Bool, _: (any Error)?) in
  }
  try await store.enableBackgroundDelivery(for: HKQuantityType(.stepCount), frequency: .immediate)
  try await store.disableBackgroundDelivery(for: HKQuantityType(.stepCount))
  try await store.disableAllBackgroundDelivery()
  print(isAvailable, request, status, earliest, units)
}

func saving(_ store: HKHealthStore, _ object: HKObject, _ type: HKObjectType) async throws {
  store.save(object) { (_: Bool, _: (any Error)?) in }
  try await store.save(object)
  try await store.save([object])
  store.delete(object) { (_: Bool, _: (any Error)?) in }
  try await store.delete(object)
  try await store.delete([object])
  store.deleteObjects(of: type, predicate: HKQuery.predicateForObject(with: object.uuid)) {
    (_: Bool, _: Int, _: (any Error)?) in
  }
  let count: Int = try await store.deleteObjects(
    of: type, predicate: HKQuery.predicateForObjects(with: [object.uuid]))
  print(count)
}

func types() {
  let steps: HKQuantityType = HKQuantityType(.stepCount)
  let style: HKQuantityAggregationStyle = steps.aggregationStyle
  let fits: Bool = steps.is(compatibleWith: HKUnit.count())
  let sleep: HKCategoryType = HKCategoryType(.sleepAnalysis)
  let correlations: [HKCorrelationType] = [
    HKCorrelationType(.bloodPressure), HKCorrelationType(.food),
  ]
  let workout: HKWorkoutType = HKObjectType.workoutType()
  let identifiers: [String] = [steps.identifier, sleep.identifier, workout.identifier]
  let identifier: HKQuantityTypeIdentifier = HKQuantityTypeIdentifier(rawValue: identifiers[0])
  let name: String = HKCategoryTypeIdentifier.appleStandHour.rawValue
  print(style, fits, correlations, identifier, name)
}

func units() -> [HKUnit] {
  let plain: [HKUnit] = [
    .count(), .percent(), .gram(), .pound(), .ounce(), .stone(), .meter(), .inch(), .foot(),
    .yard(),
    .mile(), .liter(), .fluidOunceUS(), .pascal(), .millimeterOfMercury(), .centimeterOfWater(),
    .second(), .minute(), .hour(), .day(), .joule(), .kilocalorie(), .smallCalorie(),
    .largeCalorie(),
    .degreeCelsius(), .degreeFahrenheit(), .kelvin(), .siemen(), .internationalUnit(), .volt(),
    .decibelAWeightedSoundPressureLevel(), .hertz(), .watt(),
  ]
  let kilogram: HKUnit = HKUnit.gramUnit(with: HKMetricPrefix.kilo)
  let glucose: HKUnit = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
    .unitDivided(by: .liter())
  let powers: [HKUnit] = [
    kilogram.unitDivided(by: HKUnit.meter().unitRaised(toPower: 2)),
    HKUnit.meter().unitMultiplied(by: .meter()), HKUnit.second().reciprocal(),
    HKUnit(from: "mg/dL"),
  ]
  let text: String = glucose.unitString
  let isNull: Bool = glucose.isNull()
  let quantity: HKQuantity = HKQuantity(unit: kilogram, doubleValue: 70)
  let value: Double = quantity.doubleValue(for: .pound())
  let fits: Bool = quantity.is(compatibleWith: .gram())
  let order: ComparisonResult = quantity.compare(quantity)
  print(text, isNull, value, fits, order)
  return plain + powers
}

func objects(_ sample: HKSample) {
  let id: UUID = sample.uuid
  let metadata: [String: Any]? = sample.metadata
  let device: HKDevice? = sample.device
  let revision: HKSourceRevision = sample.sourceRevision
  let source: HKSource = revision.source
  let who: [String?] = [
    source.name, source.bundleIdentifier, revision.version, revision.productType,
  ]
  let system: OperatingSystemVersion = revision.operatingSystemVersion
  let facts: [String?] = [
    device?.name, device?.manufacturer, device?.model, device?.hardwareVersion,
    device?.firmwareVersion,
    device?.softwareVersion, device?.localIdentifier, device?.udiDeviceIdentifier,
  ]
  let times: [Date] = [sample.startDate, sample.endDate]
  let (type, isOpen): (HKSampleType, Bool) = (sample.sampleType, sample.hasUndeterminedDuration)
  print(id, metadata ?? [:], who, system, facts, times, type, isOpen)
}

func samples(_ quantity: HKQuantitySample, _ category: HKCategorySample, _ whole: HKCorrelation) {
  let (type, value, count): (HKQuantityType, HKQuantity, Int) =
    (quantity.quantityType, quantity.quantity, quantity.count)
  let sum: HKQuantity? = (quantity as? HKCumulativeQuantitySample)?.sumQuantity
  let average: HKQuantity? = (quantity as? HKDiscreteQuantitySample)?.averageQuantity
  let (kind, number): (HKCategoryType, Int) = (category.categoryType, category.value)
  let parts: Set<HKSample> = whole.objects(for: HKQuantityType(.bloodPressureSystolic))
  let all: Set<HKSample> = whole.objects
  let deleted: (HKDeletedObject) -> (UUID, [String: Any]?) = { ($0.uuid, $0.metadata) }
  print(type, value, count, sum as Any, average as Any, kind, number, parts, all, deleted)
}

func workout(_ workout: HKWorkout) {
  let (activity, duration): (HKWorkoutActivityType, TimeInterval) =
    (workout.workoutActivityType, workout.duration)
  let energy: HKStatistics? = workout.statistics(for: HKQuantityType(.activeEnergyBurned))
  let all: [HKQuantityType: HKStatistics] = workout.allStatistics
  let events: [HKWorkoutEvent]? = workout.workoutEvents
  let pauses: [DateInterval]? = events?.filter { $0.type == .pause }.map(\.dateInterval)
  let parts: [HKWorkoutActivity] = workout.workoutActivities
  print(activity, duration, energy as Any, all, pauses as Any, parts)
}

func predicates(_ sample: HKSample, _ workout: HKWorkout) -> NSPredicate {
  let (source, revision) = (sample.sourceRevision.source, sample.sourceRevision)
  let options: HKQueryOptions = [.strictStartDate, .strictEndDate]
  let all: [NSPredicate] = [
    HKQuery.predicateForSamples(withStart: nil, end: Date.distantFuture, options: options),
    HKQuery.predicateForObjects(from: source), HKQuery.predicateForObjects(from: [source]),
    HKQuery.predicateForObjects(from: [revision]),
    HKQuery.predicateForObjects(from: [HKDevice.local()]),
    HKQuery.predicateForObjects(from: workout), HKQuery.predicateForObjectsWithNoCorrelation(),
    HKQuery.predicateForObjects(withMetadataKey: HKMetadataKeyTimeZone),
    HKQuery.predicateForObjects(
      withDeviceProperty: HKDevicePropertyKeyModel, allowedValues: ["Watch"]),
    HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: [.asleepREM]),
    HKQuery.predicateForWorkouts(with: HKWorkoutActivityType.running),
  ]
  return NSCompoundPredicate(andPredicateWithSubpredicates: all)
}

func queries(_ type: HKQuantityType, _ predicate: NSPredicate?, _ anchor: HKQueryAnchor?)
  -> [HKQuery]
{
  let descriptors: [HKQueryDescriptor] = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
  let anchored: HKAnchoredObjectQuery = HKAnchoredObjectQuery(
    type: type, predicate: predicate, anchor: anchor, limit: HKObjectQueryNoLimit
  ) { (_, _: [HKSample]?, _: [HKDeletedObject]?, _: HKQueryAnchor?, _: (any Error)?) in }
  anchored.updateHandler = { (_, _: [HKSample]?, _: [HKDeletedObject]?, _: HKQueryAnchor?, _) in }
  let collection: HKStatisticsCollectionQuery = HKStatisticsCollectionQuery(
    quantityType: type, quantitySamplePredicate: predicate,
    options: HKStatisticsOptions.cumulativeSum,
    anchorDate: Date(), intervalComponents: DateComponents(day: 1))
  collection.initialResultsHandler = { (_, statistics: HKStatisticsCollection?, _: (any Error)?) in
    statistics?.enumerateStatistics(from: Date(), to: Date()) { statistics, stop in
      let sum: HKQuantity? = statistics.sumQuantity()
      print(sum as Any, statistics.startDate, statistics.endDate, statistics.sources ?? [])
    }
  }
  collection.statisticsUpdateHandler = { (_, _: HKStatistics?, _: HKStatisticsCollection?, _) in }
  return [
    anchored, collection,
    HKSampleQuery(sampleType: type, predicate: predicate, limit: 1, sortDescriptors: nil) {
      _, _, _ in
    },
    HKSampleQuery(queryDescriptors: descriptors, limit: 1) { _, _, _ in },
    HKAnchoredObjectQuery(queryDescriptors: descriptors, anchor: nil, limit: 1) { _, _, _, _, _ in
    },
    HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in completion() },
    HKObserverQuery(queryDescriptors: descriptors) { _, types, completion, _ in completion() },
    HKStatisticsQuery(quantityType: type, quantitySamplePredicate: nil, options: []) { _, _, _ in },
  ]
}

func descriptors(_ store: HKHealthStore, _ type: HKQuantityType) async throws {
  let predicate: HKSamplePredicate<HKQuantitySample> = .quantitySample(type: type)
  let anchored = HKAnchoredObjectQueryDescriptor(predicates: [predicate], anchor: nil, limit: 10)
  let page = try await anchored.result(for: store)
  for try await change in anchored.results(for: store) { print(change.newAnchor) }
  let (added, deleted): ([HKQuantitySample], [HKDeletedObject]) = (
    page.addedSamples, page.deletedObjects
  )
  let order: [SortDescriptor<HKQuantitySample>] = [SortDescriptor(\.startDate)]
  let samples: [HKQuantitySample] = try await HKSampleQueryDescriptor(
    predicates: [predicate], sortDescriptors: order
  ).result(for: store)
  let whole: HKStatistics? = try await HKStatisticsQueryDescriptor(
    predicate: predicate, options: .cumulativeSum
  ).result(for: store)
  let days: HKStatisticsCollection = try await HKStatisticsCollectionQueryDescriptor(
    predicate: predicate, options: .cumulativeSum, anchorDate: Date(),
    intervalComponents: DateComponents(day: 1)
  ).result(for: store)
  let sources: [HKSource] = try await HKSourceQueryDescriptor(predicate: predicate).result(
    for: store)
  print(added, deleted, samples, whole as Any, days, sources)
}

func errors(_ error: any Error) -> Bool {
  let codes: [HKError.Code] = [
    .errorDatabaseInaccessible, .errorAuthorizationDenied, .errorAuthorizationNotDetermined,
    .errorNoData,
    .errorInvalidArgument, .errorHealthDataUnavailable, .errorHealthDataRestricted,
    .errorUserCanceled,
  ]
  return (error as? HKError).map { codes.contains($0.code) } ?? false
}
