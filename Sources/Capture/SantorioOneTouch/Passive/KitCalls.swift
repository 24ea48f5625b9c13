// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

/// The kit's manager without its type.
///
/// The kit's objects need not be `Sendable`: these closures are called on the kit's queue only.
struct KitCalls: @unchecked Sendable {
  /// Has the kit set clocks.
  let setClocks: () -> Void
  /// The meters that the kit knows, paired or not.
  let devices: () -> [KitMeter]
}

/// A meter of the kit without its type.
///
/// The kit's objects need not be `Sendable`: these closures are called on the kit's queue only.
struct KitMeter: @unchecked Sendable {
  let meter: OneTouchMeter
  let isPaired: () -> Bool
  let connect: () -> Void
  let disconnect: () -> Void
  /// Reads what follows an anchor in its stored form, and converts it where the kit delivers it.
  let read: (Data?, OneTouchConversion, @escaping @Sendable (KitAnswer) -> Void) -> Void
}

/// What the kit has answered.
struct KitAnswer: Sendable {
  let results: [KitResult]
  /// The stored form of the next anchor; nil where the kit gave none.
  let anchor: Data?
  let error: OneTouchError?
}

/// A result of a meter.
enum KitResult: Sendable {
  case reading(HealthRecord)
  case rejected(RejectedOneTouchReading)

  /// What is stored.
  var record: HealthRecord {
    switch self {
    case .reading(let record): record
    case .rejected(let rejection): rejection.record
    }
  }

  /// By what it is recognised when the kit gives it again: a mark that the user has changed since
  /// makes it new.
  var key: String {
    let facts = "\(record.logID)\n\(record.mealRelationship?.rawValue ?? "-")"
    return String(RecordIdentity(device: facts, metrics: []).logID.prefix(16))
  }
}

extension KitCalls {
  /// - Parameter manager: The kit's manager.
  init<Manager: OneTouchKitManager>(_ manager: Manager) {
    setClocks = { manager.autoClockSync = true }
    devices = { manager.devices.map { KitMeter($0, of: manager) } }
  }
}

extension KitMeter {
  /// Erases the type of a meter.
  ///
  /// - Parameters:
  ///   - device: The meter.
  ///   - manager: The kit's manager.
  init<Manager: OneTouchKitManager>(_ device: Manager.Device, of manager: Manager) {
    meter = device.meter
    isPaired = { device.isPaired }
    connect = { manager.connect(device) }
    disconnect = { manager.disconnect(device) }
    read = { stored, conversion, completion in
      let meter = device.meter
      device.getGlucoseRecords(anchor: Self.anchor(stored, of: device), filterType: nil) {
        _, anchor, records, error in
        let stored = anchor.map { anchor in try? JSONEncoder().encode([anchor]) }
        let isUnusable = stored.map { $0 == nil } ?? false
        completion(
          KitAnswer(
            results: (records ?? []).map { KitResult($0, from: meter, conversion) },
            // Without a list nothing was read up to it.
            anchor: records == nil ? nil : stored ?? nil,
            error: error.map { OneTouchError(kit: $0) } ?? (isUnusable ? .anchor : nil)))
      }
    }
  }

  /// An anchor from its stored form; nil, which reads all, for one that is not of the kit's type any
  /// more.
  private static func anchor<Device: OneTouchKitDevice>(
    _ stored: Data?, of device: Device
  ) -> Device.Anchor? {
    stored.flatMap { try? JSONDecoder().decode([Device.Anchor].self, from: $0) }?.first
  }
}

extension KitResult {
  /// Converts a result of the kit.
  fileprivate init(
    _ reading: some OneTouchKitReading, from meter: OneTouchMeter, _ conversion: OneTouchConversion
  ) {
    do throws(RejectedOneTouchReading) {
      self = .reading(try conversion.record(of: reading, from: NamedMeter(meter)))
    } catch {
      self = .rejected(error)
    }
  }
}

/// A meter by its name alone.
private struct NamedMeter: OneTouchKitMeter {
  let meterSerialNumber: String
  let meterModel: String?

  init(_ meter: OneTouchMeter) {
    meterSerialNumber = meter.serialNumber
    meterModel = meter.model
  }
}
