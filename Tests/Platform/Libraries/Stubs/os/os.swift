// SPDX-License-Identifier: Apache-2.0

// What public libraries use of Apple's unified logging, written to standard error.
import Foundation

/// Whether a value may be read in the log; here all may.
public struct OSLogPrivacy: Sendable {
  /// For the developer alone.
  public static let `private` = OSLogPrivacy()
  /// For everybody.
  public static let `public` = OSLogPrivacy()
  /// As the type of the value demands.
  public static let auto = OSLogPrivacy()
}

/// How much a message matters.
public struct OSLogType: Hashable, Sendable {
  /// The number in Apple's interface.
  public let rawValue: UInt8

  /// A level by its number.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// What may lead to a failure.
  public static let `default` = OSLogType(rawValue: 0)
  /// Helpful, not essential.
  public static let info = OSLogType(rawValue: 1)
  /// For development.
  public static let debug = OSLogType(rawValue: 2)
  /// A failure of the process.
  public static let error = OSLogType(rawValue: 16)
  /// A fault of the system.
  public static let fault = OSLogType(rawValue: 17)
}

/// The text of a message.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  /// Collects the text.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    /// An empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds a literal.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    /// Adds a value.
    public mutating func appendInterpolation<Value>(
      _ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto
    ) {
      text += "\(value())"
    }
  }

  let text: String

  /// A message without values.
  public init(stringLiteral value: String) {
    text = value
  }

  /// A message with values.
  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }
}

/// Where messages go.
public final class OSLog: Sendable {
  /// Nowhere.
  public static let disabled = OSLog(isEnabled: false)
  /// The log of those that name none.
  public static let `default` = OSLog(isEnabled: true)
  let isEnabled: Bool

  /// A log of a subsystem.
  public convenience init(subsystem: String, category: String) {
    self.init(isEnabled: true)
  }

  private init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }
}

/// Writes messages.
public struct Logger: Sendable {
  private let log: OSLog

  /// Writes to a log.
  public init(_ log: OSLog) {
    self.log = log
  }

  /// Writes to the log of a subsystem.
  public init(subsystem: String, category: String) {
    self.init(OSLog(subsystem: subsystem, category: category))
  }

  private func write(_ level: String, _ message: OSLogMessage) {
    guard log.isEnabled else { return }
    FileHandle.standardError.write(Data("\(level): \(message.text)\n".utf8))
  }

  /// Writes what matters during development alone.
  public func debug(_ message: OSLogMessage) { write("debug", message) }
  /// Writes what is helpful, not essential.
  public func info(_ message: OSLogMessage) { write("info", message) }
  /// Writes what is essential.
  public func notice(_ message: OSLogMessage) { write("notice", message) }
  /// Writes what may become a failure.
  public func warning(_ message: OSLogMessage) { write("warning", message) }
  /// Writes a failure.
  public func error(_ message: OSLogMessage) { write("error", message) }
  /// Writes a fault of the program.
  public func fault(_ message: OSLogMessage) { write("fault", message) }
}
