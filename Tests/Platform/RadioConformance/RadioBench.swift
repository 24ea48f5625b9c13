// SPDX-License-Identifier: Apache-2.0

/// Two radios that hear each other, for one rule of ``RadioRule``.
///
/// A new kind of radio takes part with one test:
///
/// ```swift
/// @Test(arguments: RadioRule.all)
/// func `BlueZ keeps the contract of a radio`(rule: RadioRule) async throws {
///   #expect(await rule.violations(on: try BlueZBench.make()) == [])
/// }
/// ```
package struct RadioBench: Sendable {
  /// What only some radios can be made to do; rules that need more are passed over.
  package enum Ability: Hashable, Sendable {
    case losesLink, switchesPower, endsProcess, answersEveryWrite
  }

  /// One of the two processes.
  package enum Side: Hashable, Sendable {
    case central, peripheral
  }

  /// The radio whose central role is used.
  package let central: any Radio
  /// The radio whose peripheral role is used; it agrees to pair.
  package let peripheral: any Radio
  /// Lets time pass until the condition holds, at most for so long, and says whether it held.
  package let wait: @Sendable (Duration, @escaping @Sendable () -> Bool) async -> Bool
  /// The longest that anything takes on these radios.
  package var timeout = Duration.seconds(30)
  /// After so long without an event, none comes.
  package var quiet = Duration.seconds(3)
  /// Takes the radios out of each other's reach.
  package var loseLink: (@Sendable () -> Void)?
  /// Switches the central's radio off or on.
  package var setPower: (@Sendable (Bool) -> Void)?
  /// Whether the device's answer to a write reaches the client where the characteristic also takes
  /// writes without response.
  package var answersEveryWrite = true
  /// Ends the process of one side as a crash does, and gives the radio of the next process.
  ///
  /// The radio keeps what sessions with a restore identifier have in hand.
  package var endProcess: (@Sendable (Side) -> any Radio)?

  /// A bench without abilities.
  package init(
    central: any Radio, peripheral: any Radio,
    wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Bool) async -> Bool
  ) {
    self.central = central
    self.peripheral = peripheral
    self.wait = wait
  }

  var abilities: Set<Ability> {
    let abilities: [Ability?] = [
      loseLink.map { _ in .losesLink }, setPower.map { _ in .switchesPower },
      endProcess.map { _ in .endsProcess }, answersEveryWrite ? .answersEveryWrite : nil,
    ]
    return Set(abilities.compactMap(\.self))
  }
}
