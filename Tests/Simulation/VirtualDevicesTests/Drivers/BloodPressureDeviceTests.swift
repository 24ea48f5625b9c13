// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

/// The drivers of blood pressure monitors and a device of each.
private let pairs: [(driver: DriverModel, device: VirtualDeviceModel)] = [
  (.beurerBloodPressure, .bm85), (.bloodPressureProfile, .bu540),
  (.omronBloodPressure, .hem9200T), (.omronBloodPressure, .bp5250), (.omronBloodPressure, .bp7900),
  (.qardioArm, .qardioArm), (.omronClassicMemory, .hem7322T),
  (.omronClassicMemory, .hem7600T), (.omronModernMemory, .hem7142T2), (.viatomBP2, .bp2),
  (.microlife, .bp3GY1), (.transtekBloodPressure, .rpmBP100), (.yonkerBloodPressure, .ykIBPA1),
  (.samicoBloodPressure, .phbpb20), (.jumperBloodPressure, .jpdHA120),
  (.andesFitBloodPressure, .adfB19),
]

@Suite struct `Virtual blood pressure monitors` {
  @Test(arguments: pairs.indices)
  func `have as many readings as stated`(index: Int) {
    var bench = DriverBench(pairs[index].driver, pairs[index].device)

    #expect(bench.run().accepted.count == pairs[index].device.readingCount)
  }

  @Test(arguments: pairs.indices)
  func `can take measurements`(index: Int) {
    var bench = DriverBench(pairs[index].driver, pairs[index].device)
    _ = bench.run()
    bench.press(.measure(number: 6))

    let pressures = bench.run().accepted.map(\.pressures)

    #expect(pressures.contains([116, 74, 66]))
  }

  @Test(arguments: pairs.indices)
  func `have all attributes required by their driver`(index: Int) {
    let device = pairs[index].device.make(VirtualClock())
    let attributes = device.services.flatMap { service in
      service.characteristics.map { GATTAttribute(service.uuid, $0.uuid) }
    }

    #expect(Set(pairs[index].driver.required).isSubset(of: attributes))
  }

  @Test func `are all listed as models`() {
    let known = Set(VirtualDeviceModel.all.map(\.id))

    #expect(known.count == VirtualDeviceModel.all.count)
    #expect(known.isSuperset(of: pairs.map(\.device.id)))
  }
}
