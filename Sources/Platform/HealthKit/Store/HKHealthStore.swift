// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The health data of the device, or on Linux of a file.
///
/// The file is the one that `HEALTHKIT_STORE` names in the environment, or `healthkit/health.sqlite`
/// in the user's data folder; it is made when it is used first. A simulated store has its own.
open class HKHealthStore: NSObject, @unchecked Sendable {
  let system: HealthSystem

  /// The store of this program.
  public override init() { system = .current }

  package init(system: HealthSystem) { self.system = system }

  /// Whether there is a store: always on Linux.
  @discardableResult
  open class func isHealthDataAvailable() -> Bool { true }

  /// Whether the store has records of health institutions: never on Linux.
  @discardableResult
  open func supportsHealthRecords() -> Bool { false }

  // MARK: - Permissions

  /// Whether the app may save a type; whether it may read one, nobody is told.
  @discardableResult
  open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
    system.queue.sync { (try? system.status(type)) ?? .notDetermined }
  }

  /// Asks the user for permission to save and to read types, unless that was decided before.
  ///
  /// - Parameters:
  ///   - typesToShare: What to save.
  ///   - typesToRead: What to read.
  ///   - completion: Is called when the user has answered; true says that the dialog was shown, not
  ///     that anything was allowed.
  @preconcurrency
  open func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let (share, read) = (typesToShare ?? [], typesToRead ?? [])
    Self.check(share, read)
    perform({ try $0.request(toShare: share, toRead: read) }, completion)
  }

  /// Asks the user for permission to save and to read types, unless that was decided before.
  public func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {
    try await done {
      requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
    }
  }

  // Apple's framework raises an exception for each of these.
  private static func check(_ share: Set<HKSampleType>, _ read: Set<HKObjectType>) {
    precondition(
      !share.isEmpty || !read.isEmpty, "Ask for permission to save or to read at least one type.")
    for type in share {
      if let reason = type.whyNotShared {
        preconditionFailure("\(type.identifier) cannot be asked for to be saved: \(reason).")
      }
    }
    for type in read where type is HKCorrelationType {
      preconditionFailure(
        "\(type.identifier) cannot be asked for to be read: ask for the types of its parts.")
    }
  }

  /// Says whether the user would be asked.
  @preconcurrency
  open func getRequestStatusForAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
    completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
  ) {
    Self.check(typesToShare, typesToRead)
    system.async { [system] in
      do {
        let known = try system.readSettings(system.permissions)
        let isNew =
          typesToShare.contains { known.share[$0.identifier] == nil }
          || typesToRead.contains { known.read[$0.identifier] == nil }
        completion(isNew ? .shouldRequest : .unnecessary, nil)
      } catch {
        completion(.unknown, error)
      }
    }
  }

  /// Says whether the user would be asked.
  @discardableResult
  open func statusForAuthorizationRequest(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws -> HKAuthorizationRequestStatus {
    try await withCheckedThrowingContinuation { continuation in
      getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead) {
        if let error = $1 {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: $0)
        }
      }
    }
  }

  /// Asks for objects one by one, which no type of this module needs.
  @preconcurrency
  open func requestPerObjectReadAuthorization(
    for objectType: HKObjectType, predicate: NSPredicate?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    completion(true, nil)
  }

  /// Asks for objects one by one, which no type of this module needs.
  open func requestPerObjectReadAuthorization(
    for objectType: HKObjectType, predicate: NSPredicate?
  ) async throws {}

  /// The first day of which samples can be saved and read.
  @discardableResult
  open func earliestPermittedSampleDate() -> Date { .distantPast }

  // MARK: - Saving

  /// Saves an object.
  @preconcurrency
  open func save(
    _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    save([object], withCompletion: completion)
  }

  /// Saves objects: all of them or none.
  @preconcurrency
  open func save(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(
      { system in
        try system.requireSharing(objects)
        try system.save(objects)
      }, completion)
  }

  /// Saves an object.
  open func save(_ object: HKObject) async throws { try await save([object]) }

  /// Saves objects: all of them or none.
  open func save(_ objects: [HKObject]) async throws {
    try await done { save(objects, withCompletion: $0) }
  }

  /// Adds samples to a workout that was saved.
  @preconcurrency
  open func add(
    _ samples: [HKSample], to workout: HKWorkout,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(
      { system in
        try system.requireSharing(samples)
        try system.write { try $0.add(samples, to: workout, from: system.revision) }
      }, completion)
  }

  /// Adds samples to a workout that was saved.
  open func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
    try await done { add(samples, to: workout, completion: $0) }
  }

  // MARK: - Deleting

  /// Deletes an object that the app has saved.
  @preconcurrency
  open func delete(
    _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    delete([object], withCompletion: completion)
  }

  /// Deletes objects that the app has saved: all of them or none.
  @preconcurrency
  open func delete(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(
      { system in
        try system.requireSharing(objects)
        _ = try system.write { try $0.delete(objects, of: system.revision.source) }
      }, completion)
  }

  /// Deletes an object that the app has saved.
  open func delete(_ object: HKObject) async throws { try await delete([object]) }

  /// Deletes objects that the app has saved: all of them or none.
  open func delete(_ objects: [HKObject]) async throws {
    try await done { delete(objects, withCompletion: $0) }
  }

  /// Deletes what the app has saved of a type and a predicate holds for, and says how much it was.
  @preconcurrency
  open func deleteObjects(
    of objectType: HKObjectType, predicate: NSPredicate,
    withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let predicate = predicate
    system.async { [system] in
      do {
        var request = SampleRequest(objectType, predicate)
        request.only = system.revision.source
        completion(true, try system.write { try $0.delete(request) }, nil)
      } catch {
        completion(false, 0, error)
      }
    }
  }

  /// Deletes what the app has saved of a type and a predicate holds for, and says how much it was.
  @discardableResult
  open func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      deleteObjects(of: objectType, predicate: predicate) { _, count, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: count)
        }
      }
    }
  }

  // MARK: - Queries

  /// Executes a query, which calls its handlers on a queue of its own.
  open func execute(_ query: HKQuery) {
    query.begin()
    system.async { [system] in
      if !query.isStopped { system.start(query) }
    }
  }

  /// Ends a query that goes on; no handler of it is called any more.
  open func stop(_ query: HKQuery) {
    query.isStopped = true
    system.async { [system] in system.stop(query) }
  }

  // MARK: - Background delivery

  /// Orders that the app is launched in the background when something of a type is saved.
  ///
  /// The app has to execute an ``HKObserverQuery`` at each launch, and to call the handler that the
  /// query gives it. An app that has not called it three times is launched no more.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - frequency: How often at most.
  ///   - completion: Is called when it was ordered.
  @preconcurrency
  open func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(
      { system in
        guard type is HKSampleType, !(type is HKCorrelationType) else {
          throw HKError.error(
            .errorInvalidArgument, "\(type.identifier) has no background delivery.")
        }
        try system.delivery.enable(type, frequency, on: system)
      }, completion)
  }

  /// Orders that the app is launched in the background when something of a type is saved.
  open func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency
  ) async throws {
    try await done { enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0) }
  }

  /// Ends the background delivery of a type.
  @preconcurrency
  open func disableBackgroundDelivery(
    for type: HKObjectType,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform({ try $0.delivery.disable(type, on: $0) }, completion)
  }

  /// Ends the background delivery of a type.
  open func disableBackgroundDelivery(for type: HKObjectType) async throws {
    try await done { disableBackgroundDelivery(for: type, withCompletion: $0) }
  }

  /// Ends the background delivery of all types.
  @preconcurrency
  open func disableAllBackgroundDelivery(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform({ try $0.delivery.disable(nil, on: $0) }, completion)
  }

  /// Ends the background delivery of all types.
  open func disableAllBackgroundDelivery() async throws {
    try await done { disableAllBackgroundDelivery(completion: $0) }
  }

  // MARK: - The person

  // What is known of the person comes from an export, or is set by a simulated phone.

  /// The date of birth, as year, month and day of the Gregorian calendar.
  ///
  /// - Throws: `HKError` with the code `errorNoData` if it is not known or may not be read, and
  ///   `errorAuthorizationNotDetermined` if the app has not asked.
  @discardableResult
  open func dateOfBirthComponents() throws -> DateComponents {
    let text = try characteristic(.dateOfBirth)
    let parts = (text ?? "").split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else {
      throw HKError.error(.errorNoData, "The health store has no date of birth.")
    }
    return DateComponents(
      calendar: Calendar(identifier: .gregorian), era: 1, year: parts[0], month: parts[1],
      day: parts[2])
  }

  /// The start of the day of birth in the current time zone.
  @available(iOS, introduced: 8.0, deprecated: 10.0)
  @discardableResult
  open func dateOfBirth() throws -> Date {
    let components = try dateOfBirthComponents()
    guard let date = components.date else {
      throw HKError.error(.errorNoData, "The date of birth is no date.")
    }
    return date
  }

  /// The biological sex; `notSet` if it is not known or may not be read.
  @discardableResult
  open func biologicalSex() throws -> HKBiologicalSexObject {
    let name = try characteristic(.biologicalSex)
    return HKBiologicalSexObject(name.flatMap(ExportNames.biologicalSex) ?? .notSet)
  }

  /// The blood type; `notSet` if it is not known or may not be read.
  @discardableResult
  open func bloodType() throws -> HKBloodTypeObject {
    let name = try characteristic(.bloodType)
    return HKBloodTypeObject(name.flatMap(ExportNames.bloodType) ?? .notSet)
  }

  /// The skin type; `notSet` if it is not known or may not be read.
  @discardableResult
  open func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
    let name = try characteristic(.fitzpatrickSkinType)
    return HKFitzpatrickSkinTypeObject(name.flatMap(ExportNames.skinType) ?? .notSet)
  }

  /// Whether a wheelchair is used; `notSet` if it is not known or may not be read.
  @discardableResult
  open func wheelchairUse() throws -> HKWheelchairUseObject {
    let name = try characteristic(.wheelchairUse)
    return HKWheelchairUseObject(name.flatMap(ExportNames.wheelchairUse) ?? .notSet)
  }

  /// What fills the move ring; the active energy if it is not known or may not be read.
  @discardableResult
  open func activityMoveMode() throws -> HKActivityMoveModeObject {
    let name = try characteristic(.activityMoveMode)
    return HKActivityMoveModeObject(name.flatMap(ExportNames.moveMode) ?? .activeEnergy)
  }

  /// Divides energy that was burned in a time into the part of the body at rest and that of activity,
  /// by the person's age, sex, mass and height, or by those of an average person.
  @available(iOS, introduced: 9.0, deprecated: 11.0, message: "No longer supported")
  open func splitTotalEnergy(
    _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
    resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
  ) {
    let unit = HKUnit.kilocalorie()
    let total = totalEnergy.doubleValue(for: unit)
    system.async { [self] in
      let days = max(0, endDate.timeIntervalSince(startDate)) / 86_400
      let resting = min(total, body(on: startDate).kilocaloriesAtRest * days)
      resultsHandler(
        HKQuantity(unit: unit, doubleValue: resting),
        HKQuantity(unit: unit, doubleValue: total - resting), nil)
    }
  }

  // MARK: - Units

  /// The units that the user prefers: of each type the one in which it was saved last, or the type's
  /// own.
  @preconcurrency
  open func preferredUnits(
    for quantityTypes: Set<HKQuantityType>,
    completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
  ) {
    system.async { [system] in
      do {
        completion(try system.read { try $0.preferredUnits(quantityTypes) }, nil)
      } catch {
        completion([:], error)
      }
    }
  }

  /// The units that the user prefers.
  @discardableResult
  open func preferredUnits(
    for quantityTypes: Set<HKQuantityType>
  ) async throws -> [HKQuantityType: HKUnit] {
    try await withCheckedThrowingContinuation { continuation in
      preferredUnits(for: quantityTypes) {
        if let error = $1 {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: $0)
        }
      }
    }
  }

  // MARK: - Support

  private func perform(
    _ work: @escaping (HealthSystem) throws -> Void,
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    system.async { [system] in
      do {
        try work(system)
        completion(true, nil)
      } catch {
        completion(false, error)
      }
    }
  }

  private func done(
    _ work: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      work { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }
}

extension HealthDatabase {
  /// Adds samples to a workout; those that are not in the store are saved.
  func add(_ samples: [HKSample], to workout: HKWorkout, from revision: HKSourceRevision) throws {
    guard let whole = try workout.row ?? row(of: workout.uuid)?.id else {
      throw HKError.error(
        .errorInvalidArgument,
        "The workout \(workout.uuid) is not in the health store. Save it first.")
    }
    for sample in samples {
      if try sample.row == nil && row(of: sample.uuid) == nil { try save([sample], from: revision) }
      if let part = try sample.row ?? row(of: sample.uuid)?.id { try join(part, to: whole) }
    }
  }

  func preferredUnits(_ types: Set<HKQuantityType>) throws -> [HKQuantityType: HKUnit] {
    var preferred: [HKQuantityType: HKUnit] = [:]
    for type in types {
      preferred[type] = type.canonicalUnit
      guard let last = row(of: type)?.last, let unit = try row(last)?.unit else { continue }
      preferred[type] = units[unit] ?? type.canonicalUnit
    }
    return preferred
  }
}
