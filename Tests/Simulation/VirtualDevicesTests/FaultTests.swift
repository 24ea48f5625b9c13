// SPDX-License-Identifier: Apache-2.0

public import HealthDevices
import HealthGATT
import TestSupport
public import Testing
public import VirtualDevices
import HealthRecords

@Suite struct `Faulty devices` {
  private static let scales: [(DriverModel, VirtualDeviceModel)] = [
    (.renphoScale, .renphoMSC04), (.qnScale, .qnES26M), (.hutbit, .hutbit),
    (.icomonScale, .runstarR6), (.koogeekS1, .koogeekS1),
  ]

  /// Their frames have checks, so that a damaged weight is never taken for one.
  @Test(arguments: scales)
  func `report the right weight or nothing`(driver: DriverModel, model: VirtualDeviceModel) {
    var sound = DriverBench(driver, model)
    let weight = sound.run().readings.first?[.bodyWeight]
    var reported = 0
    for seed in 0..<200 {
      var bench = DriverBench(driver, FaultyDevice(model, seed: UInt64(seed)))
      let readings = bench.run(limit: .seconds(60)).accepted
      #expect(readings.allSatisfy { $0[.bodyWeight] == weight }, "seed \(seed)")
      #expect(readings.count <= 1, "seed \(seed)")
      reported += readings.count
    }
    #expect(reported > 100)
  }

  private static let memories: [(DriverModel, VirtualDeviceModel)] = [
    (.oneTouch, .oneTouchVerioFlex), (.oneTouch, .oneTouchSelectPlusFlex),
    (.taiDoc, .taiDocGlucose), (.taiDoc, .taiDocBloodPressure), (.taiDoc, .taiDocThermometer),
    (.taiDoc, .taiDocOximeter), (.bioland, .biolandG500),
  ]

  /// What makes a reading what it is.
  private struct Taken: Hashable {
    let values: [Metric]
    let clock: DeviceReading.Clock?
    let sequenceNumber: Int?
  }

  private func taken(_ bench: inout DriverBench) -> [Taken] {
    bench.run().accepted.map {
      Taken(values: $0.values, clock: $0.clock, sequenceNumber: $0.sequenceNumber)
    }
  }

  /// Frames have checks, so that damage is seen: what arrives is right, and with timeout all of it
  /// does.
  @Test(arguments: memories)
  func `eventually give their readings, and nothing else`(
    driver: DriverModel, model: VirtualDeviceModel
  ) {
    var sound = DriverBench(driver, model)
    let expected = Set(taken(&sound))
    for seed in 0..<50 {
      var bench = DriverBench(driver, FaultyDevice(model, seed: UInt64(seed)))
      var seen: Set<Taken> = []
      for _ in 0..<20 where seen != expected { seen.formUnion(taken(&bench)) }
      #expect(seen == expected, "seed \(seed)")
    }
  }

  @Test func `may broadcast anything without harm`() {
    var generator = SeededGenerator(seed: 20_260_401)
    let models: [BroadcastModel] = [
      .miScale, .miBodyScale, .xiaomiS400, .qnScale, .etekcity, .okokV20,
    ]
    for model in models {
      var driver = model.make(
        DriverContext(
          attributes: [], secrets: [.bindKey: VirtualDeviceModel.s400Secret]))
      var time = DriverBench.noon
      for _ in 0..<5_000 {
        time.elapsed += .milliseconds(300)
        time.secondsSince1970 += 0.3
        let bytes = generator.bytes(0...22)
        let advertisement = Advertisement(
          serviceData: ["181D": bytes, "181B": bytes, "FE95": bytes], manufacturerData: bytes)
        _ = model.matches(advertisement)
        #expect(driver.handle(advertisement, at: time).count < 5)
        if let deadline = driver.deadline, deadline <= time.elapsed {
          _ = driver.timeReached(at: time)
        }
      }
    }
  }

  /// A trap would end the test process.
  @Test(arguments: VirtualDeviceModel.all)
  func `accept any write without harm`(model: VirtualDeviceModel) {
    var generator = SeededGenerator(seed: 20_260_402)
    var device = model.make(VirtualClock())
    let attributes = device.services.flatMap { service in
      service.characteristics.map { GATTAttribute(service.uuid, $0.uuid) }
    }
    for attribute in attributes {
      _ = device.handle(.subscribed(attribute), at: DriverBench.noon)
    }
    for _ in 0..<500 {
      for attribute in attributes {
        let bytes = generator.bytes(0...22)
        let answer = device.handle(.written(attribute, bytes), at: DriverBench.noon)
        #expect(answer.count < 500)
      }
    }
  }
}

extension DriverModel: CustomTestStringConvertible {
  /// The name in the table.
  public var testDescription: String { id }
}

extension VirtualDeviceModel: CustomTestStringConvertible {
  /// The name by which it is simulated.
  public var testDescription: String { id }
}
