// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Samples that belong together, such as both values of a blood pressure.
open class HKCorrelation: HKSample, @unchecked Sendable {
  /// The type of the correlation.
  public let correlationType: HKCorrelationType
  /// The samples.
  public let objects: Set<HKSample>

  /// Samples that belong together.
  public convenience init(
    type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
    objects: Set<HKSample>
  ) {
    self.init(
      type: correlationType, start: startDate, end: endDate, objects: objects, metadata: nil)
  }

  /// Samples that belong together, with what is known of them.
  public convenience init(
    type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
    objects: Set<HKSample>, metadata: [String: Any]?
  ) {
    self.init(
      type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
      metadata: metadata)
  }

  /// Samples that belong together, with their device and what is known of them.
  public convenience init(
    type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
    objects: Set<HKSample>, device: HKDevice?, metadata: [String: Any]?
  ) {
    self.init(
      correlationType, objects, startDate, endDate,
      ObjectFacts(device: device, metadata: metadata))
  }

  package init(
    _ type: HKCorrelationType, _ objects: Set<HKSample>, _ start: Date, _ end: Date,
    _ facts: ObjectFacts
  ) {
    precondition(!objects.isEmpty, "A correlation of \(type.identifier) without samples.")
    correlationType = type
    self.objects = objects
    super.init(type, start, end, facts)
  }

  /// The samples of a type.
  @discardableResult
  open func objects(for objectType: HKObjectType) -> Set<HKSample> {
    objects.filter { $0.sampleType == objectType }
  }

  /// The type, the time and the samples.
  open override var description: String {
    let parts = objects.map(\.description).sorted().joined(separator: ", ")
    return "\(correlationType.identifier) (\(startDate) - \(endDate)): \(parts)"
  }

  /// Reads a correlation from an archive.
  public required init?(coder: NSCoder) {
    let classes: [AnyClass] = [NSArray.self, HKQuantitySample.self, HKCategorySample.self]
    guard let type = coder.decodeObject(of: HKObjectType.all, forKey: "type") as? HKCorrelationType,
      let objects = coder.decodeObject(of: classes, forKey: "objects") as? [HKSample],
      !objects.isEmpty
    else { return nil }
    correlationType = type
    self.objects = Set(objects)
    super.init(coder: coder)
  }

  /// Writes the correlation into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(Array(objects) as NSArray, forKey: "objects")
  }
}
