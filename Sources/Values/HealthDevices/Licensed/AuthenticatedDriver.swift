// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Authenticates the receiver with the app's key, then lets another driver read the device.
///
/// A stand-in of ours for AgaMatrix's meters, whose own way is not public. It is known of them that
/// they keep to the Glucose Profile once some 20 bytes were written to a characteristic of the
/// manufacturer's. Here these are `VendorCryptography.response(to:key:)` for an empty challenge and
/// the key of the key file; the device answers the write, with ATT error 0x08 (insufficient
/// authorization) for bytes that it does not accept.
struct AuthenticatedDriver<Base: DeviceDriver>: DeviceDriver {
  private enum Stage: Hashable {
    /// Next: proving, over.
    case idle
    /// The bytes are being written. Next: authenticated, over.
    case proving
    /// The other driver has the device. Next: none.
    case authenticated
    case over
  }

  private let context: DriverContext
  private let attribute: Attribute
  private var base: Base
  private var stage = Stage.idle

  init(_ context: DriverContext, writing attribute: Attribute, before base: Base) {
    self.context = context
    self.attribute = attribute
    self.base = base
  }

  var deadline: Duration? { stage == .authenticated ? base.deadline : nil }
  var isComplete: Bool { stage == .authenticated && base.isComplete }

  mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (stage, event) {
    case (.authenticated, _): return base.handle(event, at: time)
    case (.idle, .begun): return prove()
    case (.proving, .written(attribute)):
      stage = .authenticated
      return base.handle(.begun, at: time)
    case (.proving, .writeFailed(attribute, _)):
      return fail("The meter does not accept the app's key. Is it the one for this kind of meter?")
    default: return []
    }
  }

  private mutating func prove() -> [DriverAction] {
    guard let cryptography = context.cryptography, let key = context.secrets[.applicationKey] else {
      return fail(
        "The meter's manufacturer gives its protocol to licensees only; the app's key is missing.")
    }
    do {
      let bytes = try cryptography.response(to: [], key: key)
      stage = .proving
      return [.write(attribute, bytes)]
    } catch {
      return fail("The manufacturer's cryptography refuses the app's key: \(error)")
    }
  }

  private mutating func fail(_ message: String) -> [DriverAction] {
    stage = .over
    return [.fail(DriverFailure(.notAuthorized, message))]
  }
}
