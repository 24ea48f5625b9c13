// SPDX-License-Identifier: Apache-2.0

/// What is asked while a peer pairs.
package enum BlueZPairing {
  /// A question to the person, or to the program in the person's place.
  package enum Question: Hashable, Sendable {
    /// The peer wants to pair and shows nothing.
    case confirmation
    /// The peer shows six digits; they are wanted here.
    case passkeyEntry
    /// These six digits are to be entered at the peer.
    case passkeyDisplay(Int)
    /// Both sides show six digits, which have to be equal.
    case numericComparison(Int)
    /// The peer has lost its bond; whether to remove this side's, and pair anew.
    case bondReplacement
  }

  /// The answer.
  package enum Answer: Hashable, Sendable {
    case accept
    case passkey(Int)
    case reject
  }

  /// Who answers.
  package typealias Handler = @Sendable (RadioPeer, Question) async -> Answer
}
