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
    /// What keeps readings from being sent; nil when nothing does.
    public internal(set) var sendingProblem: Problem?
    /// How many earlier sign-ins of the person have left readings that only the person can send.
    public internal(set) var archiveCount = 0

    /// Whether the person should look at what waits for the server.
    public var asksForQueue: Bool { sendingProblem != nil || archiveCount > 0 }
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

    /// Whether it is not known who is signed in.
    var isUnknown: Bool {
      switch self {
      case .launching, .blocked: true
      case .signedOut, .signedIn: false
      }
    }
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
  var all: [ServerAddress: AppServices] = [:]
  private var following: [Task<Void, Never>] = []
  var isActive = false
  /// The last look-up of who is signed in.
  var refreshing: Task<Void, Never>?

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
    return Task { await refresh() }
  }

  func services(for server: ServerAddress) -> AppServices {
    if let known = all[server] { return known }
    let services = AppServices(server, environment)
    all[server] = services
    return services
  }

  /// Hears what happens, from before it can happen.
  func use(_ services: AppServices) {
    for task in following { task.cancel() }
    self.services = services
    update { $0.sendingProblem = nil }
    let (events, readings) = (services.session.events, services.passive.events)
    let uploads = services.session.uploadStates
    following = [
      Task { [weak self] in for await event in events { await self?.heard(event) } },
      Task { [weak self] in for await event in readings { await self?.heard(event, services) } },
      Task { [weak self] in for await upload in uploads { self?.heard(upload) } },
    ]
  }

  private func heard(_ event: PassiveEvent, _ services: AppServices) async {
    if let notice = Notice(event), await services.isOfOwnDevice(notice) { post(notice) }
    switch event {
    case .undecided: await refresh()
    // It goes on, for instance after a launch: a device may have been paired just before that.
    case .stateChanged(nil): await services.addPairedDevices()
    default: break
    }
  }

  private func post(_ notice: Notice) {
    // In the foreground there are screens for it.
    guard !isActive else { return }
    environment.notices.post(notice)
  }

  private func heard(_ upload: UploadState) {
    switch upload {
    // The next attempt does not mean that it succeeds.
    case .uploading: break
    case .waiting(let error): update { $0.sendingProblem = Problem(error) }
    default: update { $0.sendingProblem = nil }
    }
  }

  private func heard(_ event: SessionEvent) async {
    guard case .sessionEnded(let ended) = event else { return }
    await refresh()
    guard case .signedOut = state.phase, ended.reason == .credentialsRefused else { return }
    wasSignedOutByServer = true
    update { $0.phase = .signedOut(AppText(.signedOutByServer)) }
    environment.notices.removeAll()
    post(.signedOut)
  }

  /// Whether the last sign-in was ended by the server: the app may be ended before the person opens it.
  var wasSignedOutByServer: Bool {
    get { environment.defaults.bool(forKey: Self.signedOutKey) }
    set { environment.defaults.set(newValue, forKey: Self.signedOutKey) }
  }

  private static let signedOutKey = "signed-out-by-server"

  // MARK: - Screens

  /// Brings screens to the front, such as those to which a notice leads, unless nobody is signed in.
  ///
  /// - Parameter tab: The screens.
  public func show(_ tab: AppTab) {
    // The next person begins at the beginning.
    if case .signedOut = state.phase { return }
    update { $0.tab = tab }
  }

  /// Asks the person, once, whether notices may be shown.
  public func askForNotices() async { await environment.notices.askForPermission() }

  /// A new screen of units.
  public func makeUnits() -> UnitsModel {
    UnitsModel(locale: environment.locale, defaults: environment.defaults)
  }
}
