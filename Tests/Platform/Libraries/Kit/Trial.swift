// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation

/// What a library is asked to do.
package enum Step: String {
  case scan, connect, discover, read, write, refuse, notify, disconnect, loss
  // Of a glucose sensor.
  case adopt, readings, follow, beside
  // Of firmware.
  case flash, receipts, resume, jump
}

/// A library did not do what it should.
package struct TrialFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A phone, whose managers the library makes, and a strap two metres away, in real time.
@MainActor
package final class Trial {
  private let air = SimulatedRadioEnvironment(seed: 7, mode: .realTime(speed: 1))
  private let phone: SimulatedHost
  package let strap: HeartRateStrap
  private var step: Step?

  private init() {
    phone = air.makeHost(named: "Phone")
    strap = HeartRateStrap(on: air.makeHost(named: "Strap", at: SimulatedPosition(x: 2)))
    phone.installAsDefault()
  }

  /// Runs a client of a library on the main run loop, as an app does, and ends the process.
  ///
  /// Each step that passes is a line `step NAME ok`.
  package nonisolated static func run(
    _ client: @escaping @MainActor (Trial) async throws -> Void
  ) -> Never {
    MainActor.assumeIsolated { Trial().start(client) }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  private func start(_ client: @escaping @MainActor (Trial) async throws -> Void) {
    Task {
      do {
        try await client(self)
        end(with: 0)
      } catch {
        fail("\(error)")
      }
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 60) { self.fail("no end after a minute") }
  }

  /// Makes managers on another host, three metres away, for another device than the strap.
  package func onDevice<Result>(
    named name: String = "Device", _ body: (SimulatedHost) throws -> Result
  ) rethrows -> Result {
    let device = air.makeHost(named: name, at: SimulatedPosition(x: 3))
    device.installAsDefault()
    defer { phone.installAsDefault() }
    return try body(device)
  }

  /// What the phone's system has reported as misuse.
  package var misuseReports: [String] { phone.misuseReports }

  /// Does one step.
  package func callAsFunction<Result>(
    _ step: Step, _ body: @MainActor () async throws -> Result
  ) async throws -> Result {
    self.step = step
    let result = try await body()
    print("step \(step.rawValue) ok")
    return result
  }

  /// Fails unless the two are equal.
  package func expect<Value: Equatable>(_ actual: Value, is expected: Value) throws {
    guard actual == expected else { throw TrialFailure("\(actual), expected \(expected)") }
  }

  /// The value, or a failure when there is none.
  package func require<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else { throw TrialFailure("no \(what)") }
    return value
  }

  /// Waits until the strap has noted the line.
  package func expectStrap(noted line: String) async throws {
    try await expectSoon("the strap noted \"\(line)\"") { strap.noted(line) }
  }

  /// Waits until the condition holds, which is asked on the main actor.
  package func expectSoon(_ what: String, _ condition: @MainActor () -> Bool) async throws {
    for _ in 0..<10_000 {
      if condition() { return }
      await air.advance(by: .milliseconds(1))
    }
    throw TrialFailure("never: \(what)")
  }

  /// The error that the body throws.
  package func error<Result>(of body: @MainActor () async throws -> Result) async throws
    -> any Error
  {
    do {
      _ = try await body()
    } catch {
      return error
    }
    throw TrialFailure("no error where one is due")
  }

  /// Fails unless the error is the one with which the strap refuses an unknown command.
  package func expectRefusal(_ error: any Error) throws {
    guard let error = error as? CBATTError else { throw TrialFailure("not a CBATTError: \(error)") }
    try expect(error.code.rawValue, is: HeartRateStrap.notSupported)
  }

  private func fail(_ reason: String) {
    print("step \(step?.rawValue ?? "start") FAILED: \(reason)")
    end(with: 1)
  }

  private func end(with status: Int32) -> Never {
    fflush(nil)
    exit(status)
  }
}
