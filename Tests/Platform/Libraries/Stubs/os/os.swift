// SPDX-License-Identifier: Apache-2.0

// What public libraries use of Apple's unified logging, written to standard error.
import Foundation

public struct OSLogPrivacy: Sendable {
  public static let `private` = OSLogPrivacy()
  public static let `public` = OSLogPrivacy()
  public static let auto = OSLogPrivacy()
}

public struct OSLogType: Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let `default` = OSLogType(rawValue: 0)
  public static let info = OSLogType(rawValue: 1)
  public static let debug = OSLogType(rawValue: 2)
  public static let error = OSLogType(rawValue: 16)
  public static let fault = OSLogType(rawValue: 17)
}

public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    public mutating func appendInterpolation<Value>(
      _ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto
    ) {
      text += "\(value())"
    }
  }

  let text: String

  public init(stringLiteral value: String) {
    text = value
  }

  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }
}

public final class OSLog: Sendable {
  public static let disabled = OSLog(isEnabled: false)
  public static let `default` = OSLog(isEnabled: true)
  let isEnabled: Bool

  public init(subsystem: String, category: String) {
    isEnabled = true
  }

  init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }
}

public struct Logger: Sendable {
  private let log: OSLog

  public init() {
    log = .default
  }

  public init(_ log: OSLog) {
    self.log = log
  }

  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  private func write(_ level: String, _ message: OSLogMessage) {
    guard log.isEnabled else { return }
    FileHandle.standardError.write(Data("\(level): \(message.text)\n".utf8))
  }

  public func debug(_ message: OSLogMessage) { write("debug", message) }
  public func info(_ message: OSLogMessage) { write("info", message) }
  public func notice(_ message: OSLogMessage) { write("notice", message) }
  public func warning(_ message: OSLogMessage) { write("warning", message) }
  public func error(_ message: OSLogMessage) { write("error", message) }
  public func fault(_ message: OSLogMessage) { write("fault", message) }
}
