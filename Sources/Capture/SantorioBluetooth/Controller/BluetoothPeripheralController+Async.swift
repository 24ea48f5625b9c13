// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
public import HealthDevices

extension BluetoothPeripheralController {
  /// Pairs a peripheral.
  ///
  /// Cancelling the task cancels the pairing.
  ///
  /// - Parameter peripheral: What to pair.
  /// - Returns: Which device was paired.
  /// - Throws: ``BluetoothError``, `operationInProgress` among others.
  public func paired(with peripheral: DeviceModel) async throws -> PairingMetadata {
    guard pair(peripheral) else { throw BluetoothError(.operationInProgress) }
    var metadata: PairingMetadata?
    for await event in cancellableEvents {
      switch event {
      case .paired(let found): metadata = found
      case .ended(.failed(let error, _)): throw error
      case .ended:
        guard let metadata else { throw BluetoothError(.cancelled) }
        return metadata
      default: break
      }
    }
    throw BluetoothError(.cancelled)
  }

  /// The readings of a peripheral, one after the other as they are taken.
  ///
  /// The sequence ends when the device has sent all. Ending the iteration early, or cancelling its
  /// task, cancels the reading.
  ///
  /// - Parameters:
  ///   - peripheral: What to read.
  ///   - identifiers: The devices to which the reading is restricted; any when nil.
  /// - Returns: The readings; the sequence throws ``BluetoothError``.
  public func readings(
    from peripheral: DeviceModel, only identifiers: Set<UUID>? = nil
  ) -> AsyncThrowingStream<HealthRecord, any Error> {
    readings(fromFirstOf: [peripheral], only: identifiers)
  }

  /// The readings of whichever of some peripherals appears first.
  ///
  /// - Parameters:
  ///   - peripherals: What to read; of several entries that fit a device the most specific is
  ///     taken.
  ///   - identifiers: The devices to which the reading is restricted; any when nil.
  /// - Returns: The readings; the sequence throws ``BluetoothError``.
  public func readings(
    fromFirstOf peripherals: [DeviceModel], only identifiers: Set<UUID>? = nil
  ) -> AsyncThrowingStream<HealthRecord, any Error> {
    AsyncThrowingStream { continuation in
      guard read(fromFirstOf: peripherals, only: identifiers) else {
        continuation.finish(throwing: BluetoothError(.operationInProgress))
        return
      }
      let events = events
      let task = Task {
        for await event in events {
          switch event {
          case .reading(let record): continuation.yield(record)
          case .ended(.finished): continuation.finish()
          case .ended(.cancelled): continuation.finish(throwing: BluetoothError(.cancelled))
          case .ended(.failed(let error, _)): continuation.finish(throwing: error)
          default: break
          }
        }
      }
      continuation.onTermination = { [weak self] reason in
        if case .cancelled = reason { self?.cancel() }
        task.cancel()
      }
    }
  }

  private var cancellableEvents: AsyncStream<BluetoothEvent> {
    let events = events
    return AsyncStream { continuation in
      let task = Task {
        for await event in events { continuation.yield(event) }
        continuation.finish()
      }
      continuation.onTermination = { [weak self] reason in
        if case .cancelled = reason { self?.cancel() }
        task.cancel()
      }
    }
  }
}
