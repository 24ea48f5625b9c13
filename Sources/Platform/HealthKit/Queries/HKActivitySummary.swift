// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// What the rings of a day show.
open class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// Which measure the first ring has.
  open var activityMoveMode = HKActivityMoveMode.activeEnergy
  /// The active energy.
  open var activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
  /// The goal for the active energy.
  open var activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
  /// The time in motion.
  open var appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 0)
  /// The goal for the time in motion.
  open var appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 0)
  /// The time of exercise.
  open var appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 0)
  /// The goal for the time of exercise; nil without one.
  open var exerciseTimeGoal: HKQuantity?
  /// The goal for the time of exercise; 0 without one.
  open var appleExerciseTimeGoal: HKQuantity {
    get { exerciseTimeGoal ?? HKQuantity(unit: .minute(), doubleValue: 0) }
    set { exerciseTimeGoal = newValue }
  }
  /// The hours in which the user stood.
  open var appleStandHours = HKQuantity(unit: .count(), doubleValue: 0)
  /// The goal for the hours; nil without one.
  open var standHoursGoal: HKQuantity?
  /// The goal for the hours; 0 without one.
  open var appleStandHoursGoal: HKQuantity {
    get { standHoursGoal ?? HKQuantity(unit: .count(), doubleValue: 0) }
    set { standHoursGoal = newValue }
  }

  /// The day, as year, month and day of the Gregorian calendar.
  package var day = DateComponents()

  /// A summary without a day.
  public override init() {}

  /// The day in a calendar.
  @discardableResult
  open func dateComponents(for calendar: Calendar) -> DateComponents {
    var day = day
    day.calendar = calendar
    day.era = 1
    return day
  }

  /// Whether the day lies between two others, or is one of them.
  func isBetween(_ from: DateComponents, _ to: DateComponents) -> Bool {
    func number(_ day: DateComponents) -> Int {
      (day.year ?? 0) * 10_000 + (day.month ?? 0) * 100 + (day.day ?? 0)
    }
    return number(from) <= number(day) && number(day) <= number(to)
  }

  /// A summary that says the same, and can be changed apart.
  open func copy(with zone: NSZone? = nil) -> Any {
    (try? HKActivitySummary(text: text)) ?? HKActivitySummary()
  }

  /// Whether both say the same of the same day.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKActivitySummary)?.text == text
  }

  /// A hash of the day.
  open override var hash: Int { day.hashValue }

  // MARK: - Coding

  private struct Coded: Codable {
    let year: Int?
    let month: Int?
    let day: Int?
    let mode: Int
    let quantities: [String: WorkoutCoding.Quantity]
  }

  /// All of it as a text.
  package var text: String {
    var quantities = [
      "energy": activeEnergyBurned, "energy goal": activeEnergyBurnedGoal, "move": appleMoveTime,
      "move goal": appleMoveTimeGoal, "exercise": appleExerciseTime, "stand": appleStandHours,
    ]
    quantities["exercise goal"] = exerciseTimeGoal
    quantities["stand goal"] = standHoursGoal
    return MetadataCoding.text(
      Coded(
        year: day.year, month: day.month, day: day.day, mode: activityMoveMode.rawValue,
        quantities: quantities.mapValues(WorkoutCoding.Quantity.init)))
  }

  /// The summary of a text.
  package convenience init(text: String) throws {
    let coded = try MetadataCoding.value(text, as: Coded.self)
    self.init()
    day = DateComponents(year: coded.year, month: coded.month, day: coded.day)
    activityMoveMode = HKActivityMoveMode(rawValue: coded.mode) ?? .activeEnergy
    func read(_ name: String) -> HKQuantity? { coded.quantities[name]?.quantity }
    activeEnergyBurned = read("energy") ?? activeEnergyBurned
    activeEnergyBurnedGoal = read("energy goal") ?? activeEnergyBurnedGoal
    appleMoveTime = read("move") ?? appleMoveTime
    appleMoveTimeGoal = read("move goal") ?? appleMoveTimeGoal
    appleExerciseTime = read("exercise") ?? appleExerciseTime
    appleStandHours = read("stand") ?? appleStandHours
    exerciseTimeGoal = read("exercise goal")
    standHoursGoal = read("stand goal")
  }

  /// True: a summary can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a summary from an archive.
  public required convenience init?(coder: NSCoder) {
    guard let text = coder.text("summary") else { return nil }
    try? self.init(text: text)
  }

  /// Writes the summary into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(text as NSString, forKey: "summary")
  }
}

/// Asks for activity summaries.
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
  /// Receives the summaries after each change.
  open var updateHandler:
    (@Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void)?

  private let handler:
    @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void

  /// Asks for the summaries that fit to a predicate.
  public init(
    predicate: NSPredicate?,
    resultsHandler handler:
      @escaping @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?)
      -> Void
  ) {
    self.handler = handler
    super.init(.activitySummaryType(), predicate)
  }

  override var goesOn: Bool { updateHandler != nil }

  override func run(on system: HealthSystem) {
    deliver {
      try system.read { database in
        let type = HKObjectType.activitySummaryType()
        guard try system.requests([SampleRequest(type)], database).allSatisfy({ $0.only == nil })
        else { return [] }
        return try database.activitySummaries()
          .filter { self.predicate?.evaluate(with: $0) ?? true }
      }
    } to: { [self] in
      handler(self, $0, $1)
    }
  }
}

extension HealthDatabase {
  /// Keeps the summary of a day; in a transaction only.
  package func save(_ summary: HKActivitySummary) throws {
    let day = summary.day
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    try connection.prepare("INSERT OR REPLACE INTO activity_summary(day, text) VALUES(?, ?)").run(
      .text("\(digits(day.year, 4))-\(digits(day.month, 2))-\(digits(day.day, 2))"),
      .text(summary.text))
  }

  /// The summaries of all days, in their order.
  func activitySummaries() throws -> [HKActivitySummary] {
    var texts: [String] = []
    try connection.prepare("SELECT text FROM activity_summary ORDER BY day").query {
      (row) throws(SQLiteError) in texts.append(row.text(0))
    }
    return try texts.map(HKActivitySummary.init(text:))
  }
}
