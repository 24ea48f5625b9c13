// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the samples of a quantity amount to in a time.
open class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The type of the quantity.
  public let quantityType: HKQuantityType
  /// The start of the time.
  public let startDate: Date
  /// The end of the time.
  public let endDate: Date
  /// Who made the samples; nil unless they were asked for apart.
  open var sources: [HKSource]? { bySource.map { Array($0.keys) } }

  /// The figures of all samples together, or of those of a source.
  package struct Figures: Equatable {
    package var sum: HKQuantity?
    package var average: HKQuantity?
    package var minimum: HKQuantity?
    package var maximum: HKQuantity?
    package var mostRecent: HKQuantity?
    package var mostRecentInterval: DateInterval?
    package var duration: HKQuantity?

    package init() {}
  }

  package let figures: Figures
  package let bySource: [HKSource: Figures]?

  package init(
    _ type: HKQuantityType, _ start: Date, _ end: Date, _ figures: Figures,
    bySource: [HKSource: Figures]? = nil
  ) {
    quantityType = type
    startDate = start
    endDate = end
    self.figures = figures
    self.bySource = bySource
  }

  /// The average.
  @discardableResult
  open func averageQuantity() -> HKQuantity? { figures.average }
  /// The average of a source's samples; nil unless sources were asked for apart.
  @discardableResult
  open func averageQuantity(for source: HKSource) -> HKQuantity? { bySource?[source]?.average }
  /// The lowest value.
  @discardableResult
  open func minimumQuantity() -> HKQuantity? { figures.minimum }
  /// The lowest value of a source's samples; nil unless sources were asked for apart.
  @discardableResult
  open func minimumQuantity(for source: HKSource) -> HKQuantity? { bySource?[source]?.minimum }
  /// The highest value.
  @discardableResult
  open func maximumQuantity() -> HKQuantity? { figures.maximum }
  /// The highest value of a source's samples; nil unless sources were asked for apart.
  @discardableResult
  open func maximumQuantity(for source: HKSource) -> HKQuantity? { bySource?[source]?.maximum }
  /// The latest value.
  @discardableResult
  open func mostRecentQuantity() -> HKQuantity? { figures.mostRecent }
  /// The latest value of a source's samples; nil unless sources were asked for apart.
  @discardableResult
  open func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
    bySource?[source]?.mostRecent
  }
  /// The time of the latest value.
  @discardableResult
  open func mostRecentQuantityDateInterval() -> DateInterval? { figures.mostRecentInterval }
  /// The time of a source's latest value; nil unless sources were asked for apart.
  @discardableResult
  open func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
    bySource?[source]?.mostRecentInterval
  }
  /// The sum.
  @discardableResult
  open func sumQuantity() -> HKQuantity? { figures.sum }
  /// The sum of a source's samples; nil unless sources were asked for apart.
  @discardableResult
  open func sumQuantity(for source: HKSource) -> HKQuantity? { bySource?[source]?.sum }
  /// How much of the time the samples cover, as a quantity of time.
  @discardableResult
  open func duration() -> HKQuantity? { figures.duration }
  /// How much of the time a source's samples cover; nil unless sources were asked for apart.
  @discardableResult
  open func duration(for source: HKSource) -> HKQuantity? { bySource?[source]?.duration }

  /// Whether both say the same of the same time.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKStatistics else { return false }
    return quantityType == other.quantityType && startDate == other.startDate
      && endDate == other.endDate && figures == other.figures && bySource == other.bySource
  }

  /// A hash of the type and the time.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(quantityType)
    hasher.combine(startDate)
    return hasher.finalize()
  }

  /// The statistics themselves, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads statistics from an archive.
  public required convenience init?(coder: NSCoder) {
    guard let text = coder.text("statistics"), let read = try? WorkoutCoding.statistics(text) else {
      return nil
    }
    self.init(
      read.quantityType, read.startDate, read.endDate, read.figures, bySource: read.bySource)
  }

  /// Writes the statistics into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(WorkoutCoding.encode(self) as NSString, forKey: "statistics")
  }
}
