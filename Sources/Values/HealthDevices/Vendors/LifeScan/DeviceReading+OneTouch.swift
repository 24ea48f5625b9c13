// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DeviceReading {
  /// What meters by LifeScan can measure, in mg/dL; beyond it they show LO and HI.
  private static let oneTouchRange: ClosedRange<UInt16> = 20...600

  /// A record of a OneTouch meter; nil where its memory has none of that number.
  package init?(oneTouch reply: OneTouchReply, id: UInt16) {
    do throws(PayloadError) {
      guard let record = try reply.record() else { return nil }
      self.init(record)
    } catch {
      self.init(error, payload: reply.body)
    }
    sequenceNumber = Int(id)
  }

  private init(_ record: OneTouchRecord) {
    let payload = record.payload
    if record.isControlSolution {
      self.init(
        rejected: .control, "The control solution was tested. It is no reading.", payload: payload)
    } else if record.milligramsPerDeciliter == 0 {
      self.init(
        rejected: .failedMeasurement, "The meter has no value for this test. Test again.",
        payload: payload)
    } else {
      self.init(glucose: record.milligramsPerDeciliter, range: Self.oneTouchRange, payload: payload)
      mealRelationship = record.meal?.relation
    }
    clock = .local(record.dateTime)
  }

  /// A concentration of glucose in mg/dL; one beyond the meter's range is a bound.
  init(glucose: UInt16, range: ClosedRange<UInt16>, payload: [UInt8]) {
    self = Self.glucose(
      Double(glucose), within: Double(range.lowerBound)...Double(range.upperBound))
    self.payload = payload
  }
}

extension OneTouchRecord.Meal {
  fileprivate var relation: MealRelationship? {
    switch self {
    case .none: nil
    case .before: .before
    case .after: .after
    }
  }
}
