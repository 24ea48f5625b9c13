// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sample whose value is one of a list, such as a stage of sleep.
open class HKCategorySample: HKSample, @unchecked Sendable {
  /// The type of the sample.
  public let categoryType: HKCategoryType
  /// The raw value of the type's enumeration.
  public let value: Int

  /// A value of a time.
  public convenience init(
    type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date
  ) {
    self.init(type: type, value: value, start: startDate, end: endDate, metadata: nil)
  }

  /// A value of a time, with what is known of it.
  public convenience init(
    type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
    metadata: [String: Any]?
  ) {
    self.init(
      type: type, value: value, start: startDate, end: endDate, device: nil, metadata: metadata)
  }

  /// A value of a time, with its device and what is known of it.
  public convenience init(
    type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date, device: HKDevice?,
    metadata: [String: Any]?
  ) {
    self.init(type, value, startDate, endDate, ObjectFacts(device: device, metadata: metadata))
  }

  package init(
    _ type: HKCategoryType, _ value: Int, _ start: Date, _ end: Date, _ facts: ObjectFacts
  ) {
    categoryType = type
    self.value = value
    super.init(type, start, end, facts)
  }

  /// Reads a sample from an archive.
  public required init?(coder: NSCoder) {
    guard let type = coder.decodeObject(of: HKObjectType.all, forKey: "type") as? HKCategoryType
    else { return nil }
    categoryType = type
    value = coder.decodeInteger(forKey: "value")
    super.init(coder: coder)
  }

  /// Writes the sample into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(value, forKey: "value")
  }

  /// The value, the type and the time.
  open override var description: String {
    "\(value) \(categoryType.identifier) (\(startDate) - \(endDate))"
  }
}
