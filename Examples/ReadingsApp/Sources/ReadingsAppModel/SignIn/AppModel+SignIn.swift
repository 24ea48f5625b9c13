// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio
import SantorioHealthKit
import SantorioUI

// Who is signed in.
extension AppModel {
  /// Looks up who is signed in, and what waits for that person.
  ///
  /// One look-up follows the other: what is found before a sign-in is not shown after it.
  public func refresh() async {
    let earlier = refreshing
    let task = Task {
      await earlier?.value
      await lookUp()
    }
    refreshing = task
    await task.value
    // A device that was paired since is read automatically, too, if the person wants that.
    if case .signedIn = state.phase { await services?.addPairedDevices() }
  }

  private func lookUp() async {
    guard let services else { return update { $0.phase = .signedOut(nil) } }
    do throws(SessionError) {
      guard let user = try await services.session.user() else {
        // A reason that was given stays.
        if case .signedOut = state.phase { return }
        let reason = wasSignedOutByServer ? AppText(.signedOutByServer) : nil
        return update { state in
          (state.phase, state.tab) = (.signedOut(reason), .devices)
          (state.waitingCount, state.archiveCount) = (0, 0)
        }
      }
      let review = ReviewModel(services.context(in: units))
      await review.load()
      let person = Person(
        user: user.userID, organization: user.organizationID, server: services.server)
      let archives = try await services.session.archives().filter { ended in
        (ended.userID, ended.organizationID) == (user.userID, user.organizationID)
          && ended.archive != nil
      }
      update {
        $0.archiveCount = archives.count
        // Readings that were received and not decided, perhaps before the app was ended, come first.
        if $0.phase.isUnknown, !review.state.waiting.isEmpty { $0.tab = .review }
        ($0.phase, $0.waitingCount) = (.signedIn(person), review.state.waiting.count)
      }
    } catch {
      let problem = Problem(error)
      // A token that is lost: the person enters it again, and nothing is lost with it.
      update { $0.phase = problem.remedy == .signIn ? .signedOut(nil) : .blocked(problem) }
    }
  }

  /// Whether a server says something about a person, be it that it does not know the person.
  func isReached(_ server: ServerAddress, by user: SantorioUser) async -> Bool {
    await services(for: server).isReached(by: user)
  }

  /// Signs a person in, whom the server may know.
  ///
  /// - Parameters:
  ///   - user: The person.
  ///   - server: The server.
  /// - Throws: ``SessionError``; nobody is signed in then. A server that does not answer is none: it
  ///   is asked later.
  func signIn(_ user: SantorioUser, at server: ServerAddress) async throws(SessionError) {
    let services = services(for: server)
    try await services.session.start(user)
    keptServerFile.keep(server.url.absoluteString)
    // They were another person's, or of a sign-in that is over.
    environment.notices.removeAll()
    wasSignedOutByServer = false
    if self.services !== services {
      await self.services?.leave()
      use(services)
      services.restorePassive()
    }
    services.session.resume()
    await refresh()
  }

  /// Signs the person out.
  ///
  /// What was not sent leaves the queue and stays on the phone: the next time the same person signs
  /// in, the queue's screen offers to send it.
  ///
  /// - Throws: ``SessionError``; the person is still signed in then.
  func signOut() async throws(SessionError) {
    guard let services else { return }
    try await services.session.end()
    environment.notices.removeAll()
    // Notices that its subscriptions have ended.
    services.health.observeCurrentSubscriptions()
    await refresh()
  }

  private var keptServerFile: KeptServer { KeptServer(folder: environment.folder) }

  /// The server of the last sign-in; the session keeps who is signed in, and the token.
  var keptServer: ServerAddress? {
    keptServerFile.text.flatMap {
      try? ServerAddress($0, allowsPlainHTTP: environment.allowsPlainHTTP)
    }
  }

  /// The units that the person has chosen.
  public var units: UnitPreferences {
    UnitsModel.kept(in: environment.defaults, environment.locale)
  }
}
