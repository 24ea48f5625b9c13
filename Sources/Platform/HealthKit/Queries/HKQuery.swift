// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A question to the health store.
///
/// A query is executed once. Its handlers are called on a queue of the query, never on the main one.
open class HKQuery: NSObject, @unchecked Sendable {
  /// The type that is asked for; nil of a query of several types.
  public let objectType: HKObjectType?
  /// What the objects must fit to.
  public let predicate: NSPredicate?
  /// The type that is asked for; nil of a query of several types.
  @available(iOS, introduced: 8.0, deprecated: 9.3)
  open var sampleType: HKSampleType? { objectType as? HKSampleType }

  private let stopped = Locked(false)
  private let executed = Locked(false)
  private let handlers = DispatchQueue(label: "healthkit.query")

  init(_ type: HKObjectType?, _ predicate: NSPredicate?) {
    objectType = type
    self.predicate = predicate
  }

  /// Whether the query waits for changes after its first result.
  var goesOn: Bool { false }

  /// Whether a handler may no longer be called.
  var isStopped: Bool {
    get { stopped.withLock { $0 } }
    set { stopped.withLock { $0 = newValue } }
  }

  /// Notes the execution; Apple's framework raises an exception for a second one.
  func begin() {
    let isFirst = executed.withLock { executed in
      defer { executed = true }
      return !executed
    }
    precondition(isFirst, "A query can be executed once only; make another one.")
  }

  /// Answers the question for the first time; on the system's queue.
  func run(on system: HealthSystem) {}

  /// Answers again after a change of some types; on the system's queue.
  func changed(_ types: Set<HKObjectType>, on system: HealthSystem) {}

  /// The types of samples whose changes concern the query.
  var types: Set<HKSampleType> { (objectType as? HKSampleType).map { [$0] } ?? [] }

  /// Calls a handler on the query's queue, unless it was stopped meanwhile.
  func deliver(_ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    handlers.async { [self] in
      if !isStopped { body() }
    }
  }

  /// Calls a handler with the result of a question or its error.
  func deliver<Value>(
    _ question: () throws -> Value, to handler: @escaping (Value?, (any Error)?) -> Void
  ) {
    do {
      let value = try question()
      nonisolated(unsafe) let unchecked = value
      deliver { handler(unchecked, nil) }
    } catch {
      deliver { handler(nil, error) }
    }
  }
}

/// A type of samples and what they must fit to.
open class HKQueryDescriptor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The type.
  public let sampleType: HKSampleType
  /// What the samples must fit to.
  public let predicate: NSPredicate?

  /// A type of samples and what they must fit to.
  public init(sampleType: HKSampleType, predicate: NSPredicate?) {
    self.sampleType = sampleType
    self.predicate = predicate
  }

  var request: SampleRequest { SampleRequest(sampleType, predicate) }

  /// The descriptor itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are of the same type and the same predicate.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQueryDescriptor else { return false }
    return sampleType == other.sampleType && predicate == other.predicate
  }

  /// A hash of the type.
  open override var hash: Int { sampleType.hash }

  /// True: a descriptor can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a descriptor without a predicate, which Foundation cannot archive on Linux.
  public required init?(coder: NSCoder) {
    guard let type = coder.decodeObject(of: HKObjectType.all, forKey: "type") as? HKSampleType
    else { return nil }
    sampleType = type
    predicate = nil
  }

  /// Writes the descriptor without its predicate, which Foundation cannot archive on Linux.
  open func encode(with coder: NSCoder) {
    coder.encode(sampleType, forKey: "type")
  }
}

/// How far a query has read: everything that was added or deleted before is known.
open class HKQueryAnchor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  let value: Int64

  init(_ value: Int64) { self.value = value }

  /// An anchor of a number from iOS 8.
  public convenience init(fromValue value: Int) { self.init(Int64(value)) }

  /// The anchor itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have read as far.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKQueryAnchor)?.value == value
  }

  /// A hash of the number.
  open override var hash: Int { value.hashValue }

  /// True: an anchor can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an anchor from an archive.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "value") else { return nil }
    value = coder.decodeInt64(forKey: "value")
  }

  /// Writes the anchor into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(value, forKey: "value")
  }
}

/// Without a limit.
public let HKObjectQueryNoLimit = 0
/// The anchor of a query that has read nothing, of iOS 8.
public let HKAnchoredObjectQueryNoAnchor: Int32 = 0

/// The limit of a query's number; nil for none.
func mostObjects(_ limit: Int) -> Int? { limit == HKObjectQueryNoLimit ? nil : limit }
