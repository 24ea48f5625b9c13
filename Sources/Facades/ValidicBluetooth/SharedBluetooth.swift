// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth
import SantorioConcurrency
import ValidicCore

/// What all classes of this module share: the central of the radio, and for whom devices are read.
final class SharedBluetooth: Sendable {
  /// The session of the app when this was made.
  let session: VLDSession
  let receiver: BluetoothReceiver
  let central: BluetoothCentral

  private init(_ session: VLDSession, _ settings: BluetoothSettings, _ central: BluetoothCentral) {
    self.session = session
    self.central = central
    receiver = BluetoothReceiver(session: session.session, settings: settings)
  }

  private struct State {
    var settings = BluetoothSettings()
    var central: BluetoothCentral?
    var instance: SharedBluetooth?
  }

  private static let state = Locked(State())

  /// The one of the app's session.
  static var current: SharedBluetooth {
    let session = VLDSession.sharedInstance()
    return state.withLock { state in
      if let instance = state.instance, instance.session === session { return instance }
      let instance = SharedBluetooth(session, state.settings, state.central ?? .shared)
      state.instance = instance
      return instance
    }
  }

  /// The catalogue and the clocks that are used.
  static var settings: BluetoothSettings { state.withLock { $0.settings } }

  /// Sets what is used from the next use on; false when Bluetooth is in use already.
  static func configure(_ settings: BluetoothSettings, _ central: BluetoothCentral?) -> Bool {
    state.withLock { state in
      guard state.instance == nil else { return false }
      (state.settings, state.central) = (settings, central)
      return true
    }
  }

  /// Forgets the instance and what was configured, as the end of the process does.
  static func forget() { state.withLock { $0 = State() } }
}
