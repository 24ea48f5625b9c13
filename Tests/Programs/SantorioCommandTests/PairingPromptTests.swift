// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothBlueZ
import SantorioConcurrency
import Testing

@testable import santorio

@Suite(.timeLimit(.minutes(15))) struct `Pairing prompt` {
  /// What a person is shown, and answers.
  private final class Person: Sendable {
    let shown = Locked<[String]>([])
    let answers: Locked<[String]>

    init(_ answers: [String]) { self.answers = Locked(answers) }

    func prompt(passkey: Int? = nil, isUnattended: Bool = false) -> PairingPrompt {
      PairingPrompt(
        passkey: passkey, isUnattended: isUnattended,
        show: { line in self.shown.withLock { $0.append(line) } },
        line: { self.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    }

    var lines: [String] { shown.withLock { $0 } }
  }

  @Test(arguments: [
    ("y", true), ("Yes", true), (" y ", true), ("n", false), ("", false), ("yesterday", false),
  ])
  func `pairs when the user agrees`(typed: String, isAccepted: Bool) async {
    let person = Person([typed])
    let answer = await person.prompt().answer(.confirmation, name: "BM54")
    #expect(answer == (isAccepted ? .accept : .reject))
    #expect(person.lines == ["\"BM54\" is to be paired with this machine. Pair it? [y/N]"])
  }

  @Test func `treats missing input as no and names --yes`() async {
    let person = Person([])
    #expect(await person.prompt().answer(.confirmation, name: nil) == .reject)
    #expect(await person.prompt().answer(.passkeyEntry, name: nil) == .reject)
    #expect(person.lines[1].contains("--yes answers yes"))
    #expect(person.lines[3].contains("pass the passkey with --passkey"))
  }

  @Test func `agrees without asking with --yes, and says so`() async {
    let person = Person([])
    let prompt = person.prompt(isUnattended: true)
    #expect(await prompt.answer(.confirmation, name: "BM54") == .accept)
    #expect(await prompt.answer(.numericComparison(42), name: "BM54") == .accept)
    #expect(await prompt.answer(.bondReplacement, name: "BM54") == .accept)
    #expect(person.lines.allSatisfy { $0.hasSuffix(" yes, by --yes") })
  }

  @Test func `always shows six digits`() async {
    let person = Person(["y"])
    #expect(await person.prompt().answer(.numericComparison(4711), name: "BM54") == .accept)
    #expect(await person.prompt().answer(.passkeyDisplay(12), name: "BM54") == .accept)
    #expect(
      person.lines == [
        "Does \"BM54\" show 004711? [y/N]", "Enter this passkey on the device: 000012",
      ])
  }

  @Test func `asks again until the passkey is valid`() async {
    let person = Person(["12a", "1234567", "012 345"])
    let prompt = person.prompt()
    #expect(!prompt.hasGivenPasskey)
    #expect(await prompt.answer(.passkeyEntry, name: "BM54") == .passkey(12345))
    #expect(prompt.hasGivenPasskey)
    #expect(
      person.lines == [
        "Enter the passkey that \"BM54\" shows, six digits; leave empty to cancel:",
        "\"12a\" is not a passkey, which has six digits. Try again:",
        "\"1234567\" is not a passkey, which has six digits. Try again:",
      ])
  }

  @Test(arguments: [[""], ["x", "y", "z", "123456"]])
  func `gives up when no passkey is entered`(typed: [String]) async {
    #expect(await Person(typed).prompt().answer(.passkeyEntry, name: nil) == .reject)
  }

  @Test func `uses the passkey of the option`() async {
    let person = Person([])
    #expect(await person.prompt(passkey: 7).answer(.passkeyEntry, name: nil) == .passkey(7))
    #expect(person.lines.isEmpty)
  }

  @Test func `offers to replace a bond that the device has lost`() async {
    let person = Person(["y"])
    #expect(await person.prompt().answer(.bondReplacement, name: "A\u{1B}[2J") == .accept)
    #expect(
      person.lines == [
        "\"A·[2J\" no longer knows this machine, which still has the old bond. "
          + "Remove the old bond and pair again? [y/N]"
      ])
  }
}
