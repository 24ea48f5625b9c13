// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothBlueZ
import SantorioConcurrency

/// Answers a device's pairing questions, from the caller's options or by asking the user.
struct PairingPrompt: Sendable {
  /// How often the user may mistype a passkey.
  private static let tries = 3

  /// The passkey that the caller gave.
  let passkey: Int?
  /// Whether to agree without asking.
  let isUnattended: Bool
  /// Shows a line to the user.
  let show: @Sendable (String) -> Void
  /// Reads a line that the user types; nil when there is no input.
  let line: @Sendable () async -> String?

  private let passkeyGiven = Locked(false)

  /// Whether a passkey was given as an answer, possibly a wrong one.
  var hasGivenPasskey: Bool { passkeyGiven.withLock { $0 } }

  init(
    passkey: Int?, isUnattended: Bool, show: @escaping @Sendable (String) -> Void = printError,
    line: @escaping @Sendable () async -> String? = { await Terminal.line() }
  ) {
    self.passkey = passkey
    self.isUnattended = isUnattended
    self.show = show
    self.line = line
  }

  /// Answers a question.
  @Sendable func answer(_ question: PairingQuestion) async -> PairingAnswer {
    await answer(question.kind, name: question.name)
  }

  /// Answers a question about a device of this name.
  func answer(_ kind: PairingQuestion.Kind, name: String?) async -> PairingAnswer {
    let device = name.map { "\"\($0.printable)\"" } ?? "The device"
    switch kind {
    case .confirmation:
      return await agree("\(device) is to be paired with this machine. Pair it?")
    case .passkeyEntry: return await enterPasskey(device)
    case .passkeyDisplay(let number):
      show("Enter this passkey on the device: \(Self.digits(number))")
      return .accept
    case .numericComparison(let number):
      return await agree("Does \(device) show \(Self.digits(number))?")
    case .bondReplacement:
      return await agree(
        "\(device) no longer knows this machine, which still has the old bond. "
          + "Remove the old bond and pair again?")
    }
  }

  private func agree(_ question: String) async -> PairingAnswer {
    guard !isUnattended else {
      show("\(question) yes, by --yes")
      return .accept
    }
    show("\(question) [y/N]")
    guard let answer = await line() else {
      show("There is no input to answer with, so the answer is no; --yes answers yes.")
      return .reject
    }
    return ["y", "yes"].contains(answer.trimmed.lowercased()) ? .accept : .reject
  }

  private func enterPasskey(_ device: String) async -> PairingAnswer {
    if let passkey { return give(passkey) }
    show("Enter the passkey that \(device) shows, six digits; leave empty to cancel:")
    for _ in 0..<Self.tries {
      guard let answer = await line() else {
        show("There is no input to answer with; pass the passkey with --passkey.")
        return .reject
      }
      let text = answer.filter { $0 != " " }.trimmed
      guard !text.isEmpty else { return .reject }
      if let passkey = Self.passkey(text) { return give(passkey) }
      show("\"\(text.printable)\" is not a passkey, which has six digits. Try again:")
    }
    return .reject
  }

  private func give(_ passkey: Int) -> PairingAnswer {
    passkeyGiven.withLock { $0 = true }
    return .passkey(passkey)
  }

  /// The number of a passkey of one to six digits.
  static func passkey(_ text: String) -> Int? {
    guard (1...6).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return Int(text)
  }

  private static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 6 - text.count)) + text
  }
}
