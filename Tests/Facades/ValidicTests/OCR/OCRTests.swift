// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import Testing
import ValidicCore

@testable import ValidicOCR

@Suite struct `Displays under Validic's names` {
  @Test func `are listed, found by number and by type`() throws {
    let all = try #require(VLDOCRPeripheral.supportedPeripherals() as? [VLDOCRPeripheral])
    #expect(!all.isEmpty)
    #expect(all.allSatisfy { VLDOCRPeripheral(forID: $0.peripheralID) == $0 })
    #expect(VLDOCRPeripheral(forID: 1)?.type == .bloodPressure)
    #expect(VLDOCRPeripheral(forID: 3)?.type == .glucoseMeter)
    #expect(VLDOCRPeripheral(forID: 9)?.type == .glucoseMeter)
    #expect(VLDOCRPeripheral(forID: 1234) == nil && VLDOCRPeripheral(forID: .max) == nil)
    let meters = VLDOCRPeripheral.peripherals(of: .glucoseMeter) as? [VLDOCRPeripheral]
    #expect(meters?.map(\.peripheralID) == [3, 9])
    #expect(VLDOCRPeripheral.connectionType() == "ocr")
    #expect(VLDOCRPeripheral(forID: 3)?.record() is VLDDiabetes)
  }

  @Test func `are archived by their number`() throws {
    let peripheral = try #require(VLDOCRPeripheral(forID: 3))
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: peripheral, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: VLDOCRPeripheral.self, from: archive)
    #expect(read == peripheral && read?.name() == peripheral.name())
  }

  @Test func `know the units of a display`() {
    #expect(VLDGlucoseUnit.MGDL.displayUnit == .milligramsPerDecilitre)
    #expect(VLDGlucoseUnit.MMOLL.displayUnit == .millimolesPerLitre)
    #expect(VLDTemperatureUnit.celsius.displayUnit == .celsius)
    #expect(VLDTemperatureUnit.fahrenheit.displayUnit == .fahrenheit)
  }
}
