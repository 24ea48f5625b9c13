// SPDX-License-Identifier: Apache-2.0

/// Detects by a call whether the delegate implements an optional requirement.
///
/// Without the Objective-C runtime this cannot be checked before the call. The default of a
/// requirement records itself in the probe of its thread; a delegate's own method does not. The
/// record names the object and the requirement, so calls made from within a delegate's method do
/// not count.
final class OptionalRequirement {
  private let object: ObjectIdentifier
  private let name: StaticString
  private var isMissing = false

  private init(object: AnyObject, name: StaticString) {
    self.object = ObjectIdentifier(object)
    self.name = name
  }

  // The slot holds an unretained reference to a probe on the stack of `isImplemented`.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Makes the call and returns whether the object's own method handled it.
  static func isImplemented(
    by object: AnyObject, _ name: StaticString, _ call: () -> Void
  ) -> Bool {
    let probe = OptionalRequirement(object: object, name: name)
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(probe).toOpaque())
    defer { pthread_setspecific(key, outer) }
    withExtendedLifetime(probe, call)
    return !probe.isMissing
  }

  /// Called by the default of a requirement.
  static func missing(_ object: AnyObject, _ name: StaticString) {
    guard let slot = pthread_getspecific(key) else { return }
    let probe = Unmanaged<OptionalRequirement>.fromOpaque(slot).takeUnretainedValue()
    if probe.object == ObjectIdentifier(object), probe.name.description == name.description {
      probe.isMissing = true
    }
  }
}
