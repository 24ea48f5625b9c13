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
    (0..<Int.random(in: 0...22, using: &self)).map { _ in .random(in: 0...255, using: &self) }
  }
}

/// A scale whose link drops, doubles and damages values, and adds some of its own making.
private struct FaultyScale: VirtualDeviceLogic {
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
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: return []
      case 1:
        octets[Int.random(in: 0..<octets.count, using: &generator)] ^= 0x10
        return [.send(attribute, octets)]
      case 2: return [.send(attribute, generator.octets()), output]
      case 3: return [output, output]
      default: return [output]
      }
    }
  }
}

extension DriverAction {
  fileprivate var isForbidden: Bool {
    guard case .write(let attribute, let octets) = self else { return false }
    return ForbiddenCommand.first(writing: octets, to: attribute) != nil
  }
}

@Suite struct `Scales on a bad day` {
  private static let drivers: [DriverModel] = [
    .renphoScale, .qnScale, .qnScaleFFE0, .hutbit, .icomonScale, .koogeekS1, .samicoScale,
    .etekcityESF551, .oneByone, .yunmai, .transtekScale, .adeScale, .medisanaScale,
    .beurerScale,
  ]

  private static let checked: [(DriverModel, VirtualDeviceModel)] = [
    (.renphoScale, .renphoMSC04), (.qnScale, .qnES26M), (.hutbit, .hutbit),
    (.icomonScale, .runstarR6), (.koogeekS1, .koogeekS1),
  ]

  /// Their frames have checks, so that a damaged weight is never taken for one.
  @Test(arguments: checked)
  func `tell the weight or nothing`(driver: DriverModel, model: VirtualDeviceModel) {
    var sound = DriverBench(driver, model)
    let weight = sound.run().readings.first?[.bodyWeight]
    var told = 0
    for seed in 0..<200 {
      let faulty = FaultyScale(
        device: model.make(VirtualClock()), generator: SeededGenerator(state: UInt64(seed)))
      var bench = DriverBench(driver, faulty)
      let readings = bench.run(limit: .seconds(60)).accepted
      #expect(readings.allSatisfy { $0[.bodyWeight] == weight }, "seed \(seed)")
      #expect(readings.count <= 1, "seed \(seed)")
      told += readings.count
    }
    #expect(told > 100)
  }

  @Test(arguments: drivers)
  func `send anything at all without harm`(driver: DriverModel) {
    var generator = SeededGenerator(state: 20_260_331)
    for _ in 0..<200 {
      var dialogue = DriverDialogue(driver)
      _ = dialogue.tell(.begun)
      for attribute in driver.required { _ = dialogue.tell(.subscribed(attribute)) }
      var isOver = false
      for number in 0..<40 {
        let attribute = driver.required[number % driver.required.count]
        let octets = generator.octets()
        let actions =
          dialogue.tell(.value(attribute, octets)) + dialogue.tell(.written(attribute))
          + (number % 5 == 0 ? dialogue.wait() ?? [] : [])
        #expect(actions.isEmpty || !isOver)
        #expect(actions.count < 12)
        #expect(actions.allSatisfy { !$0.isForbidden })
        isOver = isOver || actions.contains { $0 == .finish || $0.failure != nil }
      }
    }
  }

  @Test(arguments: [
    ("FFE0", "FFE1", "E7 43 0000000000000064"), ("FFE0", "FFE1", "F7 32 0000000000000064"),
    ("FFF0", "FFF1", "F2 01"),
  ])
  func `are never told to delete`(service: String, characteristic: String, hex: String) throws {
    let attribute = Attribute(service, characteristic)
    #expect(ForbiddenCommand.first(writing: try octets(hex), to: attribute) != nil)
  }

  @Test func `broadcast anything at all without harm`() {
    var generator = SeededGenerator(state: 20_260_401)
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
        let octets = generator.octets()
        let advertisement = Advertisement(
          serviceData: ["181D": octets, "181B": octets, "FE95": octets], manufacturerData: octets)
        _ = model.matches(advertisement)
        #expect(driver.handle(advertisement, at: time).count < 5)
        if let deadline = driver.deadline, deadline <= time.elapsed {
          _ = driver.timeReached(at: time)
        }
      }
    }
  }

  @Test(arguments: VirtualDeviceModel.all.filter { (10500..<10600).contains($0.peripheralID) })
  func `are written anything at all without harm`(model: VirtualDeviceModel) {
    var generator = SeededGenerator(state: 20_260_402)
    var device = model.make(VirtualClock())
    let attributes = device.services.flatMap { service in
      service.characteristics.map { Attribute(service.uuid, $0.uuid) }
    }
    for attribute in attributes {
      _ = device.handle(.subscribed(attribute), at: DriverBench.noon)
    }
    for _ in 0..<500 {
      for attribute in attributes {
        let answer = device.handle(.written(attribute, generator.octets()), at: DriverBench.noon)
        #expect(answer.count < 20)
      }
    }
  }
}
