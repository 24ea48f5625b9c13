// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Asks for what was added and deleted after an anchor, and for more of it later.
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
  /// A handler of results.
  public typealias Handler =
    @Sendable (
      HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
    ) -> Void

  /// Is called with what is added or deleted after the first result; for a query without a limit.
  open var updateHandler:
    (
      @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
    )?
  {
    didSet {
      precondition(
        mostObjects(limit) == nil || updateHandler == nil,
        "A query with a limit has no update handler.")
    }
  }

  private let requests: [SampleRequest]
  private let limit: Int
  private let handler:
    @Sendable (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?)
      -> Void
  private var anchor: Int64

  /// Asks for what was added and deleted of a type.
  ///
  /// - Parameters:
  ///   - type: The type of samples.
  ///   - predicate: What they must fit to.
  ///   - anchor: How far was read before; nil at first.
  ///   - limit: How many samples and deleted objects together at most, or `HKObjectQueryNoLimit`.
  ///   - handler: Receives the result.
  public init(
    type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
    resultsHandler handler:
      @escaping @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
  ) {
    requests = [SampleRequest(type, predicate)]
    self.anchor = anchor?.value ?? 0
    self.limit = limit
    self.handler = handler
    super.init(type, predicate)
  }

  /// Asks for what was added and deleted of several types.
  public init(
    queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
    resultsHandler handler:
      @escaping @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
  ) {
    requests = queryDescriptors.map(\.request)
    self.anchor = anchor?.value ?? 0
    self.limit = limit
    self.handler = handler
    super.init(nil, nil)
  }

  override var types: Set<HKSampleType> { Set(requests.compactMap { $0.type as? HKSampleType }) }
  override var goesOn: Bool { updateHandler != nil }

  override func run(on system: HealthSystem) { ask(system, handler, always: true) }

  override func changed(_ types: Set<HKObjectType>, on system: HealthSystem) {
    guard let updateHandler else { return }
    ask(system, updateHandler, always: false)
  }

  private func ask(_ system: HealthSystem, _ handler: @escaping Handler, always: Bool) {
    do {
      let changes = try system.read { database in
        try database.changes(
          system.requests(requests, database), after: anchor, limit: mostObjects(limit))
      }
      anchor = changes.anchor
      guard always || !changes.added.isEmpty || !changes.deleted.isEmpty else { return }
      deliver { [self] in
        handler(self, changes.added, changes.deleted, HKQueryAnchor(changes.anchor), nil)
      }
    } catch {
      deliver { [self] in handler(self, nil, nil, nil, error) }
    }
  }
}
