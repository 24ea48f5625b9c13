// SPDX-License-Identifier: Apache-2.0

package import CivilCalendar
import HealthGATT

/// A device whose stored measurements have times, which can be moved.
protocol DatedMemory: VirtualDeviceLogic {
  /// The times of the stored measurements that have one, in seconds since 1970 on the device's clock.
  var measurementTimes: [Int] { get }

  /// Moves the times of all stored measurements that have one.
  mutating func moveMeasurements(bySeconds seconds: Int)
}

extension VirtualDeviceModel {
  /// The same model with its stored measurements moved in time, by the same number of seconds each.
  ///
  /// Frames that were captured years ago can be shown as if they had been measured today. A measurement
  /// without a time does not change.
  ///
  /// - Parameter time: The time of the newest measurement, as the device's clock shows it.
  /// - Returns: The model.
  package func withNewestMeasurement(at time: LocalDateTime) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: summary, peripheralID: peripheralID, advertisedName: advertisedName,
      advertisedServices: advertisedServices, readingCount: readingCount
    ) { [make] clock in
      let logic = make(clock)
      guard var dated = logic as? any DatedMemory, let wanted = time.secondsSince1970,
        let newest = dated.measurementTimes.max()
      else { return logic }
      dated.moveMeasurements(bySeconds: wanted - newest)
      return dated
    }
  }
}

extension Timestamp {
  /// The time some seconds later; the same if it is no possible date.
  func moved(bySeconds seconds: Int) -> Timestamp {
    guard let shown = dateTime?.secondsSince1970,
      let moved = DateTime(secondsSince1970: shown + seconds)
    else { return self }
    return Timestamp(moved)
  }
}

extension [UInt8] {
  /// The Date Time (2A08) at an offset, in seconds since 1970; nil for an impossible date.
  func seconds(at offset: Int) -> Int? {
    guard count >= offset + Timestamp.byteCount else { return nil }
    return (try? DateTime(payload: self[offset..<(offset + Timestamp.byteCount)]))?.secondsSince1970
  }

  /// Moves the Date Time (2A08) at an offset, unless it is an impossible date.
  mutating func moveTime(at offset: Int, bySeconds seconds: Int) {
    guard let shown = self.seconds(at: offset),
      let moved = DateTime(secondsSince1970: shown + seconds)
    else { return }
    replaceSubrange(offset..<(offset + Timestamp.byteCount), with: moved.payload)
  }

  /// True if the flags of a measurement of the SIG's profiles announce a time stamp.
  ///
  /// It is bit 1 in Blood Pressure, Temperature, Weight and Body Composition Measurement.
  var hasTimestamp: Bool { (first ?? 0) & 0x02 != 0 }
}
