// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension SantorioSession {
  /// Where a session lives, where its records go, and how.
  public struct Configuration: @unchecked Sendable {
    // Unchecked for the notification centers alone: they may be used from any thread, but SDKs
    // before iOS 17 do not declare it so.
    /// The folder for the session's files only; created when it is missing.
    ///
    /// On Apple's systems, use one in Application Support, not in a shared app group container.
    public var directory: URL
    /// Where records go, and in which format.
    public var destination: any RecordDestination
    /// Carries the requests.
    public var transport: any HTTPTransport
    /// Whether readings may be sent unencrypted to another machine when the address is http.
    ///
    /// Anyone on the network path can then read and change them, and steal the token.
    public var allowsPlainHTTP = false
    /// Stores the tokens.
    public var credentials: any CredentialStoring
    /// Whether a queue whose key does not exist any more is set aside, and the folder begins anew,
    /// see ``SessionEvent/queueSetAside(_:)``; else opening fails until the key is there again.
    ///
    /// True in an app on Apple platforms, where a key is lost when an app is transferred to another
    /// team or a keychain is reset, and nobody could bring it back. False in an app extension, for a
    /// folder outside of the app's container, and on Linux: there the key may only be out of reach,
    /// for want of an access group or an operator.
    public var startsAnewWithoutKey: Bool
    /// The maximum disk space, in bytes, for stored records and images.
    ///
    /// Beyond it, more are refused.
    /// There is no age limit: no record is dropped because it has waited too long.
    public var maximumBytes = 256 << 20
    /// How many records are kept that the user has declined, see
    /// ``SantorioSession/declineHeld(_:)``.
    ///
    /// When more are declined, the oldest leave the queue, each with
    /// ``SessionEvent/declinedRecordRemoved(_:)``.
    public var maximumDeclinedRecords = 1000
    /// The most records in one request.
    public var maximumBatchRecords = 100
    /// The most bytes in one request, unless a single record is larger.
    public var maximumBatchBytes = 256 << 10
    /// The most uploads under way at once with a ``BackgroundTransport``.
    public var maximumBackgroundUploads = 4
    /// Whether bodies of more than 1 KiB are compressed, if the destination accepts that.
    public var compressesBodies = true
    /// Asked for a new token when the server refuses the current one; nil if there is no source.
    ///
    /// The queue waits for the answer. A token is stored and used; nil ends the session; after an
    /// error it is called again, later each time. Only one call runs at a time. Its task is
    /// cancelled with ``SantorioSession/run()``, which waits until it returns.
    public var refreshToken: (@Sendable (SantorioUser) async throws -> String?)?
    /// How long a refused token is retried before the session ends.
    ///
    /// A server restored from a backup lacks newer tokens until an administrator fixes that.
    /// The time counts waits from the first refusal of a token; a new process or a new connection
    /// restarts it.
    public var refusalGrace = Duration.seconds(900)
    /// The maximum time for one request, and for a request without progress.
    ///
    /// A large body is given a second more for each 16 KiB.
    public var requestTimeout = Duration.seconds(30)
    /// The events that make a running session try to send at once, whatever it waits for.
    public var retryTriggers = RetryTrigger.all
    /// Where events are posted as notifications, on an unspecified thread.
    public var notificationCenter = NotificationCenter.default
    /// Where the system posts what retry triggers are waiting for.
    package var systemNotificationCenter = NotificationCenter.default
    /// How often the folder is looked at for what another process has stored, where the system
    /// cannot tell of that.
    package var folderInterval = Duration.seconds(5)
    /// Whether the session's file is closed after each burst of calls unless the session runs: where
    /// the system suspends programs, it ends those that have a file locked then.
    package var closesUnusedFile = Self.isSuspendedBySystem
    /// The clock of all waits.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The wall clock.
    package var now: @Sendable () -> Date = { Date() }
    /// Draws a uniform random number from a range, to randomise waits.
    package var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    /// Makes a configuration for Santorio's own server, see ``IngestAPI``.
    ///
    /// - Parameters:
    ///   - directory: The folder of the session's files.
    ///   - endpoint: The server's address; `https`, or `http` for a server on the same machine.
    public init(directory: URL, endpoint: URL) {
      self.init(directory: directory, destination: IngestAPI(endpoint))
    }

    /// Makes a configuration with the platform's transport and credential store.
    ///
    /// - Parameters:
    ///   - directory: The folder of the session's files.
    ///   - destination: Where records go, and in which format.
    public init(directory: URL, destination: any RecordDestination) {
      self.directory = directory
      self.destination = destination
      #if canImport(Darwin)
        transport = URLSessionTransport()
        credentials = KeychainCredentials(folder: directory)
        startsAnewWithoutKey = AppBundle.main.isAlone(with: directory)
      #else
        transport = CurlTransport()
        let files = CredentialFiles(folder: directory)
        credentials = SystemdCredentials(files: files) ?? files
        startsAnewWithoutKey = false
      #endif
    }

    #if canImport(Darwin) && !os(macOS) && !targetEnvironment(macCatalyst)
      private static let isSuspendedBySystem = true
    #else
      private static let isSuspendedBySystem = false
    #endif
  }
}
