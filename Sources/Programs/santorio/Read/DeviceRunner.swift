// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore
import HealthDevices

/// Prints readings to standard output, for people or for programs.
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

/// Runs pairings and readings, any number at once, and reports what happens to the user.
struct DeviceRunner: Sendable {
  /// The result of a pairing or reading.
  struct Run: Sendable {
    var outcome = BluetoothOutcome.cancelled([])
    /// The device that was connected last.
    var found: FoundDevice?
    var paired: PairingMetadata?
    /// The readings that are held back since it is not known whose they are, by their `log_id`.
    var held: [String: HealthRecord] = [:]
    /// The number of readings from before the device was the user's.
    var olderCount = 0

    /// The device that is paired now, also when the connection broke off after that; nil when there is
    /// none, or it has to be paired anew.
    var standing: PairingMetadata? {
      if case .failed(let error, _) = outcome, error.undoesPairing { return nil }
      return paired
    }
  }

  /// A device, and what it is taken for.
  struct FoundDevice: Hashable, Sendable {
    let peripheral: DeviceModel
    let identifier: UUID
  }

  let central: BluetoothCentral
  let receiver: BluetoothReceiver
  /// The receiver's session; readings are printed when it has them.
  let session: SantorioSession?
  let printer: RecordPrinter
  /// Whose readings of the devices are wanted.
  var users = UserChoices()
  /// True where a device that is paired is the user's with all that it has measured before.
  var takesMemory = false
  /// The number of readings after which a connection is ended.
  var share = QueueShares.limit
  /// Called with each event of each operation.
  var observe: @Sendable (BluetoothEvent) -> Void = { _ in }

  /// Pairs or reads a device; on cancellation, the device is released before it returns.
  ///
  /// - Parameters:
  ///   - purpose: What to do.
  ///   - targets: What to look for.
  ///   - resting: Devices that are not read now.
  ///   - time: The maximum time to look for a device to read.
  ///   - onFound: Called with the device that the operation is about; again when another one
  ///     answers before it.
  /// - Returns: The result.
  func run(
    _ purpose: DriverContext.Purpose, _ targets: DeviceTargets, except resting: Set<UUID> = [],
    within time: Duration? = nil, onFound: @escaping @Sendable (FoundDevice) -> Void = { _ in }
  ) async -> Run {
    // Before the operation asks for its own: what it could not store for a user must not be
    // submitted for the next one.
    let number = try? await session?.currentNumber()
    let operation =
      switch purpose {
      case .pair:
        central.pair(
          targets.peripherals, only: targets.identifiers, within: time, user: users.any,
          takingMemory: takesMemory, for: receiver)
      case .read:
        central.read(
          targets.peripherals, only: targets.identifiers, except: resting, within: time,
          takingOthers: targets.areAny, user: users.any, users: users.devices, for: receiver)
      }
    // A separate task, which the caller's cancellation does not reach: its end is awaited.
    let run = Task { await follow(operation, inSession: number, onFound) }
    return await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      operation.cancel()
    }
  }

  private func follow(
    _ operation: DeviceOperation, inSession number: Int64?,
    _ onFound: @Sendable (FoundDevice) -> Void
  ) async -> Run {
    var run = Run()
    var count = 0
    for await event in operation.events {
      observe(event)
      switch event {
      case .found(let peripheral, let identifier):
        printError("found \(peripheral.name), \(identifier)")
        let found = FoundDevice(peripheral: peripheral, identifier: identifier)
        (run.found, run.held) = (found, [:])
        onFound(found)
      case .readyToRead(let peripheral): printError(peripheral.readingInstructions)
      case .reading(let record):
        if session == nil { printer.print(record) }
        count += 1
        // What was read is kept; no more is taken now from a device that floods the queue.
        if count == share { operation.cancel() }
      case .waiting(let peripheral, _, .otherOperation):
        printError("\(peripheral.name) is in use; it is read after that")
      case .waiting(let peripheral, _, .linkSlot):
        printError("\(peripheral.name) waits until the radio has room for a connection")
      case .undecided(let record):
        run.held[record.logID] = record
        count += 1
        if count == share { operation.cancel() }
      case .older: run.olderCount += 1
      case .rejected(let refused): printError("no reading: \(refused.message)")
      case .paired(let metadata): run.paired = metadata
      case .ended(let outcome):
        run.outcome = outcome
        await printStored(outcome, inSession: number)
        run.held = await stillHeld(run.held)
        await printHeld(run)
        printOlder(run)
        return run
      }
    }
    return run
  }

  /// Those of some readings that wait for a decision: a device sends again what was released.
  private func stillHeld(_ records: [String: HealthRecord]) async -> [String: HealthRecord] {
    guard !records.isEmpty, let waiting = try? await session?.undecidedRecords() else {
      return records
    }
    let held = Set(waiting.map(\.logID))
    return records.filter { held.contains($0.key) }
  }

  private func printOlder(_ run: Run) {
    guard run.olderCount > 0 else { return }
    printError(
      "\(run.olderCount) readings are older than the pairing of the device, and were set aside: "
        + "\"santorio pair\" with --with-memory takes them, \"santorio queue list older\" shows them"
    )
  }

  /// Says how many readings wait for a decision, and what to do.
  private func printHeld(_ run: Run) async {
    guard let device = run.found, !run.held.isEmpty else { return }
    let enrolled = (try? await receiver.enrolledDevices()) ?? []
    let summary = HeldSummary(
      device: device, records: Array(run.held.values),
      isEnrolled: enrolled.contains(device.identifier),
      ownSlot: try? await receiver.userSlots(of: device.identifier).own)
    summary.lines.forEach(printError)
  }

  /// Prints the readings that are on the disk now.
  private func printStored(_ outcome: BluetoothOutcome, inSession number: Int64?) async {
    guard let session else { return }
    switch outcome {
    case .nothingNew: break
    case .finished(let records), .cancelled(let records): records.forEach(printer.print)
    case .failed(_, let records) where number == nil:
      // Whose they are is not known any more.
      guard !records.isEmpty else { return }
      printError("santorio: \(records.count) readings are not stored, and not printed")
    case .failed(let failure, let records):
      do throws(SessionError) {
        // The reported error may hide one of the disk; records already queued stay queued.
        try await session.submit(records, inSession: number, leavingHeld: true)
        records.forEach(printer.print)
      } catch {
        guard !failure.isOfStorage, !records.isEmpty else { return }
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
      "The device no longer knows this machine. Put it into pairing mode and run "
        + "\"santorio pair\", which offers to remove the old bond and to pair again."
    case .enrolledForAnother:
      "The device belongs to another user of this folder, and may still hold that user's readings: "
        + "delete them on it, then run \"santorio pair --take-over\" to make it this user's."
    case .pairingFailure: "\(message) Run \"santorio pair\"."
    case .notAuthorized:
      "\(message) Run \"santorio pair\", with --key-file for a device that encrypts what it sends."
    case .bluetoothUnavailable:
      "\(message) \"santorio doctor\" shows what is missing and how to fix it."
    default: message
    }
  }
}
