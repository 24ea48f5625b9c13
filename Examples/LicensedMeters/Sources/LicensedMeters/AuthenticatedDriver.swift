// SPDX-License-Identifier: Apache-2.0

import HealthDevices

/// Authenticates the receiver with the app's key, then lets another driver read the device.
///
/// A stand-in for AgaMatrix's meters, whose own way is not public. It is known of them that they
/// keep to the Glucose Profile once some 20 bytes were written to a characteristic of the
/// manufacturer's. The device answers the write with ATT error 0x08 (insufficient authorization)
/// when it does not accept them.
struct AuthenticatedDriver: DeviceDriver {
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
  private let attribute: GATTAttribute
  private var base: any DeviceDriver
  private var stage = Stage.idle

  init(_ context: DriverContext, writing attribute: GATTAttribute, before base: any DeviceDriver) {
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
    guard let key = context.secrets[.applicationKey] else {
      return fail("The app's key for this kind of meter is missing.")
    }
    stage = .proving
    return [.write(attribute, StandInCryptography(key: key).authentication)]
  }

  private mutating func fail(_ message: String) -> [DriverAction] {
    stage = .over
    return [.fail(DriverFailure(.notAuthorized, message))]
  }
}
