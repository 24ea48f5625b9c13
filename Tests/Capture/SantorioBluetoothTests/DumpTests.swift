// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import HealthRecords
import Testing

@testable import SantorioBluetooth

@Suite struct `Dump of a rejected reading` {
  @Test func `shows none of its bytes`() {
    let rejected = RejectedReading(reason: .control, message: "A test.", frame: [0xCA, 0xFE])
    var output = ""
    dump([rejected], to: &output)
    dump(BluetoothEvent.rejected(rejected), to: &output)
    let reading = DeviceReading([Metric(.bodyTemperature, 202)], payload: [0xCA, 0xFE])
    dump(reading, to: &output)
    dump(
      [DriverAction.deliver(reading), .keep(.password, [0xCA]), .write(.currentTime, [0xFE])],
      to: &output)
    dump(DriverEvent.value(.currentTime, [0xCA, 0xFE]), to: &output)
    dump(
      DriverContext(
        attributes: [], secrets: [.password: [0xFE]], user: DeviceUser(heightCentimeters: 202)),
      to: &output)
    output += "\(reading) \(DriverAction.keep(.password, [0xCA]))"
    output += "\(DriverEvent.value(.currentTime, [0xFE])) \(DriverAction.deliver(reading))"
    #expect(!output.contains("202") && !output.contains("254"))
    #expect(output.contains("control: A test."))
  }
}
