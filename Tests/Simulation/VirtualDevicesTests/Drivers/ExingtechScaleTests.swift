// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import Testing
import VirtualDevices

@Suite struct `An Exingtech Y1` {
  private func values(for user: DeviceUser?) -> [[Metric]] {
    var bench = DriverBench(
      .exingtechY1, VirtualDeviceModel.exingtechY1.make(VirtualClock()), user: user)
    return bench.run().accepted.map(\.values)
  }

  @Test func `computes the body composition for a user whose sex, age and height are known`() {
    let user = DeviceUser(
      dateOfBirth: DateComponents(year: 1990, month: 5, day: 1), sex: .male, heightCentimeters: 160)
    #expect(
      values(for: user) == [
        [
          Metric(.bodyWeight, 68.6), Metric(.bodyFat, 22.9), Metric(.bodyWater, 53.2),
          Metric(.bodyBoneMass, 3.1), Metric(.visceralFat, 10),
        ]
      ])
  }

  @Test(arguments: [
    nil, DeviceUser(sex: .male, heightCentimeters: 160),
    DeviceUser(dateOfBirth: DateComponents(year: 1990, month: 5, day: 1), sex: .male),
  ])
  func `gives the weight alone for any other user`(user: DeviceUser?) {
    #expect(values(for: user) == [[Metric(.bodyWeight, 68.6)]])
  }
}
