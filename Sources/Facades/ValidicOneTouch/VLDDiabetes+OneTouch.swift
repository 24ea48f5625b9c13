// SPDX-License-Identifier: Apache-2.0

import HealthRecords
public import SantorioOneTouch
public import ValidicCore

extension VLDDiabetes {
  /// Makes a record of a result that LifeScan's kit has read.
  ///
  /// A result that is no reading of a patient, for instance one of control solution, makes a record
  /// without a value of the kind `rejected_reading`, which is no measurement anywhere.
  ///
  /// - Parameters:
  ///   - record: The kit's `BloodGlucoseRecord`, which conforms to `OneTouchKitReading` by an
  ///     extension of the app's.
  ///   - device: The kit's `OneTouchDevice`, which conforms to `OneTouchKitMeter` in the same way.
  public convenience init(record: some OneTouchKitReading, device: some OneTouchKitMeter) {
    let content: HealthRecord
    do throws(RejectedOneTouchReading) {
      content = try OneTouchConversion().record(of: record, from: device)
    } catch {
      content = error.record
    }
    self.init(content)
  }
}
