// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import SantorioBluetooth
import SantorioConcurrency
import SessionTesting

/// The background time that the system has granted to the app.
final class TimeGrants: Sendable {
  private struct Grant {
    let process: ObjectIdentifier
    let expired: @Sendable () -> Void
  }

  private let grants = Locked<[UUID: Grant]>([:])

  func backgroundTime(
    for process: AppProcess, modes: SimulatedBackgroundModes
  ) -> BackgroundTime {
    BackgroundTime(wakesForDevices: modes.contains(.central)) { [self] expired in
      begin(for: process, expired: expired)
    }
  }

  /// Grants time; returns what gives it back.
  func begin(
    for process: AppProcess, expired: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let id = UUID()
    let grant = Grant(process: ObjectIdentifier(process), expired: expired)
    grants.withLock { $0[id] = grant }
    return { self.grants.withLock { $0[id] = nil } }
  }

  /// Whether a process must not be suspended.
  func isHeld(by process: AppProcess) -> Bool {
    grants.withLock { $0.values.contains { $0.process == ObjectIdentifier(process) } }
  }

  /// Tells a process that the time is over.
  func expire(for process: AppProcess) {
    let expired = grants.withLock { grants in
      grants.values.filter { $0.process == ObjectIdentifier(process) }.map(\.expired)
    }
    for expired in expired { expired() }
  }
}
