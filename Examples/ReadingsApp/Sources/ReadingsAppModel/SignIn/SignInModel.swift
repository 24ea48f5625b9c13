// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio
import SantorioUI

/// The form in which a person signs in.
@MainActor public final class SignInModel: ViewModel<SignInModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// What was entered.
    public internal(set) var entries: [Field: String] = [:]
    /// What is wrong with it; said once the person has tried to sign in.
    public internal(set) var faults: [Field: AppText] = [:]
    /// Whether the server is being asked.
    public internal(set) var isBusy = false
    /// Why it did not work; nil when there is nothing.
    public internal(set) var message: Message?
    /// Whether the server has not answered: the address may be wrong, or the network be missing.
    public internal(set) var isServerSilent = false
  }

  /// What a person enters.
  public enum Field: CaseIterable, Hashable, Sendable {
    case server, organization, user, token

    /// Its name.
    public var title: AppText {
      switch self {
      case .server: AppText(.server)
      case .organization: AppText(.organization)
      case .user: AppText(.user)
      case .token: AppText(.token)
      }
    }
  }

  private let app: AppModel

  /// An empty form, but for the server of the last sign-in.
  ///
  /// - Parameter app: The app.
  public init(_ app: AppModel) {
    self.app = app
    var state = State()
    state.entries[.server] = app.keptServer?.url.absoluteString
    super.init(state)
  }

  /// Enters something; what was said about it before is taken back.
  ///
  /// - Parameters:
  ///   - text: What was entered.
  ///   - field: Where.
  public func enter(_ text: String, in field: Field) {
    update { state in
      (state.entries[field], state.faults[field], state.message) = (text, nil, nil)
      state.isServerSilent = false
    }
  }

  /// Signs in, if everything was entered well and the server answers.
  public func signIn() async { await signIn(withoutAnswer: false) }

  /// Signs in although the server has not answered: readings wait until it does.
  public func signInAnyway() async {
    guard state.isServerSilent else { return }
    await signIn(withoutAnswer: true)
  }

  private func signIn(withoutAnswer: Bool) async {
    guard !state.isBusy else { return }
    var faults: [Field: AppText] = [:]
    let server = server(&faults)
    let user = user(&faults)
    update { ($0.faults, $0.message, $0.isServerSilent) = (faults, nil, false) }
    guard faults.isEmpty, let server else { return }
    update { $0.isBusy = true }
    let entries = state.entries
    // What is read for an address that is none stays there: no other server gets it.
    if !withoutAnswer, await !app.isReached(server, by: user) {
      update { state in
        state.isBusy = false
        guard state.entries == entries else { return }
        (state.isServerSilent, state.message) = (true, .text(AppText(.serverIsSilent)))
      }
      return
    }
    do throws(SessionError) {
      try await app.signIn(user, at: server)
      // The token stays nowhere but with the session.
      update { ($0.isBusy, $0.entries[.token]) = (false, nil) }
    } catch {
      let message = Self.message(for: error)
      update { ($0.isBusy, $0.message) = (false, message) }
    }
  }

  private static func message(for error: SessionError) -> Message {
    switch error.code {
    case .credentialsRefused: .text(AppText(.unknownPerson))
    case .insecureEndpoint: .text(AppText(.serverIsInsecure))
    case .invalidEndpoint: .text(AppText(.serverIsMalformed))
    default: .problem(Problem(error))
    }
  }

  // MARK: - What was entered

  private func entry(_ field: Field) -> String {
    (state.entries[field] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func server(_ faults: inout [Field: AppText]) -> ServerAddress? {
    do throws(ServerAddress.Fault) {
      return try ServerAddress(
        entry(.server), allowsPlainHTTP: app.environment.allowsPlainHTTP)
    } catch {
      faults[.server] =
        switch error {
        case .empty: AppText(.serverIsMissing)
        case .malformed: AppText(.serverIsMalformed)
        case .insecure: AppText(.serverIsInsecure)
        }
      return nil
    }
  }

  private func user(_ faults: inout [Field: AppText]) -> SantorioUser {
    let user = SantorioUser(
      userID: entry(.user), organizationID: entry(.organization), accessToken: entry(.token))
    for (field, isRight) in [
      (Field.user, Self.isIdentifier(user.userID)),
      (.organization, Self.isIdentifier(user.organizationID)),
    ] where !isRight {
      faults[field] = AppText(.identifierIsWrong)
    }
    if !Self.isToken(user.accessToken) { faults[.token] = AppText(.tokenIsWrong) }
    return user
  }

  // What the session takes, see `SantorioUser`.

  private static let identifierBytes = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-".utf8)

  private static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && ![".", ".."].contains(text)
      && text.utf8.allSatisfy { identifierBytes.contains($0) }
  }

  private static func isToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}
