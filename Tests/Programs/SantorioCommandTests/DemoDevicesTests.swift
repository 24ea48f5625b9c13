// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import santorio

@Suite struct `Devices of the simulated radio` {
  /// Noon of 24 March 2026 in Rome.
  private static let noon = Date(timeIntervalSince1970: 1_774_350_000)

  /// The newest stored measurements, some hours after noon.
  private func morning(hoursAfterNoon hours: Double) throws -> String {
    let zone = try #require(TimeZone(identifier: "Europe/Rome"))
    let now = Self.noon.addingTimeInterval(hours * 3600)
    return "\(DemoDevices.morning(before: now, in: zone))"
  }

  @Test func `Measurements are those of the morning, whatever the hour`() throws {
    for hours in [0, 6, 11.9, 12, 18.4] {
      #expect(try morning(hoursAfterNoon: hours) == "2026-03-24T06:00:00")
    }
    #expect(try morning(hoursAfterNoon: 18.6) == "2026-03-25T06:00:00")
    #expect(try morning(hoursAfterNoon: -5.4) == "2026-03-24T06:00:00")
    #expect(try morning(hoursAfterNoon: -5.6) == "2026-03-23T06:00:00")
    // Summer time begins on 29 March.
    #expect(try morning(hoursAfterNoon: 5 * 24) == "2026-03-29T06:00:00")
  }
}
