// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore
import HealthDevices

/// Prints readings to standard output, for a person or for programs.
struct RecordPrinter: Sendable {
  let isJSON: Bool
  var write: @Sendable (String) -> Void = { Swift.print($0) }

  func print(_ record: HealthRecord) {
    guard isJSON else { return write(ReadingLine(record).text) }
    do throws(RecordError) {
      write(String(decoding: try record.informJSON(), as: UTF8.self))
    } catch {
      printError("santorio: a reading cannot be written: \(error)")
    }
  }
}

/// Runs pairings and readings, one after the other, and tells a person what happens.
struct DeviceRunner: Sendable {
  enum Purpose: Sendable {
    case pair, read
  }

  /// What became of a pairing or reading.
  struct Run: Sendable {
    var outcome = BluetoothOutcome.cancelled([])
    /// The device that was connected last.
    var found: (peripheral: DeviceModel, identifier: UUID)?
    var paired: PairingMetadata?
  }

  let controller: BluetoothPeripheralController
  /// The controller's session; readings are printed when it has them.
  let session: Session?
  let printer: RecordPrinter
  /// After how many readings of one connection it is ended.
  var share = QueueShares.limit

  /// Pairs or reads a device; when the task is cancelled, the device is let go of before it
  /// returns.
  ///
  /// - Parameters:
  ///   - purpose: What to do.
  ///   - targets: What to look for.
  ///   - resting: Devices that are not read now.
  ///   - time: How long to look for a device to read at most.
  /// - Returns: What became of it.
  func run(
    _ purpose: Purpose, _ targets: DeviceTargets, except resting: Set<UUID> = [],
    within time: Duration? = nil
  ) async -> Run {
    switch purpose {
    case .pair: controller.pair(firstOf: targets.peripherals, only: targets.identifiers)
    case .read:
      controller.read(
        fromFirstOf: targets.peripherals, only: targets.identifiers, except: resting, within: time)
    }
    let events = controller.events
    // A task of its own, which the caller's cancellation does not reach: the end is waited for.
    let run = Task { await follow(events) }
    return await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      controller.cancel()
    }
  }

  private func follow(_ events: AsyncStream<BluetoothEvent>) async -> Run {
    var run = Run()
    var count = 0
    let number = try? await session?.currentNumber()
    for await event in events {
      switch event {
      case .found(let peripheral, let identifier):
        printError("found \(peripheral.name), \(identifier)")
        run.found = (peripheral, identifier)
      case .readyToRead(let peripheral): printError(peripheral.readingInstructions)
      case .reading(let record):
        if session == nil { printer.print(record) }
        count += 1
        // What was read is kept; of a device that floods the queue no more is taken now.
        if count == share { controller.cancel() }
      case .rejected(let refused): printError("no reading: \(refused.message)")
      case .paired(let metadata): run.paired = metadata
      case .ended(let outcome):
        run.outcome = outcome
        await printStored(outcome, inSession: number)
        return run
      }
    }
    return run
  }

  /// Prints the readings that are on the disk now.
  private func printStored(_ outcome: BluetoothOutcome, inSession number: Int64?) async {
    guard let session else { return }
    switch outcome {
    case .finished(let records), .cancelled(let records): records.forEach(printer.print)
    case .failed(let told, let records):
      do throws(SessionError) {
        // The error that is told may hide one of the disk; what waits already goes on waiting.
        try await session.submit(records, inSession: number, leavingHeld: true)
        records.forEach(printer.print)
      } catch {
        guard !told.isOfStorage, !records.isEmpty else { return }
        printError("santorio: \(records.count) readings are not stored, and not printed: \(error)")
      }
    }
  }
}

extension BluetoothError {
  /// What happened, and what to do about it on this machine.
  var advice: String {
    switch code {
    case .bondLost:
      "The device no longer knows this machine. Put it into its pairing mode and run \"santorio pair\", "
        + "which offers to remove the old bond and to pair anew."
    case .enrolledForAnother:
      "The device is another user's of this folder, and may still have that user's readings: delete "
        + "them on it, then \"santorio pair --take-over\" makes it this user's."
    case .pairingFailure: "\(message) \"santorio pair\" does it."
    case .bluetoothUnavailable:
      "\(message) \"santorio doctor\" tells what is missing and how to mend it."
    default: message
    }
  }
}
