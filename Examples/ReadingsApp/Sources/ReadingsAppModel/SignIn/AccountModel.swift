// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio
import SantorioUI

/// Shows who is signed in, and signs the person out: what was not sent is said before.
@MainActor public final class AccountModel: ViewModel<AccountModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// Who is signed in.
    public let person: AppModel.Person
    /// How many readings wait for the server; nil before they were counted.
    public internal(set) var unsentCount: Int?
    /// How many readings were not sent since the person has not said so.
    public internal(set) var uncheckedCount: Int?
    /// Whether the server is being asked.
    public internal(set) var isBusy = false
    /// Whether the person is asked whether to sign out.
    public internal(set) var isAsking = false
    /// What became of an attempt; nil when there is nothing to say.
    public internal(set) var message: Message?

    /// Whether something would be left behind.
    public var leavesReadings: Bool { (unsentCount ?? 0) + (uncheckedCount ?? 0) > 0 }
    /// What is said about what waits.
    public var summary: [AppText] {
      guard let unsentCount, let uncheckedCount else { return [] }
      guard leavesReadings else { return [AppText(.everythingSent)] }
      return (unsentCount > 0 ? [AppText(.notSentYet, "\(unsentCount)")] : [])
        + (uncheckedCount > 0 ? [AppText(.notCheckedYet, "\(uncheckedCount)")] : [])
    }
    /// What is said when the person is asked.
    public var consequences: [AppText] {
      (leavesReadings ? [AppText(.signOutKeepsUnsent)] : []) + [AppText(.signOutEndsReading)]
    }
  }

  private let app: AppModel
  /// The longest that a person waits for the server.
  private static let longestWait = Duration.seconds(20)
  /// How often it is looked at what the system sends.
  private static let pause = Duration.milliseconds(200)

  /// A model of the person who is signed in.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - app: The app.
  public init(_ person: AppModel.Person, _ app: AppModel) {
    self.app = app
    super.init(State(person: person))
  }

  /// Counts what waits; to be called when the screen appears.
  public func load() async {
    guard let services = app.services else { return }
    // Readings that were declined are held back, too.
    let review = ReviewModel(services.context(in: app.units))
    await review.load()
    do throws(SessionError) {
      let unsent = try await services.session.pendingCount()
      if let problem = review.state.problem { return update { $0.message = .problem(problem) } }
      let unchecked = review.state.waiting.count
      update { ($0.unsentCount, $0.uncheckedCount) = (unsent, unchecked) }
    } catch {
      update { $0.message = .problem(Problem(error)) }
    }
  }

  /// Sends what waits, as far as that is possible now.
  public func sendFirst() async {
    guard let session = app.services?.session, !state.isBusy else { return }
    update { ($0.isBusy, $0.message) = (true, nil) }
    var message: Message?
    do throws(SessionError) {
      switch try await send(session) {
      case .empty: break
      case .waiting(let error): message = .problem(Problem(error))
      default: message = .text(AppText(.stillWaiting))
      }
    } catch {
      message = .problem(Problem(error))
    }
    await load()
    // The last one may have arrived meanwhile.
    if state.unsentCount == 0, state.message == nil { message = nil }
    update { ($0.isBusy, $0.message) = (false, message ?? $0.message) }
  }

  /// Sends what waits.
  ///
  /// What the system has taken over is not at the server yet, and would not get there after the
  /// person has signed out.
  private func send(_ session: SantorioSession) async throws(SessionError) -> DrainResult {
    let start = ContinuousClock.now
    var result = DrainResult.handedOver
    while result == .handedOver {
      let left = Self.longestWait - (ContinuousClock.now - start)
      guard left > .zero, !Task.isCancelled else { break }
      result = try await session.drain(until: Date() + TimeInterval(left.components.seconds + 1))
      if result == .handedOver { try? await Task.sleep(for: Self.pause) }
    }
    return result
  }

  /// Asks whether to sign out.
  public func askToSignOut() async {
    await load()
    update { $0.isAsking = true }
  }

  /// Takes the question back.
  public func stay() { update { $0.isAsking = false } }

  /// Signs the person out, who was asked.
  public func signOut() async {
    update { ($0.isAsking, $0.message) = (false, nil) }
    do throws(SessionError) {
      try await app.signOut()
    } catch {
      update { $0.message = .problem(Problem(error)) }
    }
  }
}
