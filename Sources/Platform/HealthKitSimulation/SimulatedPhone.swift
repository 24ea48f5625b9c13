// SPDX-License-Identifier: Apache-2.0

import BackgroundTasks
import Foundation
import HealthKit

/// A phone with a health store, for the tests of an app.
///
/// The store is a file of its own, which stays when the app ends. The phone does what a test wants:
/// it gets data from a watch or another app, is locked, launches the app in the background, lets time
/// pass. The app's own code is not stopped: a test must not call it while the app is terminated.
public final class SimulatedPhone: @unchecked Sendable {
  /// What the app is doing.
  public enum AppState: Hashable, Sendable {
    /// In the foreground: queries are called at once.
    case foreground
    /// In the background: observer queries are called for the types with background delivery.
    case background
    /// Not running: it is launched for the types with background delivery.
    case terminated
  }

  /// What an app asks the user for, by identifiers of types.
  public struct PermissionRequest: Hashable, Sendable {
    /// What it wants to save, and was not asked for before.
    public let toShare: Set<String>
    /// What it wants to read, and was not asked for before.
    public let toRead: Set<String>
  }

  /// What the user allows, by identifiers of types.
  public struct PermissionAnswer: Hashable, Sendable {
    /// What the app may save.
    public var share: Set<String>
    /// What the app may read.
    public var read: Set<String>

    /// An answer.
    public init(share: Set<String>, read: Set<String>) {
      self.share = share
      self.read = read
    }
  }

  let system: HealthSystem
  let tasks = BackgroundTaskSystem()
  private let clock = SimulatedTime()

  /// A phone whose store is a file.
  ///
  /// - Parameters:
  ///   - file: The file; it is made if there is none.
  ///   - app: Whom the app is for the store; the running program if nil.
  public init(store file: URL, app: HKSourceRevision? = nil) {
    system = HealthSystem(path: file.path)
    if let app { system.revision = app }
    let clock = clock
    system.useClock { clock.now }
  }

  /// A store of the app on this phone.
  public func makeHealthStore() -> HKHealthStore { HKHealthStore(system: system) }

  /// Makes it the phone of all stores that the program makes later.
  public func installAsDefault() {
    HealthSystem.current = system
    BackgroundTaskSystem.current = tasks
  }

  // MARK: - The user

  /// What the user answers when the app asks for permission; by default everything is allowed.
  public func answerPermissionRequests(
    _ answer: @escaping @Sendable (PermissionRequest) -> PermissionAnswer
  ) {
    system.answer = { request in
      let answer = answer(PermissionRequest(toShare: request.toShare, toRead: request.toRead))
      return HealthPermissionAnswer(share: answer.share, read: answer.read)
    }
  }

  /// Changes in the settings what the app may do.
  public func setPermission(
    for type: HKObjectType, share: Bool? = nil, read: Bool? = nil
  ) throws {
    try system.decide(
      share: share.map { [type.identifier: $0] } ?? [:],
      read: read.map { [type.identifier: $0] } ?? [:])
  }

  /// The order of the sources, as the user can change it in the Health app.
  ///
  /// The first ones count where samples overlap. Watches and phones follow by themselves.
  public var preferredSources: [HKSource] = [] {
    didSet { system.preferredSources = preferredSources.map(\.bundleIdentifier) }
  }

  /// Whether the device is locked: nothing can be read then, and what is saved appears later.
  public var isLocked: Bool {
    get { system.isLocked }
    set { system.isLocked = newValue }
  }

  /// What is known of the person, as entered in the Health app.
  public struct Person: Hashable, Sendable {
    /// Year, month and day of the Gregorian calendar.
    public var dateOfBirth: DateComponents?
    /// The biological sex.
    public var biologicalSex: HKBiologicalSex?
    /// The blood type.
    public var bloodType: HKBloodType?
    /// The skin type.
    public var skinType: HKFitzpatrickSkinType?
    /// Whether a wheelchair is used.
    public var wheelchairUse: HKWheelchairUse?
    /// What fills the move ring.
    public var activityMoveMode: HKActivityMoveMode?

    /// A person of whom nothing is known.
    public init() {}
  }

  /// Enters in the Health app what is known of the person; nil leaves what was entered before.
  public func enter(_ person: Person) throws {
    var texts: [HKCharacteristicTypeIdentifier: String] = [:]
    if let day = person.dateOfBirth, let year = day.year, let month = day.month, let day = day.day {
      texts[.dateOfBirth] = "\(year)-\(month)-\(day)"
    }
    texts[.biologicalSex] = person.biologicalSex.map(ExportNames.name)
    texts[.bloodType] = person.bloodType.map(ExportNames.name)
    texts[.fitzpatrickSkinType] = person.skinType.map(ExportNames.name)
    texts[.wheelchairUse] = person.wheelchairUse.map(ExportNames.name)
    texts[.activityMoveMode] = person.activityMoveMode.map(ExportNames.name)
    try system.save(characteristics: texts)
  }

  // MARK: - Data

  /// Saves what a watch, the phone or another app has measured.
  public func save(_ objects: [HKObject], from source: HKSourceRevision) throws {
    try system.saveForOthers(objects, from: source)
  }

  /// Deletes what a predicate holds for, of any source, as the user can in the Health app.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func delete(_ type: HKObjectType, _ predicate: NSPredicate? = nil) throws -> Int {
    try system.deleteForUser(type, predicate)
  }

  /// Rewrites the samples of workouts, as the system does some months after them: those of one source
  /// that follow each other become one sample of several values, and the originals are deleted.
  ///
  /// - Returns: How many samples were deleted.
  @discardableResult
  public func condenseWorkouts(endingBefore date: Date) throws -> Int {
    try system.condenseWorkouts(endingBefore: date)
  }

  /// Forgets what was deleted, as the system does after some time.
  public func forgetDeletions() throws { try system.forgetDeletions() }

  // MARK: - The app

  /// What the app is doing.
  public var appState: AppState {
    switch system.appState {
    case .foreground: .foreground
    case .background: .background
    case .terminated: .terminated
    }
  }

  /// Moves the app to the foreground; a terminated one is launched by the test itself.
  public func openApp() { system.moveApp(to: .foreground) }

  /// Moves the app to the background.
  public func sendAppToBackground() { system.moveApp(to: .background) }

  /// Ends the app: its queries are gone.
  public func terminateApp() {
    system.terminate()
    tasks.appEnded()
  }

  /// What the system runs when it launches the app in the background: the app has to execute its
  /// observer queries there, and to register its background tasks.
  public func launchApp(_ launch: (@Sendable () -> Void)?) { system.onLaunch(launch) }

  // MARK: - Time

  /// The time of the phone, which stands still until a test moves it.
  public var now: Date { clock.now }

  /// Sets the time of the phone.
  public func setTime(_ date: Date) {
    clock.now = date
    system.timePassed()
    runTasks()
  }

  /// Lets time pass: calls of the app that were due meanwhile are made, and background tasks begin.
  public func advance(by seconds: TimeInterval) { setTime(now + seconds) }

  /// Waits until the app has answered all calls, by the completion handlers of its observer queries,
  /// and its background tasks have ended.
  public func appHasAnswered() async {
    await system.answered()
    await tasks.ended()
  }

  /// Waits until the phone has done everything that was asked of it before.
  public func settle() { system.settle() }
}
