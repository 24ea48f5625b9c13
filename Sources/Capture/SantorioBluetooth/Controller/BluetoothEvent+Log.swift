// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCore
import HealthDevices

extension BluetoothEvent {
  /// Logs the event for diagnosis: its kind and numbers, nothing of the reading.
  func log() {
    switch self {
    case .found(let peripheral, _): log("device found", .count("peripheral", peripheral.id))
    case .waiting(let peripheral, _, .otherOperation):
      log("device is in use", .count("peripheral", peripheral.id))
    case .waiting(let peripheral, _, .linkSlot):
      log("no connection is free", .count("peripheral", peripheral.id))
    case .readyToRead(let peripheral):
      log("device is ready to read", .count("peripheral", peripheral.id))
    case .reading(let record): log("reading", .count("metrics", record.metrics.count))
    case .undecided(let record):
      log("reading of an unknown user", .count("metrics", record.metrics.count))
    case .older(let record):
      log("older reading set aside", .count("metrics", record.metrics.count))
    case .rejected: log("no reading")
    case .paired(let metadata):
      log("device paired", .count("peripheral", metadata.peripheral.id))
    case .ended(.finished(let records)): log("finished", .count("readings", records.count))
    case .ended(.nothingNew): log("nothing new")
    case .ended(.cancelled(let records)): log("cancelled", .count("readings", records.count))
    case .ended(.failed(let error, let records)):
      log("failed", .error(named: error.code.name), .count("readings", records.count))
    }
  }

  private func log(_ message: StaticString, _ facts: LogFact...) {
    SantorioLogging.shared.log(.bluetooth, message, facts)
  }
}
