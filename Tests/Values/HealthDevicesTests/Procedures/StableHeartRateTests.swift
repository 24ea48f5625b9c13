// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

@Suite struct `Stable heart rate` {
  @Test func `is the mean of thirty seconds of contact`() {
    var stable = StableHeartRate()
    for second in 0..<30 {
      let measurement = HeartRateMeasurement(
        beatsPerMinute: second < 15 ? 60 : 63, sensorContact: .detected)
      #expect(stable.add(measurement, at: .seconds(second)) == nil)
    }
    let last = HeartRateMeasurement(beatsPerMinute: 63, sensorContact: .detected)

    // 15 times 60, 16 times 63: 61.5.
    #expect(stable.add(last, at: .seconds(30)) == 62)
    #expect(stable.add(last, at: .seconds(31)) == nil)
  }

  @Test(arguments: [
    HeartRateMeasurement(beatsPerMinute: 63, sensorContact: .notDetected),
    HeartRateMeasurement(beatsPerMinute: 0, sensorContact: .detected),
  ])
  func `begins again when the contact breaks`(broken: HeartRateMeasurement) {
    var stable = StableHeartRate()
    let sound = HeartRateMeasurement(beatsPerMinute: 63)
    for second in 0..<29 { #expect(stable.add(sound, at: .seconds(second)) == nil) }
    #expect(stable.add(broken, at: .seconds(29)) == nil)
    for second in 30..<60 { #expect(stable.add(sound, at: .seconds(second)) == nil) }
    #expect(stable.add(sound, at: .seconds(60)) == 63)
  }

  @Test func `begins again after a gap of more than five seconds`() {
    var stable = StableHeartRate()
    let sound = HeartRateMeasurement(beatsPerMinute: 63)
    #expect(stable.add(sound, at: .seconds(0)) == nil)
    #expect(stable.add(sound, at: .seconds(31)) == nil)
    #expect(stable.add(sound, at: .seconds(32)) == nil)
  }
}
