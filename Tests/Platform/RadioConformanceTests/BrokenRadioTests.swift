// SPDX-License-Identifier: Apache-2.0

import RadioConformance
import Testing

@Suite(.timeLimit(.minutes(15))) struct `A broken radio` {
  @Test(arguments: Fault.all)
  func `is detected`(fault: Fault) async throws {
    let rules = RadioRule.all.filter { $0.name.hasPrefix(fault.rule) }
    #expect(rules.count == 1)
    let rule = try #require(rules.first)

    let bench = try RadioBench.simulated(.manual) { BrokenRadio($0, fault) }

    let violations = await rule.violations(on: bench)
    #expect(violations != [])
  }

  @Test func `breaks each rule in turn`() {
    let unbroken = RadioRule.all.filter { rule in
      !Fault.all.contains { rule.name.hasPrefix($0.rule) }
    }
    #expect(unbroken.map(\.name) == [])
  }

  @Test(arguments: RadioRule.all)
  func `without a fault keeps the contract`(rule: RadioRule) async throws {
    let fault = Fault("none", breaks: "") { _ in }
    let bench = try RadioBench.simulated(.manual) { BrokenRadio($0, fault) }

    let violations = await rule.violations(on: bench)
    #expect(violations == [])
  }
}
