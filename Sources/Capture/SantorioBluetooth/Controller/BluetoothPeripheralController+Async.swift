// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
public import HealthDevices

extension BluetoothPeripheralController {
  /// Pairs a peripheral.
  ///
  /// Cancelling the task cancels the pairing.
  ///
  /// - Parameters:
  ///   - peripheral: What to pair.
  ///   - userSlot: Which of the device's users the session's user is; see
  ///     ``BluetoothCentral/pair(_:only:userSlot:for:)``.
  /// - Returns: Which device was paired.
  /// - Throws: Why it was not, `operationInProgress` and `cancelled` among others.
  public func pair(
    _ peripheral: DeviceModel, userSlot: Int? = nil
  ) async throws(BluetoothError) -> PairingMetadata {
    let request = DeviceOperation.Request(
      purpose: .pair, models: [peripheral], userSlot: userSlot.map { .slot($0) })
    guard let operation = begin(request) else {
      throw BluetoothError(.operationInProgress)
    }
    var metadata: PairingMetadata?
    for await event in operation.eventsOrCancel {
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
  /// - Parameters:
  ///   - peripheral: What to read.
  ///   - identifiers: The devices to which the reading is restricted; any when nil.
  ///   - userSlot: The person's number in readings, see ``startReading(from:only:userSlot:)``.
  /// - Returns: The readings. They are being taken already.
  public func readings(
    from peripheral: DeviceModel, only identifiers: Set<UUID>? = nil, userSlot: Int? = nil
  ) -> BluetoothReadings {
    readings(fromFirstOf: [peripheral], only: identifiers, userSlot: userSlot)
  }

  /// The readings of whichever of some peripherals appears first.
  ///
  /// - Parameters:
  ///   - peripherals: What to read; of several entries that fit a device the most specific is
  ///     taken.
  ///   - identifiers: The devices to which the reading is restricted; any when nil.
  ///   - userSlot: The person's number in readings.
  /// - Returns: The readings. They are being taken already.
  public func readings(
    fromFirstOf peripherals: [DeviceModel], only identifiers: Set<UUID>? = nil,
    userSlot: Int? = nil
  ) -> BluetoothReadings {
    guard !peripherals.isEmpty else {
      return BluetoothReadings(
        refused: .init(.unsupportedDevice, "No device was named; name at least one."))
    }
    let request = DeviceOperation.Request(
      purpose: .read, models: peripherals, allowed: identifiers,
      userSlot: userSlot.map { .slot($0) })
    guard let operation = begin(request) else {
      return BluetoothReadings(refused: .init(.operationInProgress))
    }
    return BluetoothReadings(operation.eventsOrCancel)
  }
}

/// The readings of one operation, as they are taken.
///
/// It ends when the device has sent all. Ending the iteration early, or cancelling its task,
/// cancels the reading. It can be iterated once: a second iteration has no readings.
public struct BluetoothReadings: AsyncSequence, Sendable {
  /// A reading.
  public typealias Element = HealthRecord
  /// Why there are no more.
  public typealias Failure = BluetoothError

  private let events: AsyncStream<BluetoothEvent>
  private let refusal: BluetoothError?

  fileprivate init(_ events: AsyncStream<BluetoothEvent>) {
    self.events = events
    refusal = nil
  }

  fileprivate init(refused error: BluetoothError) {
    events = AsyncStream { $0.finish() }
    refusal = error
  }

  /// Begins the iteration.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator(), refusal: refusal)
  }

  /// Waits for one reading after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var events: AsyncStream<BluetoothEvent>.Iterator
    fileprivate let refusal: BluetoothError?

    /// Waits for the next reading.
    ///
    /// - Returns: The reading; nil after the last one, and when the task was cancelled.
    /// - Throws: Why the reading failed, `operationInProgress` among others.
    @concurrent public mutating func next() async throws(BluetoothError) -> HealthRecord? {
      if let refusal { throw refusal }
      while let event = await events.next() {
        switch event {
        case .reading(let record): return record
        case .ended(.finished): return nil
        case .ended(.cancelled): throw BluetoothError(.cancelled)
        case .ended(.failed(let error, _)): throw error
        default: break
        }
      }
      return nil
    }
  }
}
