// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// Asks once for samples.
open class HKSampleQuery: HKQuery, @unchecked Sendable {
  /// How many samples at most.
  public let limit: Int
  /// In which order.
  public let sortDescriptors: [NSSortDescriptor]?

  private let requests: [SampleRequest]
  private let handler: @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

  /// Asks for samples of a type.
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
    sortDescriptors: [NSSortDescriptor]?,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    self.limit = limit
    self.sortDescriptors = sortDescriptors
    requests = [SampleRequest(sampleType, predicate)]
    handler = resultsHandler
    super.init(sampleType, predicate)
  }

  /// Asks for samples of several types.
  public convenience init(
    queryDescriptors: [HKQueryDescriptor], limit: Int,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    self.init(
      queryDescriptors: queryDescriptors, limit: limit, sortDescriptors: [],
      resultsHandler: resultsHandler)
  }

  /// Asks for samples of several types, in an order.
  public init(
    queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    self.limit = limit
    self.sortDescriptors = sortDescriptors
    requests = queryDescriptors.map(\.request)
    handler = resultsHandler
    super.init(nil, nil)
  }

  override func run(on system: HealthSystem) {
    let order = SampleOrder(sortDescriptors ?? [])
    deliver {
      try system.read { database in
        try database.samples(system.requests(requests, database), order, mostObjects(limit))
      }
    } to: { [self] in
      handler(self, $0, $1)
    }
  }
}

/// The order that a client wants: that of a column, or one that objects are compared by.
struct SampleOrder {
  var column = SampleRequest.Order.added
  /// Compares two samples; nil if the column says it all.
  var comparison: ((HKSample, HKSample) -> Bool)?

  init(_ descriptors: [NSSortDescriptor]) {
    guard let first = descriptors.first else { return }
    if descriptors.count == 1, let order = Self.column(first.keyPath, first.ascending) {
      column = order
      return
    }
    comparison = { one, other in
      for descriptor in descriptors {
        switch descriptor.compare(one, to: other) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return false
    }
  }

  init<Sample: HKSample>(_ descriptors: [SortDescriptor<Sample>]) {
    guard let first = descriptors.first else { return }
    if descriptors.count == 1, let order = Self.column(first.keyPath, first.order == .forward) {
      column = order
      return
    }
    comparison = { one, other in
      guard let one = one as? Sample, let other = other as? Sample else { return false }
      for descriptor in descriptors {
        switch descriptor.compare(one, other) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return false
    }
  }

  private static func column(_ path: AnyKeyPath?, _ ascending: Bool) -> SampleRequest.Order? {
    switch path {
    case \HKSample.startDate: .start(ascending: ascending)
    case \HKSample.endDate: .end(ascending: ascending)
    case \HKQuantitySample.startDate, \HKCategorySample.startDate, \HKWorkout.startDate,
      \HKCorrelation.startDate:
      .start(ascending: ascending)
    case \HKQuantitySample.endDate, \HKCategorySample.endDate, \HKWorkout.endDate,
      \HKCorrelation.endDate:
      .end(ascending: ascending)
    default: nil
    }
  }
}

extension HealthDatabase {
  /// The samples of several requests together, in an order, up to a limit.
  func samples(
    _ requests: [SampleRequest], _ order: SampleOrder, _ limit: Int?
  ) throws -> [HKSample] {
    var samples: [HKSample] = []
    for var request in requests {
      request.order = order.column
      samples += try self.samples(request, limit: order.comparison == nil ? limit : nil)
    }
    if let comparison = order.comparison {
      samples.sort(by: comparison)
    } else if requests.count > 1 {
      switch order.column {
      case .added: samples.sort { $0.row ?? 0 < $1.row ?? 0 }
      case .start(true): samples.sort { $0.startDate < $1.startDate }
      case .start(false): samples.sort { $0.startDate > $1.startDate }
      case .end(true): samples.sort { $0.endDate < $1.endDate }
      case .end(false): samples.sort { $0.endDate > $1.endDate }
      }
    }
    return limit.map { Array(samples.prefix($0)) } ?? samples
  }
}
