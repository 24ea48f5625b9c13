// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio
import SantorioHealthKit
import SantorioUI

/// The app: who is signed in, which screens there are, and what is done when.
@MainActor public final class AppModel: ViewModel<AppModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// How far the app is.
    public internal(set) var phase = Phase.launching
    /// The screens that are in front.
    public internal(set) var tab = AppTab.devices
    /// How many readings wait until the person has checked them.
    public internal(set) var waitingCount = 0
  }

  /// How far the app is.
  public enum Phase: Hashable, Sendable {
    /// It is not known yet who is signed in.
    case launching
    /// Nothing can be read until the phone is unlocked for the first time, or for another reason.
    case blocked(Problem)
    /// Nobody is signed in, perhaps for a reason.
    case signedOut(AppText?)
    /// A person is signed in.
    case signedIn(Person)
  }

  /// Who is signed in.
  public struct Person: Hashable, Sendable {
    /// The server's identifier of the person.
    public let user: String
    /// The person's organisation.
    public let organization: String
    /// The server.
    public let server: ServerAddress

    /// A person at a server.
    public init(user: String, organization: String, server: ServerAddress) {
      (self.user, self.organization, self.server) = (user, organization, server)
    }
  }

  let environment: AppEnvironment
  /// What reads and sends; nil before the first sign-in.
  public private(set) var services: AppServices?
  /// A folder has one session at a time, also after the person has tried another server.
  private var all: [ServerAddress: AppServices] = [:]
  private var following: [Task<Void, Never>] = []
  private var isActive = false

  /// The app, before its launch.
  ///
  /// - Parameter environment: What it works with.
  public init(_ environment: AppEnvironment) {
    self.environment = environment
    super.init(State())
  }

  deinit { for task in following { task.cancel() } }

  // MARK: - The launch

  /// To be called in each launch, before it is over, whether a person or the system has launched the
  /// app: the system looks for what the app does until then.
  ///
  /// - Returns: The task that looks up who is signed in; it need not be awaited.
  @discardableResult public func launch() -> Task<Void, Never> {
    #if os(iOS) || os(Linux)
      BackgroundWork.register(with: environment.scheduler) { [weak self] in
        await self?.drain() ?? false
      }
    #endif
    guard let server = keptServer else {
      update { $0.phase = .signedOut(nil) }
      return Task {}
    }
    let services = services(for: server)
    use(services)
    services.launched()
    services.session.resume()
    return Task {
      await refresh()
      // Readings that were received and not decided, perhaps before the app was ended.
      if state.waitingCount > 0 { show(.review) }
    }
  }

  private func services(for server: ServerAddress) -> AppServices {
    if let known = all[server] { return known }
    let services = AppServices(server, environment)
    all[server] = services
    return services
  }

  /// Hears what happens, from before it can happen.
  private func use(_ services: AppServices) {
    for task in following { task.cancel() }
    self.services = services
    let (events, readings) = (services.session.events, services.passive.events)
    following = [
      Task { [weak self] in for await event in events { await self?.heard(event) } },
      Task { [weak self] in
        for await event in readings {
          if let notice = Notice(event) { self?.post(notice) }
          if case .undecided = event { await self?.refresh() }
        }
      },
    ]
  }

  private func post(_ notice: Notice) {
    // In the foreground there are screens for it.
    guard !isActive else { return }
    environment.notices.post(notice)
  }

  private func heard(_ event: SessionEvent) async {
    guard case .sessionEnded(let ended) = event else { return }
    await refresh()
    guard case .signedOut = state.phase, ended.reason == .credentialsRefused else { return }
    update { $0.phase = .signedOut(AppText(.signedOutByServer)) }
  }

  // MARK: - Who is signed in

  /// Looks up who is signed in, and what waits for that person.
  public func refresh() async {
    guard let services else { return update { $0.phase = .signedOut(nil) } }
    do throws(SessionError) {
      guard let user = try await services.session.user() else {
        // A reason that was given stays.
        if case .signedOut = state.phase { return }
        return update { ($0.phase, $0.waitingCount, $0.tab) = (.signedOut(nil), 0, .devices) }
      }
      let review = ReviewModel(services.context(in: units))
      await review.load()
      let person = Person(
        user: user.userID, organization: user.organizationID, server: services.server)
      update { ($0.phase, $0.waitingCount) = (.signedIn(person), review.state.waiting.count) }
    } catch {
      let problem = Problem(error)
      // A token that is lost: the person enters it again, and nothing is lost with it.
      update { $0.phase = problem.remedy == .signIn ? .signedOut(nil) : .blocked(problem) }
    }
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
    if let old = self.services, old !== services { await old.session.suspend() }
    if self.services !== services { use(services) }
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

  // MARK: - What is kept

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

  // MARK: - What the system says

  /// The app is in front.
  public func becameActive() {
    isActive = true
    services?.session.resume()
    Task { [services] in
      await refresh()
      _ = await services?.health.fetchLatestData()
    }
  }

  /// The app is in the background.
  public func enteredBackground() {
    isActive = false
    #if os(iOS) || os(Linux)
      BackgroundWork.schedule(with: environment.scheduler)
    #endif
  }

  /// The phone was unlocked.
  public func wasUnlocked() async {
    await services?.health.deviceWasUnlocked()
    await refresh()
  }

  /// The system has uploads of the app that have ended.
  ///
  /// - Parameter identifier: Which.
  public func handleUploads(of identifier: String) async {
    for services in all.values { await services.session.handleEvents(of: identifier) }
  }

  /// Sends what waits in the time that the system gives.
  private func drain() async -> Bool {
    let result = try? await services?.session.drain()
    return result == .empty || result == .handedOver
  }

  // MARK: - Screens

  /// Brings screens to the front, such as those to which a notice leads.
  ///
  /// - Parameter tab: The screens.
  public func show(_ tab: AppTab) { update { $0.tab = tab } }

  /// Asks the person, once, whether notices may be shown.
  public func askForNotices() async { await environment.notices.askForPermission() }

  /// A new screen of units.
  public func makeUnits() -> UnitsModel {
    UnitsModel(locale: environment.locale, defaults: environment.defaults)
  }
}
