// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioCore

extension ReadingRecord {
  /// The record of a reading, which can be stored.
  ///
  /// One that no record can hold does not keep the others from being stored.
  func storable(
    _ reading: DeviceReading, at date: Date
  ) -> Result<HealthRecord, RejectedReading> {
    do throws(RejectedReading) {
      let record = try record(of: reading, at: date)
      try record.validate(asOf: reading)
      SantorioLogging.shared.log(.bluetooth, "record made")
      return .success(record)
    } catch {
      return .failure(error)
    }
  }
}

extension HealthRecord {
  fileprivate func validate(asOf reading: DeviceReading) throws(RejectedReading) {
    do throws(RecordError) {
      try validate()
    } catch {
      throw RejectedReading(
        reason: .malformed, message: error.description, frame: reading.payload)
    }
  }
}

extension RejectedReading {
  /// Whether it is kept: what was measured of nobody is not, and what is another user's stays on the
  /// device.
  var isKept: Bool { reason != .noSignal && reason != .otherUser }
}
