// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// Takes one reading from a heart rate sensor that sends all the time: the mean rate over 30
/// seconds of unbroken contact with the skin.
///
/// A sensor without contact detection counts as touching while its rate is above 0. Thirty
/// seconds are one of the usual intervals for counting a pulse; a single beat too early or too late
/// then does not show. The times are those of a clock that never goes back.
package struct StableHeartRate: Sendable {
  /// How long the contact must last.
  package static let window = Duration.seconds(30)
  /// How long no rate may come before the contact counts as broken.
  package static let longestGap = Duration.seconds(5)

  private struct Contact {
    let since: Duration
    var last: Duration
    var sum: Int
    var count: Int
  }

  private var contact: Contact?

  package init() {}

  /// Takes the rate of a moment.
  ///
  /// - Parameters:
  ///   - measurement: What the sensor sent.
  ///   - now: The moment.
  /// - Returns: Beats per minute as a whole number, when they are the reading; a new window begins.
  package mutating func add(_ measurement: HeartRateMeasurement, at now: Duration) -> Double? {
    guard measurement.isReading else {
      contact = nil
      return nil
    }
    let rate = Int(measurement.beatsPerMinute)
    guard var contact, now - contact.last <= Self.longestGap else {
      contact = Contact(since: now, last: now, sum: rate, count: 1)
      return nil
    }
    contact.last = now
    contact.sum += rate
    contact.count += 1
    guard now - contact.since >= Self.window else {
      self.contact = contact
      return nil
    }
    self.contact = nil
    return (Double(contact.sum) / Double(contact.count)).rounded()
  }
}
