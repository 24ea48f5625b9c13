// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// An error that a peer, the bus or sd-bus answered with.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `org.bluez.Error.Failed`.
  package var name: String
  /// The peer's message, which may contain names and addresses.
  package var message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// The name only, since the message is the peer's.
  package var description: String { name }
}

/// Names of errors that the bus, sd-bus and this module use.
extension DBusError {
  package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
  package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
  package static let failed = "org.freedesktop.DBus.Error.Failed"
  package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
  package static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
  package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
  package static let noReply = "org.freedesktop.DBus.Error.NoReply"
  package static let objectPathInUse = "org.freedesktop.DBus.Error.ObjectPathInUse"
  package static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
  package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
  package static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
  package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
  package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
  package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
}

extension DBusError {
  static let connectionEnded = DBusError(
    name: disconnected, message: "The connection to the bus has ended; open it again.")

  init(_ name: String, _ message: String) { self.init(name: name, message: message) }

  /// The error for a negative result of sd-bus.
  init(code: Int32) {
    switch -code {
    case ENOTCONN, ECONNRESET, ECONNABORTED, EPIPE, ESHUTDOWN:
      self = .connectionEnded
    default:
      var error = unsafe sd_bus_error()
      unsafe sd_bus_error_set_errno(&error, code)
      unsafe self.init(error)
      unsafe sd_bus_error_free(&error)
    }
  }

  init(_ error: sd_bus_error) {
    self.init(
      name: unsafe error.name.map { unsafe String(cString: $0) } ?? Self.failed,
      message: unsafe error.message.map { unsafe String(cString: $0) } ?? "")
  }

  /// Throws if a function of sd-bus failed.
  @discardableResult
  static func check(_ code: Int32) throws(DBusError) -> Int32 {
    guard code >= 0 else { throw DBusError(code: code) }
    return code
  }
}
