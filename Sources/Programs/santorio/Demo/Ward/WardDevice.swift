// SPDX-License-Identifier: Apache-2.0

import Foundation
import VirtualDevices

/// A device of the ward: whose it is, what is in its memory, and what it measures next.
struct WardDevice: Sendable {
  /// A measurement, and whose it is.
  struct Taken: Sendable {
    /// Nil for a measurement of which the device does not know whose it is.
    let patient: String?
    let measurement: VirtualMeasurement
    let date: Date
  }

  let model: VirtualDeviceModel
  /// What it is there for, in a few words.
  let use: String
  /// Whose it is, with the user as the device labels it.
  let owners: [(patient: String, slot: Int?)]
  /// What it has measured, oldest first; one measurement, of now, where it has no memory.
  let past: [Taken]
  /// Recordings in the device's own form.
  var recordings: [[UInt8]] = []
  var batteryPercent: UInt8?
  var clockOffsetSeconds = 0.0
  /// The least number of seconds between two measurements.
  var secondsBetween = 60.0
  /// What it measures at a time.
  let next: @Sendable (Date) -> Taken

  /// A device of one patient that has measured at some times.
  init(
    _ model: VirtualDeviceModel, _ use: String, of bed: WardStory.Bed, at times: [Date],
    user: UInt8? = nil, _ values: @escaping @Sendable (Date) -> VirtualMeasurement.Values
  ) {
    let next: @Sendable (Date) -> Taken = { date in
      Taken(
        patient: bed.rawValue, measurement: VirtualMeasurement(values(date), user: user),
        date: date)
    }
    self.init(
      model, use, owners: [(patient: bed.rawValue, slot: nil)], past: times.map(next), next: next)
  }

  init(
    _ model: VirtualDeviceModel, _ use: String, owners: [(patient: String, slot: Int?)],
    past: [Taken], next: @escaping @Sendable (Date) -> Taken
  ) {
    self.model = model
    self.use = use
    self.owners = owners
    self.past = past
    self.next = next
  }

  /// How many readings of each patient a first reading finds; nil for those of nobody.
  var readings: [String?: Int] {
    var counts = Dictionary(grouping: past, by: \.patient).mapValues(\.count)
    if !recordings.isEmpty { counts[owners.first?.patient, default: 0] += recordings.count }
    return counts
  }
}
