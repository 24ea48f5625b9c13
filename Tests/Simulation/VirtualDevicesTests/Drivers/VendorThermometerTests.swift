// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Drivers of thermometers without a memory` {
  private static let all: [(DriverModel, VirtualDeviceModel)] = [
    (.kinsa, .kinsaQuickCare), (.jumperThermometer, .jumperJPDFR), (.aojThermometer, .aoj20A),
    (.aetThermometer, .aetWD),
  ]

  @Test(arguments: all)
  func `wait for the result`(driver: DriverModel, device: VirtualDeviceModel) {
    var bench = DriverBench(driver, device)
    let result = bench.run()

    #expect(result.isReady)
    #expect(result.readings.map(\.values) == [[.init(.bodyTemperature, 36.5)]])
    #expect(result.readings.first?.clock == .age(0))
    #expect(result.end == .finish)
    // Three seconds to measure, four to be quiet.
    #expect(result.elapsed == .seconds(7))
    #expect(result.accepted.count == device.readingCount)
  }

  @Test(arguments: all)
  func `take measurements one after the other`(
    driver: DriverModel, device: VirtualDeviceModel
  ) {
    var bench = DriverBench(driver, device)
    bench.press(.measure(number: 1))
    let first = bench.run()
    bench.press(.measure(number: 2))
    let second = bench.run()

    #expect(first.readings.map { $0[.bodyTemperature] } == [36.5, 36.8])
    #expect(second.readings.map { $0[.bodyTemperature] } == [37.1])
  }

  @Test(arguments: all)
  func `are paired when data arrives`(driver: DriverModel, device: VirtualDeviceModel) {
    var bench = DriverBench(driver, device, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.end == .finish)
  }

  @Test func `treat a repeated result as the same`() {
    var dialogue = DriverDialogue(.kinsa)
    _ = dialogue.begin(.kinsaMessage)
    let result = DriverEvent.value(.kinsaMessage, [0x46, 0x00, 0x01, 0x72])

    #expect(dialogue.report(result).count == 1)
    #expect(dialogue.report(result).isEmpty)
    #expect(dialogue.wait() == [.finish])
    #expect(dialogue.wait() == nil)
  }

  @Test(arguments: [
    (DriverModel.kinsa, GATTAttribute.kinsaMessage, [0x07, 0x00] as [UInt8]),
    (.jumperThermometer, .jumperTemperature, [0xE0, 0x21, 0x0E, 0x42]),
    (.aetThermometer, .aetTemperature, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0]),
  ])
  func `report a failed measurement`(model: DriverModel, attribute: GATTAttribute, bytes: [UInt8]) {
    var dialogue = DriverDialogue(model)
    _ = dialogue.begin(attribute)
    let actions = dialogue.report(.value(attribute, bytes))

    #expect(actions.map(\.reading?.rejection?.reason) == [.failedMeasurement])
  }

  @Test func `reject the temperature of an object`() {
    var dialogue = DriverDialogue(.aojThermometer)
    _ = dialogue.begin(.aojMessage)
    let object: [UInt8] = [0xAA, 0x01, 0xC1, 0x05, 0x0E, 0x42, 0x04, 0x00]
    let actions = dialogue.report(.value(.aojMessage, object))

    #expect(actions.map(\.reading?.rejection?.reason) == [.noSignal])
    #expect(actions.first?.reading?.values.isEmpty == true)
  }

  @Test func `report where the temperature was taken`() {
    var jumper = DriverBench(.jumperThermometer, .jumperJPDFR)
    var aoj = DriverBench(.aojThermometer, .aoj20A)

    #expect(jumper.run().readings.map(\.findings) == [[.init("sample_location", "forehead")]])
    #expect(aoj.run().readings.map(\.findings) == [[.init("sample_location", "ear")]])
  }

  @Test(arguments: all)
  func `ignore garbage and keep waiting`(driver: DriverModel, device: VirtualDeviceModel) throws {
    let attribute = try #require(driver.required.first)
    var dialogue = DriverDialogue(driver)
    _ = dialogue.begin(attribute)

    #expect(dialogue.report(.value(attribute, [])).isEmpty)
    #expect(dialogue.report(.value(attribute, [0x46, 0x01])).isEmpty)
    #expect(dialogue.wait() == nil)
  }

  @Test func `fail when the device refuses to send`() {
    var dialogue = DriverDialogue(.kinsa)
    _ = dialogue.report(.begun)
    let actions = dialogue.report(.subscriptionFailed(.kinsaMessage, RequestFailure(code: 5)))

    #expect(actions.map(\.failure) == [.communication])
  }
}

extension DriverAction {
  /// The reading that is delivered.
  fileprivate var reading: DeviceReading? {
    guard case .deliver(let reading) = self else { return nil }
    return reading
  }
}
