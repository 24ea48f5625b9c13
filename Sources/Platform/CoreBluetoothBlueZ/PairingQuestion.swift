// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// A question of bluetoothd while a peripheral pairs.
public struct PairingQuestion: Hashable, Sendable {
  /// The kinds of question.
  public enum Kind: Hashable, Sendable {
    /// The peripheral requests pairing without a passkey.
    case confirmation
    /// The peripheral shows six digits; the answer is ``PairingAnswer/passkey(_:)``.
    case passkeyEntry
    /// These six digits are to be entered at the peripheral.
    case passkeyDisplay(Int)
    /// Both sides show six digits; accept if they are equal.
    case numericComparison(Int)
    /// The peripheral has lost its bond; accept to remove the local one and pair again.
    ///
    /// A device that impersonates the peripheral looks the same: ask the user.
    case bondReplacement
  }

  /// The `identifier` of the `CBPeripheral`.
  public let peripheral: UUID
  /// The peripheral's own name.
  public let name: String?
  /// The kind of question.
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
