// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth

/// Prints readings to standard output, for a person or for programs.
struct RecordPrinter: Sendable {
  let isJSON: Bool

  func print(_ record: HealthRecord) {
    guard isJSON else { return Swift.print(ReadingLine(record).text) }
    do throws(RecordError) {
      Swift.print(String(decoding: try record.informJSON(), as: UTF8.self))
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
    var found: (peripheral: BluetoothPeripheral, identifier: UUID)?
    var paired: PairingMetadata?
  }

  let controller: BluetoothPeripheralController
  let printer: RecordPrinter

  /// Pairs or reads a device; when the task is cancelled, the device is let go of before it returns.
  func run(_ purpose: Purpose, _ targets: DeviceTargets) async -> Run {
    switch purpose {
    case .pair: controller.pair(firstOf: targets.peripherals, only: targets.identifiers)
    case .read: controller.read(fromFirstOf: targets.peripherals, only: targets.identifiers)
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
    for await event in events {
      switch event {
      case .found(let peripheral, let identifier):
        printError("found \(peripheral.name), \(identifier)")
        run.found = (peripheral, identifier)
      case .readyToRead(let peripheral): printError(peripheral.readingInstructions)
      case .reading(let record): printer.print(record)
      case .refused(let refused): printError("no reading: \(refused.message)")
      case .paired(let metadata): run.paired = metadata
      case .ended(let outcome):
        run.outcome = outcome
        return run
      }
    }
    return run
  }
}

extension BluetoothError {
  /// What happened, and what to do about it on this machine.
  var advice: String {
    switch code {
    case .bondLost:
      "The device no longer knows this machine. Put it into its pairing mode and run «santorio pair», "
        + "which offers to remove the old bond and to pair anew."
    case .pairingFailure: "\(message) «santorio pair» does it."
    case .bluetoothUnavailable:
      "\(message) «santorio doctor» tells what is missing and how to mend it."
    default: message
    }
  }
}
