// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Log messages of the package's modules; off until enabled.
///
/// Enable it in code or with the environment variable `SANTORIO_LOG`.
///
/// ```swift
/// Logging.shared.frameworks = [.bluetooth, .core]
/// Logging.shared.isEnabled = true
/// Logging.shared.setHandler { tag, message in print(tag, message) }
/// ```
/// A message never holds a health value, a name or a token: it is a constant text with numbers
/// and codes.
/// codes beside it.
public final class Logging: Sendable {
  /// Receives one message.
  ///
  /// `tag` is the module that logged it, for instance `SantorioCore`. Called on any thread,
  /// possibly on several at once; it must not block.
  public typealias Handler = @Sendable (_ tag: String, _ message: String) -> Void

  /// The instance for the process.
  public static let shared = Logging(environment: ProcessInfo.processInfo.environment)

  private struct State {
    var isEnabled = false
    var frameworks = Frameworks.all
    var handler: Handler?
  }

  private let state = Locked(State())

  /// Makes a log configured by the environment.
  init(environment: [String: String] = [:]) {
    guard let names = environment[Self.variable], !names.isEmpty else { return }
    let frameworks = Frameworks(names: names)
    state.withLock { state in
      state.isEnabled = true
      state.frameworks = frameworks
    }
  }

  /// The environment variable that enables messages.
  ///
  /// Its value is a comma-separated list of frameworks (`bluetooth`, `healthkit`, `ocr`, `core`),
  /// or `all`.
  public static let variable = "SANTORIO_LOG"

  /// The names that the variable accepts.
  package static var knownNames: [String] { Frameworks.names.map(\.0) }

  /// The names in the variable that are not among ``knownNames``.
  ///
  /// - Parameter environment: The environment of the process.
  /// - Returns: The names as they were given; none when the variable is not set.
  package static func unknownNames(in environment: [String: String]) -> [String] {
    Frameworks.split(environment[variable] ?? "").filter { name in
      !knownNames.contains(name.lowercased())
    }
  }

  /// Whether messages are logged.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// The parts of the package that log; all of them by default.
  public var frameworks: Frameworks {
    get { state.withLock { $0.frameworks } }
    set { state.withLock { $0.frameworks = newValue } }
  }

  /// Sends messages to a handler instead of the system's log.
  ///
  /// - Parameter handler: Receives messages; nil for the system's log again, which is the unified
  ///   log on Apple's systems and standard error elsewhere.
  public func setHandler(_ handler: Handler?) { state.withLock { $0.handler = handler } }

  /// Logs a message, if enabled.
  ///
  /// - Parameters:
  ///   - framework: The part of the package that logs it.
  ///   - message: What happened; constant, so that it cannot hold user data.
  ///   - facts: Numbers and codes about it.
  package func log(_ framework: Frameworks, _ message: StaticString, _ facts: [LogFact] = []) {
    let handler = state.withLock { state -> Handler? in
      guard state.isEnabled, state.frameworks.contains(framework) else { return nil }
      return state.handler ?? SystemLog.write
    }
    handler?(framework.tag, ([message.description] + facts.map(\.text)).joined(separator: " "))
  }

  /// Parts of the package; they can be combined.
  public struct Frameworks: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set from its bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Reading Bluetooth devices.
    public static let bluetooth = Frameworks(rawValue: 1)
    /// Reading HealthKit.
    public static let healthKit = Frameworks(rawValue: 2)
    /// Reading displays.
    public static let ocr = Frameworks(rawValue: 4)
    /// Session, queue and upload.
    public static let core = Frameworks(rawValue: 8)
    /// All of them.
    public static let all: Frameworks = [.bluetooth, .healthKit, .ocr, .core]

    fileprivate static let names: [(String, Frameworks)] = [
      ("bluetooth", .bluetooth), ("healthkit", .healthKit), ("ocr", .ocr), ("core", .core),
      ("all", .all),
    ]

    fileprivate static func split(_ names: String) -> [String] {
      names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    init(names: String) {
      let given = Self.split(names.lowercased())
      self.init(Self.names.filter { given.contains($0.0) }.map(\.1))
    }

    var tag: String {
      switch self {
      case .bluetooth: "SantorioBluetooth"
      case .healthKit: "SantorioHealthKit"
      case .ocr: "SantorioOCR"
      default: "SantorioCore"
      }
    }
  }
}

/// A number or a code in a message: only kinds of values that reveal nothing about a user.
package struct LogFact: Sendable {
  let text: String

  private init(_ name: StaticString, _ value: String) { text = "\(name)=\(value)" }

  /// A number of items.
  package static func count(_ name: StaticString, _ count: Int) -> LogFact {
    LogFact(name, String(count))
  }

  /// An HTTP status.
  package static func status(_ status: Int?) -> LogFact {
    LogFact("status", status.map(String.init) ?? "none")
  }

  /// A time span, to the tenth of a second.
  package static func seconds(_ duration: Duration) -> LogFact {
    let tenths = duration.milliseconds / 100
    return LogFact("seconds", "\(tenths / 10).\(tenths % 10)")
  }

  /// Why an operation failed.
  package static func error(_ code: SessionError.Code) -> LogFact { LogFact("error", code.name) }

  /// Why an operation failed, by the name of an error's code, which is a constant.
  package static func error(named name: String) -> LogFact { LogFact("error", name) }

  /// A state or a kind, as a constant name.
  package static func kind(_ kind: StaticString) -> LogFact { LogFact("kind", kind.description) }
}
