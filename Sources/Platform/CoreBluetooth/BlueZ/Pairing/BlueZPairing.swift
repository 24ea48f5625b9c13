// SPDX-License-Identifier: Apache-2.0

/// The questions and answers of a pairing.
package enum BlueZPairing {
  /// A question that the user, or the program for the user, has to answer.
  package enum Question: Hashable, Sendable {
    /// The peer requests pairing without a passkey.
    case confirmation
    /// The peer shows six digits, which are to be entered here.
    case passkeyEntry
    /// These six digits are to be entered at the peer.
    case passkeyDisplay(Int)
    /// Both sides show six digits, which have to be equal.
    case numericComparison(Int)
    /// The peer has lost its bond: remove the local one and pair again?
    case bondReplacement
  }

  /// The answer.
  package enum Answer: Hashable, Sendable {
    case accept
    case passkey(Int)
    case reject
  }

  /// Answers the questions.
  package typealias Handler = @Sendable (RadioPeer, Question) async -> Answer
}
