// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// What is kept about one device from one connection to the next, as far as a driver needs it.
struct DeviceState: Hashable, Sendable {
  /// How far transfers of its memory came.
  var checkpoints: [SyncCheckpoint] = []
  /// The key of the checkpoints.
  var checkpointKey = CheckpointKey()
  /// What must not be shown.
  var secrets: [DeviceSecret: [UInt8]] = [:]
  /// Who is measured.
  var user: DeviceUser?
  /// Whether it has been decided by which identity its measurements are recognised.
  var isIdentified = false
}
