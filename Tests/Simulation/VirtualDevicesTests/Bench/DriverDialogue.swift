// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// A driver that is told events by hand, for what a virtual device never does.
struct DriverDialogue {
  private(set) var driver: any DeviceDriver
  private(set) var time = DriverBench.noon

  init(
    _ model: DriverModel, having attributes: [GATTAttribute]? = nil,
    purpose: DriverContext.Purpose = .read, name: String? = nil, checkpoints: [SyncCheckpoint] = []
  ) {
    driver = model.make(
      DriverContext(
        purpose: purpose, attributes: Set(attributes ?? model.required), name: name,
        checkpoints: checkpoints))
  }

  /// Tells an event.
  mutating func report(_ event: DriverEvent) -> [DriverAction] { driver.handle(event, at: time) }

  /// Lets the driver's deadline come; nil when it waits for nothing.
  mutating func wait() -> [DriverAction]? {
    guard let deadline = driver.deadline else { return nil }
    pass(max(deadline - time.elapsed, .zero))
    return driver.handle(.timeReached, at: time)
  }

  /// Lets time pass.
  mutating func pass(_ duration: Duration) {
    time.elapsed += duration
    time.secondsSince1970 += duration / .seconds(1)
  }

  /// Subscribes, as every driver does at its begin, and returns what it does next.
  mutating func begin(_ attribute: GATTAttribute) -> [DriverAction] {
    _ = report(.begun)
    return report(.subscribed(attribute))
  }

  /// Lets deadlines come until the driver ends; nil when it does not within 100 of them.
  mutating func waitForEnd() -> DriverAction? {
    for _ in 0..<100 {
      guard let actions = wait() else { return nil }
      switch actions.last {
      case .finish?, .fail?: return actions.last
      default: break
      }
    }
    return nil
  }
}

extension DriverAction {
  /// Why the driver cannot go on.
  var failure: DriverFailure.Kind? {
    guard case .fail(let failure) = self else { return nil }
    return failure.kind
  }
}
