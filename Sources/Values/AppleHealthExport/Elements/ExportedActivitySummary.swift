// SPDX-License-Identifier: Apache-2.0

/// What the activity rings of a day show.
package struct ExportedActivitySummary: Hashable, Sendable {
  /// An amount and the goal for it.
  package struct Ring: Hashable, Sendable {
    package var amount: Double?
    package var goal: Double?

    package init(amount: Double? = nil, goal: Double? = nil) {
      self.amount = amount
      self.goal = goal
    }
  }

  /// The day as the export writes it, `2016-11-15`; nil when there is none.
  package var day: ExportedDay?
  package var activeEnergy = Ring()
  package var activeEnergyUnit: InternedString?
  /// Minutes; version 11 of the format renamed it.
  package var moveTime = Ring()
  /// Minutes.
  package var exerciseTime = Ring()
  package var standHours = Ring()
  /// The offset of its first byte in the document.
  package var offset = 0
}

/// A day of the calendar.
package struct ExportedDay: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }
}

/// What stands before the samples.
package struct ExportedHeader: Hashable, Sendable {
  /// The version of the format that the document type states, 3...14 so far.
  package var version: Int?
  /// The locale of the phone, `en_US`.
  package var locale: String?
  package var exported: ExportedInstant?
  /// The person's characteristics: `HKCharacteristicTypeIdentifierBloodType` to its value.
  package var characteristics: [String: String] = [:]
}
