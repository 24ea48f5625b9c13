// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Session {
  /// Where a session lives, where its records go, and how.
  public struct Configuration: @unchecked Sendable {
    // Unchecked for `notificationCenter` alone: it may be used from any thread, and SDKs before iOS 17
    // do not say so to the compiler.
    /// The folder of the session's files, its alone; made when it is missing.
    ///
    /// On Apple's systems one in Application Support, in no shared app group container.
    public var directory: URL
    /// The server's address; `https`, or `http` for a server on the same machine or network.
    public var endpoint: URL
    /// What carries requests.
    public var transport: any Transport
    /// What keeps tokens.
    public var credentials: any CredentialStoring
    /// The most octets of records that wait; more are refused to the caller.
    ///
    /// There is no limit of age: no record is given up because it waited long.
    public var maximumBytes = 256 << 20
    /// The most records in one request.
    public var maximumBatchRecords = 100
    /// The most octets in one request, unless a single record is larger.
    public var maximumBatchBytes = 256 << 10
    /// How long one request may take.
    public var requestTimeout = Duration.seconds(30)
    /// How often the folder is looked at for records that another process submitted.
    public var idleInterval = Duration.seconds(5)
    /// Where events are posted as notifications, on no particular thread.
    public var notificationCenter = NotificationCenter.default
    /// The clock of all waits.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The wall clock.
    public var now: @Sendable () -> Date = { Date() }
    /// Draws evenly from a range, for the spread of waits.
    public var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    /// Makes a configuration with the platform's transport and credential store.
    ///
    /// - Parameters:
    ///   - directory: The folder of the session's files.
    ///   - endpoint: The server's address.
    public init(directory: URL, endpoint: URL) {
      self.directory = directory
      self.endpoint = endpoint
      #if canImport(Darwin)
        transport = URLSessionTransport()
        credentials = Keychain(service: "org.santorio.\(directory.lastPathComponent)")
      #else
        transport = CurlTransport()
        credentials = CredentialFiles(folder: directory)
      #endif
    }
  }
}
