// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SantorioConcurrency
import SantorioCore

/// The parts of the library that log; the numbers are Validic's, to be combined with `|`.
#if canImport(ObjectiveC)
  @objc(VLDLog)
#endif
public enum VLDLog: UInt, CaseIterable, Sendable {
  /// Reading Bluetooth devices.
  case bluetooth = 1
  /// Reading HealthKit.
  case healthKit = 2
  /// Reading displays.
  case OCR = 4
  /// Sessions, the queue and the upload.
  case core = 8
}

/// Log messages of the library; off until enabled.
///
/// None holds a health value, a name or a token.
#if canImport(ObjectiveC)
  @objc(VLDLogging) @objcMembers
#endif
public final class VLDLogging: NSObject, Sendable {
  /// Receives a message: the part that logs it, and the text.
  ///
  /// Called on any thread, with one message after the other, some time after what it tells of.
  public typealias Logger = @Sendable (_ sdkTag: String, _ message: String) -> Void

  private static let shared = VLDLogging()

  // Messages come from within the session's own turns, in which the app must not ask the session.
  private let messages = OrderedWork()
  private let current = Locked<Current?>(nil)

  private struct Current {
    let logger: Logger
  }

  /// The instance for the process.
  ///
  /// - Returns: The instance.
  public static func sharedInstance() -> VLDLogging { shared }

  /// Whether messages are logged.
  public var isEnabled: Bool {
    get { SantorioLogging.shared.isEnabled }
    set { SantorioLogging.shared.isEnabled = newValue }
  }

  /// The parts that log, as a sum of ``VLDLog`` numbers; all of them by default.
  public var log: UInt {
    get { UInt(bitPattern: SantorioLogging.shared.frameworks.rawValue) }
    set { SantorioLogging.shared.frameworks = .init(rawValue: Int(bitPattern: newValue)) }
  }

  /// Sends messages to a handler instead of the system's log.
  ///
  /// - Parameter logger: Receives messages; nil for the system's log again.
  public func setLogger(_ logger: Logger?) {
    current.withLock { $0 = logger.map(Current.init) }
    guard let logger else { return SantorioLogging.shared.setHandler(nil) }
    SantorioLogging.shared.setHandler { [messages] tag, message in
      _ = messages.add { logger(tag, message) }
    }
  }

  /// The handler that receives messages.
  ///
  /// - Returns: The handler; nil when messages go to the system's log.
  public func getLogger() -> Logger? { current.withLock { $0 }?.logger }
}
