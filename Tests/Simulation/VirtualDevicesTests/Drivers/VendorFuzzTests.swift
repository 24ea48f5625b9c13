// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing
import VirtualDevices

/// SplitMix64: the same numbers in every run.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func octets() -> [UInt8] {
    (0..<Int.random(in: 0...20, using: &self)).map { _ in .random(in: 0...255, using: &self) }
  }
}

/// A device that damages one in four of the values that it sends, and sends some of its own making.
private struct FaultyDevice: VirtualDeviceLogic {
  var device: any VirtualDeviceLogic
  var generator: SeededGenerator

  var services: [VirtualService] { device.services }
  var isAdvertising: Bool { device.isAdvertising }
  var deadline: Duration? { device.deadline }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    device.handle(input, at: time).flatMap { output -> [VirtualDeviceOutput] in
      guard case .send(let attribute, var octets) = output else { return [output] }
      switch Int.random(in: 0..<16, using: &generator) {
      case 0: return []
      case 1 where !octets.isEmpty:
        octets[Int.random(in: 0..<octets.count, using: &generator)] ^= 0x10
        return [.send(attribute, octets)]
      case 2: return [.send(attribute, generator.octets()), output]
      case 3: return [output, output]
      default: return [output]
      }
    }
  }
}

@Suite struct `Vendors' devices on a bad day` {
  private static let pairs: [(DriverModel, VirtualDeviceModel)] = [
    (.oneTouch, .oneTouchVerioFlex), (.oneTouch, .oneTouchSelectPlusFlex),
    (.taiDoc, .taiDocGlucose), (.taiDoc, .taiDocBloodPressure), (.taiDoc, .taiDocThermometer),
    (.taiDoc, .taiDocOximeter), (.bioland, .biolandG500),
  ]

  /// What makes a reading what it is.
  private struct Taken: Hashable {
    let values: [MeasuredValue]
    let clock: DeviceReading.Clock?
    let sequenceNumber: Int?
  }

  private func taken(_ bench: inout DriverBench) -> [Taken] {
    bench.run().accepted.map {
      Taken(values: $0.values, clock: $0.clock, sequenceNumber: $0.sequenceNumber)
    }
  }

  /// Frames have checks, so that damage is seen: what arrives is right, and with patience all of it does.
  @Test(arguments: pairs)
  func `give what they have in the end, and nothing else`(
    driver: DriverModel, model: VirtualDeviceModel
  ) {
    var soundBench = DriverBench(driver, model)
    let expected = Set(taken(&soundBench))
    for seed in 0..<50 {
      let faulty = FaultyDevice(
        device: model.make(VirtualClock()), generator: SeededGenerator(state: UInt64(seed)))
      var bench = DriverBench(driver, faulty)
      var seen: Set<Taken> = []
      for _ in 0..<20 where seen != expected { seen.formUnion(taken(&bench)) }
      #expect(seen == expected, "seed \(seed)")
    }
  }

  @Test(arguments: [
    DriverModel.oneTouch, .taiDoc, .bioland, .kinsa, .jumperThermometer, .aojThermometer,
    .aetThermometer,
  ])
  func `send anything at all without harm`(driver: DriverModel) throws {
    let attribute = try #require(driver.required.last)
    var generator = SeededGenerator(state: 20_260_329)
    for _ in 0..<200 {
      var dialogue = DriverDialogue(driver)
      _ = dialogue.begin(attribute)
      var isOver = false
      for _ in 0..<50 {
        let actions = dialogue.tell(.value(attribute, generator.octets())) + (dialogue.wait() ?? [])
        #expect(actions.isEmpty || !isOver)
        #expect(actions.count < 10)
        isOver = isOver || actions.contains { $0 == .finish || $0.failure != nil }
      }
    }
  }

  @Test(arguments: pairs)
  func `are written anything at all without harm`(driver: DriverModel, model: VirtualDeviceModel)
    throws
  {
    let attribute = try #require(driver.required.first)
    let reply = try #require(driver.required.last)
    var generator = SeededGenerator(state: 20_260_330)
    var device = model.make(VirtualClock())
    _ = device.handle(.subscribed(reply), at: DriverBench.noon)
    for _ in 0..<5000 {
      let outputs = device.handle(.written(attribute, generator.octets()), at: DriverBench.noon)
      #expect(outputs.count < 5)
    }
  }
}
