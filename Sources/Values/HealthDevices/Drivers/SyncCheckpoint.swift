// SPDX-License-Identifier: Apache-2.0

/// How far the transfer of a device's memory has come.
public struct SyncCheckpoint: Hashable, Sendable, Codable {
  /// Which memory, for devices that have several: the driver's own name for it.
  public let memory: String
  /// The number of the last measurement.
  public let sequenceNumber: Int
  /// Of the last measurement, so that a memory that was cleared is recognised; without the key it
  /// reveals nothing.
  package let fingerprint: UInt64

  /// Makes a checkpoint.
  ///
  /// - Parameters:
  ///   - memory: Which memory.
  ///   - sequenceNumber: The number of the last measurement.
  ///   - payload: The part of its bytes that never changes.
  ///   - key: The key of this phone or gateway, see ``DriverContext/checkpointKey``.
  public init(
    memory: String = "", sequenceNumber: Int, payload: some Sequence<UInt8>, key: CheckpointKey
  ) {
    self.memory = memory
    self.sequenceNumber = sequenceNumber
    fingerprint = key.fingerprint(of: payload)
  }
}
