// SPDX-License-Identifier: Apache-2.0

// In place of the library's own, which signs its posts for Apple's Instruments.
import VitalLogging

/// The library's logs.
public enum VitalLogger {
  /// Of everything else.
  public static let core = Logger(label: "core")
  /// Of reading.
  public static let healthKit = Logger(label: "healthKit")
  /// Of the network.
  public static let requests = Logger(label: "requests")
  /// Of devices.
  public static let devices = Logger(label: "devices")

  /// The time of some work; here nobody takes it.
  public final class Signpost {
    /// Begins some work.
    public static func begin(name: StaticString, description: String = "") -> Signpost {
      Signpost()
    }

    /// Ends it.
    public func end() {}

    /// Ends it after an action.
    public func endWith(_ action: () async throws -> Void) async throws { try await action() }
  }
}
