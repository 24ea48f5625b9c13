// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

// The points of a series, apart from the forms that write them.
extension HealthRecord {
  /// What a point of a series is called within its record, the same whenever the point is converted.
  ///
  /// Of a Bluetooth device it is the distance from the record's start in milliseconds (`900000ms`):
  /// reading the device again may move the start, by another drift or another receipt, and with it
  /// all points. Other sources know when a point was; they move the start when an earlier point is
  /// added, and so it is the time (`2018-04-17T13:51:00Z`).
  func pointName(at time: Date) -> String {
    guard source.type == .bluetooth else { return FHIRTime(utcOffsetSeconds: nil).text(time) }
    return "\(time.millisecondsSince1970 - self.time.start.millisecondsSince1970)ms"
  }
}

extension Date {
  /// The time as the forms write it; the nearest that an integer holds.
  fileprivate var millisecondsSince1970: Int {
    Int((min(max(timeIntervalSince1970, -1e12), 1e12) * 1000).rounded())
  }

  /// The distance from another time in seconds, to a millisecond.
  func secondsSince(_ other: Date) -> Double {
    Double(millisecondsSince1970 - other.millisecondsSince1970) / 1000
  }

  /// The same rounded to milliseconds, so that points at a distance of some are so when written.
  package var roundedToMilliseconds: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}
