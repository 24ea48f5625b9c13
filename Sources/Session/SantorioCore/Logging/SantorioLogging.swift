// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Log messages of the package's modules; off until enabled.
///
/// Enable it in code or with the environment variable `SANTORIO_LOG`.
///
/// ```swift
/// SantorioLogging.shared.frameworks = [.bluetooth, .core]
/// SantorioLogging.shared.isEnabled = true
/// SantorioLogging.shared.setHandler { tag, message in print(tag, message) }
/// ```
///
/// On Apple's systems a message goes to the unified log, in the subsystem ``subsystem`` and the
/// ``Category`` of the part that logs it, at a level that is kept on the disk: it is in the log
/// archive of a sysdiagnose. Elsewhere it goes to standard error.
///
/// A message never holds a health value, a name or a token: it is a constant text with numbers and
/// codes beside it.
public final class SantorioLogging: Sendable {
  /// Receives one message.
  ///
  /// `tag` is the ``Category`` of the part that logged it, for instance `SantorioUpload`. Called on
  /// any thread, possibly on several at once, and from within the work of a session: it must not
  /// block, and not call the session's waiting methods.
  public typealias Handler = @Sendable (_ tag: String, _ message: String) -> Void

  /// The subsystem in Apple's unified log.
  public static let subsystem = "org.santorio"

  /// The instance for the process.
  public static let shared = SantorioLogging(environment: ProcessInfo.processInfo.environment)

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

  /// What receives the messages instead of the system's log; nil for the system's log.
  public var handler: Handler? { state.withLock { $0.handler } }

  /// Sends messages to a handler instead of the system's log.
  ///
  /// - Parameter handler: Receives messages; nil for the system's log again, which is the unified
  ///   log on Apple's systems and standard error elsewhere.
  public func setHandler(_ handler: Handler?) { state.withLock { $0.handler = handler } }

  /// Logs a message, if enabled.
  ///
  /// - Parameters:
  ///   - category: The part of the package that logs it.
  ///   - level: How much it matters.
  ///   - message: What happened; constant, so that it cannot hold user data.
  ///   - facts: Numbers and codes about it.
  package func log(
    _ category: Category, level: LogLevel = .notice, _ message: StaticString,
    _ facts: [LogFact] = []
  ) {
    let (isWanted, handler) = state.withLock { state in
      (state.isEnabled && state.frameworks.contains(category.framework), state.handler)
    }
    guard isWanted else { return }
    let text = level.prefix + ([message.description] + facts.map(\.text)).joined(separator: " ")
    guard let handler else { return SystemLog.write(category, level, text) }
    handler(category.rawValue, text)
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
  }
}
