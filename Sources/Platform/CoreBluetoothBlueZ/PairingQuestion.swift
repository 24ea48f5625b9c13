// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// What bluetoothd asks while a peripheral pairs.
public struct PairingQuestion: Hashable, Sendable {
  /// What is asked.
  public enum Kind: Hashable, Sendable {
    /// The peripheral wants to pair and shows nothing.
    case confirmation
    /// The peripheral shows six digits; the answer is ``PairingAnswer/passkey(_:)``.
    case passkeyEntry
    /// These six digits are to be entered at the peripheral.
    case passkeyDisplay(Int)
    /// Both sides show six digits; whether they are equal.
    case numericComparison(Int)
    /// The peripheral has lost its bond; whether to remove this side's, and pair anew.
    ///
    /// Another device that pretends to be the peripheral looks the same: ask a person.
    case bondReplacement
  }

  /// The `identifier` of the `CBPeripheral`.
  public let peripheral: UUID
  /// What the peripheral calls itself.
  public let name: String?
  /// What is asked.
  public let kind: Kind
}

/// The answer to a ``PairingQuestion``.
public enum PairingAnswer: Hashable, Sendable {
  /// Yes.
  case accept
  /// The digits that the peripheral shows, 0 through 999,999.
  case passkey(Int)
  /// No.
  case reject
}

extension PairingQuestion.Kind {
  init(_ question: BlueZPairing.Question) {
    self =
      switch question {
      case .confirmation: .confirmation
      case .passkeyEntry: .passkeyEntry
      case .passkeyDisplay(let digits): .passkeyDisplay(digits)
      case .numericComparison(let digits): .numericComparison(digits)
      case .bondReplacement: .bondReplacement
      }
  }
}

extension PairingAnswer {
  var answer: BlueZPairing.Answer {
    switch self {
    case .accept: .accept
    case .passkey(let digits): .passkey(digits)
    case .reject: .reject
    }
  }
}
