// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing
import VirtualDevices

/// The drivers of blood pressure monitors and a device of each.
private let pairs: [(driver: DriverModel, device: VirtualDeviceModel)] = [
  (.beurerBloodPressure, .bm85), (.bloodPressureProfile, .bu540), (.omronBloodPressure, .bp5250),
  (.omronBloodPressure, .bp7900), (.qardioArm, .qardioArm), (.omronClassicMemory, .hem7322T),
  (.omronClassicMemory, .hem7600T), (.omronModernMemory, .hem7142T2), (.viatomBP2, .bp2),
  (.microlife, .bp3GY1), (.transtekBloodPressure, .rpmBP100), (.yonkerBloodPressure, .ykIBPA1),
  (.samicoBloodPressure, .phbpb20), (.jumperBloodPressure, .jpdHA120),
  (.andesFitBloodPressure, .adfB19),
]

@Suite struct `Virtual blood pressure monitors` {
  @Test(arguments: pairs.indices)
  func `have as many readings as they say`(index: Int) {
    var bench = DriverBench(pairs[index].driver, pairs[index].device)

    #expect(bench.run().accepted.count == pairs[index].device.readingCount)
  }

  @Test(arguments: pairs.indices)
  func `can be measured with`(index: Int) {
    var bench = DriverBench(pairs[index].driver, pairs[index].device)
    _ = bench.run()
    bench.press(.measure(number: 6))

    let pressures = bench.run().accepted.map(\.pressures)

    #expect(pressures.contains([116, 74, 66]))
  }

  @Test(arguments: pairs.indices)
  func `have all attributes that their driver needs`(index: Int) {
    let device = pairs[index].device.make(VirtualClock())
    let attributes = device.services.flatMap { service in
      service.characteristics.map { Attribute(service.uuid, $0.uuid) }
    }

    #expect(Set(pairs[index].driver.required).isSubset(of: attributes))
  }

  @Test func `are all among the kinds that there are`() {
    let known = Set(VirtualDeviceModel.all.map(\.id))

    #expect(known.count == VirtualDeviceModel.all.count)
    #expect(known.isSuperset(of: pairs.map(\.device.id)))
  }
}

@Suite struct `Drivers of blood pressure monitors` {
  /// SplitMix64: the same events in every run.
  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  /// 200 lives of 100 events for each driver; a trap would end the test process.
  @Test(arguments: pairs.indices)
  func `take any event at any time, and come to an end`(index: Int) {
    let model = pairs[index].driver
    let attributes = model.required + model.optional
    var generator = SeededGenerator(state: UInt64(index))
    var endCount = 0
    for _ in 0..<200 {
      var driver = model.make(
        DriverContext(
          purpose: Bool.random(using: &generator) ? .read : .pair, attributes: Set(attributes)))
      var time = noon
      var hasEnded = false
      var actions = driver.handle(.begun, at: time)
      for _ in 0..<100 where !hasEnded {
        hasEnded = actions.contains { if case .finish = $0 { true } else { $0.isFailure } }
        let event = event(after: actions, attributes, &generator)
        time.elapsed += .milliseconds(Int.random(in: 0..<2000, using: &generator))
        if Bool.random(using: &generator), let deadline = driver.deadline, deadline > time.elapsed {
          time.elapsed = deadline
        }
        if hasEnded { endCount += 1 }
        actions = driver.handle(event, at: time)
      }
    }
    #expect(endCount > 0)
  }

  /// Mostly the answer to what was asked for, sometimes anything.
  private func event(
    after actions: [DriverAction], _ attributes: [Attribute],
    _ generator: inout SeededGenerator
  ) -> DriverEvent {
    if Int.random(in: 0..<4, using: &generator) > 0, let answer = actions.last?.answer {
      return answer
    }
    let attribute = attributes.randomElement(using: &generator) ?? .bloodPressureMeasurement
    let count = Int.random(in: 0..<70, using: &generator)
    let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: return .timeReached
    case 1: return .stored
    case 2: return .writeFailed(attribute, RequestFailure(code: octets.first))
    case 3: return .subscribed(attribute)
    case 4: return .readFailed(attribute, RequestFailure(code: nil))
    default: return .value(attribute, octets)
    }
  }
}

extension DriverAction {
  fileprivate var isFailure: Bool {
    if case .fail = self { true } else { false }
  }

  /// What a device that does as it is asked says.
  fileprivate var answer: DriverEvent? {
    switch self {
    case .read(let attribute):
      attribute.characteristic == "2A24"
        ? .value(attribute, Array("HEM-7322T".utf8))
        : .readFailed(attribute, RequestFailure(code: 0x02))
    case .write(let attribute, _), .writeWithoutResponse(let attribute, _): .written(attribute)
    case .subscribe(let attribute): .subscribed(attribute)
    case .confirmStorage: .stored
    default: nil
    }
  }
}
