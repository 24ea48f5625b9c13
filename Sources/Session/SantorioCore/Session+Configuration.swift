// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Session {
  /// Where a session lives, where its records go, and how.
  public struct Configuration: @unchecked Sendable {
    // Unchecked for `notificationCenter` alone: it may be used from any thread, and SDKs before iOS
    // 17 do not say so to the compiler.
    /// The folder of the session's files, its alone; made when it is missing.
    ///
    /// On Apple's systems one in Application Support, in no shared app group container.
    public var directory: URL
    /// Where records go, and in which form.
    public var destination: any Destination
    /// What carries requests.
    public var transport: any Transport
    /// Whether readings may go unencrypted to another machine, where the server's address is http.
    ///
    /// Everybody on the way can then read and change them, and take the token.
    public var allowsPlainHTTP = false
    /// What keeps tokens.
    public var credentials: any CredentialStoring
    /// The most disk space, in bytes, that the records and images kept may take; more are refused
    /// to the caller.
    ///
    /// There is no limit of age: no record is given up because it waited long.
    public var maximumBytes = 256 << 20
    /// The most records in one request.
    public var maximumBatchRecords = 100
    /// The most bytes in one request, unless a single record is larger.
    public var maximumBatchBytes = 256 << 10
    /// Whether bodies of more than 1 KiB are compressed, where the destination takes that.
    public var compressesBodies = true
    /// Asked for a new token when the server refuses the one in use; nil when there is nobody to
    /// ask.
    ///
    /// The queue waits for the answer. A token is stored and used; nil ends the session; after an
    /// error the question comes again, later each time. It is asked once at a time, and its task is
    /// cancelled with ``Session/run()``, which waits until it returns.
    public var refreshToken: (@Sendable (User) async throws -> String?)?
    /// How long a token that the server refuses is asked about again before the session ends.
    ///
    /// A server that was restored from a backup does not know newer tokens until somebody has seen
    /// to it. The time counts waits, from the first refusal of a token; a new process or a new
    /// connection begins it anew.
    public var refusalGrace = Duration.seconds(900)
    /// How long one request may take, and how long nothing of it may move; a large body is given a
    /// second more for each 16 KiB.
    public var requestTimeout = Duration.seconds(30)
    /// How often the folder is looked at for records that another process submitted.
    public var idleInterval = Duration.seconds(5)
    /// What makes the session try to send at once, whatever it waits for, while it runs.
    public var retryTriggers = Set(RetryTrigger.allCases)
    /// Where events are posted as notifications, on no particular thread.
    public var notificationCenter = NotificationCenter.default
    /// The clock of all waits.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The wall clock.
    public var now: @Sendable () -> Date = { Date() }
    /// Draws evenly from a range, for the spread of waits.
    public var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

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
    ///   - destination: Where records go, and in which form.
    public init(directory: URL, destination: any Destination) {
      self.directory = directory
      self.destination = destination
      #if canImport(Darwin)
        transport = URLSessionTransport()
        credentials = Keychain(service: "org.santorio.\(Self.name(of: directory))")
      #else
        transport = CurlTransport()
        let files = CredentialFiles(folder: directory)
        credentials = SystemdCredentials(files: files) ?? files
      #endif
    }

    #if canImport(Darwin)
      /// The folder's path within the app's container, whose own path changes with each
      /// installation.
      private static func name(of directory: URL) -> String {
        let path = directory.resolvingSymlinksInPath().path
        let home = URL(fileURLWithPath: NSHomeDirectory()).resolvingSymlinksInPath().path + "/"
        return path.hasPrefix(home)
          ? String(path.dropFirst(home.count)) : directory.lastPathComponent
      }
    #endif
  }
}
