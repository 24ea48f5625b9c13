// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import RadioConformance
import Testing

extension RadioBench {
  /// A phone and a meter, two metres apart on an air of their own.
  static func simulated(
    _ mode: SimulatedRadioEnvironment.Mode,
    _ wrap: @escaping @Sendable (any Radio) -> any Radio = { $0 }
  ) throws -> RadioBench {
    let air = SimulatedRadioEnvironment(seed: 3, mode: mode)
    let phone = air.makeHost(named: "Phone")
    let meter = air.makeHost(named: "Meter", at: SimulatedPosition(x: 2))
    let (ofPhone, ofMeter) = (try phone.radio, try meter.radio)
    var bench = RadioBench(
      central: wrap(ofPhone), peripheral: wrap(ofMeter),
      wait: { await air.advance(by: $0, until: $1) })
    bench.loseLink = { meter.position.x = 1000 }
    bench.setPower = { phone.state = $0 ? .poweredOn : .poweredOff }
    bench.endProcess = { side in
      let (host, radio) = side == .central ? (phone, ofPhone) : (meter, ofMeter)
      host.application.terminate()
      host.application.state = .foreground
      return wrap(radio)
    }
    return bench
  }
}

extension SimulatedHost {
  fileprivate var radio: any Radio {
    get throws { try #require(managerOptions[CBManagerOptionRadioKey] as? any Radio) }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `The simulated radio` {
  @Test(arguments: RadioRule.all)
  func `keeps the contract on a manual clock`(rule: RadioRule) async throws {
    let bench = try RadioBench.simulated(.manual)
    #expect(rule.applies(to: bench))
    let violations = await rule.violations(on: bench)
    #expect(violations == [])
  }

  @Test(arguments: RadioRule.all)
  func `keeps the contract in real time`(rule: RadioRule) async throws {
    var bench = try RadioBench.simulated(.realTime(speed: 50))
    // Ten seconds and four tenths of one, on a computer that may be busy.
    bench.timeout = .seconds(500)
    bench.quiet = .seconds(20)
    let violations = await rule.violations(on: bench)
    #expect(violations == [])
  }

  @Test func `skips rules that a bench cannot test`() async throws {
    var bench = try RadioBench.simulated(.manual)
    bench.setPower = nil
    let rule = try #require(RadioRule.all.first { $0.name.hasPrefix("without power") })

    #expect(!rule.applies(to: bench))
    let violations = await rule.violations(on: bench)
    #expect(violations == [])
  }

  @Test func `names each rule once`() {
    #expect(Set(RadioRule.all.map(\.name)).count == RadioRule.all.count)
  }
}
