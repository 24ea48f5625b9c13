// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sample with a value and a unit.
///
/// Apple's initializers return a ``HKCumulativeQuantitySample`` or a ``HKDiscreteQuantitySample``.
/// In Swift an initializer cannot return another class: here only what is read from the store is one
/// of these.
open class HKQuantitySample: HKSample, @unchecked Sendable {
  /// The type of the quantity.
  public let quantityType: HKQuantityType
  /// The value; of a series of values their sum or their average.
  public let quantity: HKQuantity
  /// How many values the sample is made of.
  public let count: Int

  /// A value of a time.
  public convenience init(
    type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
    end endDate: Date
  ) {
    self.init(type: quantityType, quantity: quantity, start: startDate, end: endDate, metadata: nil)
  }

  /// A value of a time, with what is known of it.
  public convenience init(
    type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
    end endDate: Date, metadata: [String: Any]?
  ) {
    self.init(
      type: quantityType, quantity: quantity, start: startDate, end: endDate, device: nil,
      metadata: metadata)
  }

  /// A value of a time, with its device and what is known of it.
  public convenience init(
    type quantityType: HKQuantityType, quantity: HKQuantity, start startDate: Date,
    end endDate: Date, device: HKDevice?, metadata: [String: Any]?
  ) {
    self.init(
      quantityType, quantity, startDate, endDate, ObjectFacts(device: device, metadata: metadata))
  }

  package init(
    _ type: HKQuantityType, _ quantity: HKQuantity, _ start: Date, _ end: Date,
    _ facts: ObjectFacts, count: Int = 1
  ) {
    precondition(
      type.is(compatibleWith: quantity.unit),
      "A quantity in \(quantity.unit.unitString) is not one of \(type.identifier).")
    quantityType = type
    self.quantity = quantity
    self.count = count
    super.init(type, start, end, facts)
  }

  /// Reads a sample from an archive.
  public required init?(coder: NSCoder) {
    guard let quantity = coder.decodeObject(of: HKQuantity.self, forKey: "quantity"),
      let type = coder.decodeObject(of: HKObjectType.all, forKey: "type") as? HKQuantityType
    else { return nil }
    self.quantity = quantity
    quantityType = type
    count = max(1, coder.decodeInteger(forKey: "count"))
    super.init(coder: coder)
  }

  /// Writes the sample into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(quantity, forKey: "quantity")
    coder.encode(count, forKey: "count")
  }

  /// The value, the type and the time.
  open override var description: String {
    "\(quantity) \(quantityType.identifier) (\(startDate) - \(endDate))"
  }
}

/// A sample of a quantity that adds up, such as steps.
open class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
  /// The sum of the sample's values.
  open var sumQuantity: HKQuantity { quantity }
}

/// A sample of a quantity that does not add up, such as a heart rate.
open class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
  /// The average of the sample's values.
  open var averageQuantity: HKQuantity { quantity }
  /// The lowest of the sample's values.
  open var minimumQuantity: HKQuantity { series?.minimum ?? quantity }
  /// The highest of the sample's values.
  open var maximumQuantity: HKQuantity { series?.maximum ?? quantity }
  /// The latest of the sample's values.
  open var mostRecentQuantity: HKQuantity { series?.mostRecent ?? quantity }
  /// The time of the latest value.
  open var mostRecentQuantityDateInterval: DateInterval {
    series?.mostRecentInterval ?? DateInterval(start: startDate, end: endDate)
  }

  /// What a series of values has beside its average.
  package struct Series {
    package var minimum: HKQuantity
    package var maximum: HKQuantity
    package var mostRecent: HKQuantity
    package var mostRecentInterval: DateInterval
  }

  /// Of a sample that is made of several values.
  package var series: Series?
}
