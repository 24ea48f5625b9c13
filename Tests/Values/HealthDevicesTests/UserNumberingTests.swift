// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Testing

@Suite struct `Numbering of a device's users` {
  @Test(arguments: [
    (UserNumbering.from(0, sources: ["a"]), 0, 1 as Int?), (.from(0, sources: ["a"]), 1, 2),
    (.from(1, sources: ["a"]), 1, 1), (.from(1, sources: ["a"]), 0, nil),
    (.from(0, sources: ["a"]), -1, nil), (.notPublic, 1, nil),
    (.from(0, sources: []), .max, nil),
  ])
  func `gives what the device shows`(numbering: UserNumbering, slot: Int, label: Int?) {
    #expect(numbering.label(of: slot) == label)
  }

  @Test(arguments: [
    (UserNumbering.from(0, sources: ["a"]), 1, 0 as Int?), (.from(0, sources: ["a"]), 0, nil),
    (.from(1, sources: ["a"]), 2, 2), (.notPublic, 0, 0), (.notPublic, 7, 7), (.notPublic, -1, nil),
    (.from(2, sources: []), .max, nil),
  ])
  func `takes what the device shows, or the number where that is not public`(
    numbering: UserNumbering, label: Int, slot: Int?
  ) {
    #expect(numbering.slot(labeled: label) == slot)
  }

  @Test func `is known of the devices of which a public source says it`() {
    #expect(DeviceModel.beurerBM54.userNumbering?.first == 0)
    #expect(DeviceModel.beurerBM85.userNumbering?.first == 0)
    #expect(DeviceModel.taiDocGlucose.userNumbering?.first == 1)
    #expect(DeviceModel(id: 10522)?.userNumbering?.first == 1)
    #expect(DeviceModel.genericBloodPressure.userNumbering == .notPublic)
    // Which of its drivers reads a device is not known beforehand.
    #expect(DeviceModel.omronMemory.userNumbering == .notPublic)
    #expect(DeviceModel.genericThermometer.userNumbering == nil)
    for entry in DeviceCatalogue.standard.entries {
      guard let numbering = entry.userNumbering, numbering.first != nil else { continue }
      #expect(!numbering.sources.isEmpty, "\(entry.name)")
    }
  }

  @Test func `can be an entry's own`() {
    var entry = DeviceModel.genericBloodPressure
    entry.userNumbering = .from(0, sources: ["The app's own manual"])
    #expect(entry.userNumbering?.first == 0)
    entry.userNumbering = nil
    #expect(entry.userNumbering == .notPublic)
  }
}
