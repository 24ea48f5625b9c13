// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// A message of sd-bus, held once; to be used and dropped on the queue of its bus.
@safe struct Message: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over the message that `make` makes.
  init(_ make: (inout OpaquePointer?) -> Int32) throws(DBusError) {
    var pointer: OpaquePointer?
    let code = unsafe make(&pointer)
    try DBusError.check(code)
    guard let made = unsafe pointer else { throw DBusError(code: -ENOMEM) }
    unsafe self.pointer = unsafe made
  }

  deinit { unsafe sd_bus_message_unref(pointer) }

  /// The reference daemon disconnects clients that send more than 32 MiB; leaves room for the
  /// header.
  private static let limit = 32 << 20 - 64 << 10

  func append(_ values: [DBusValue]) throws(DBusError) {
    guard values.reduce(0, { $0 + $1.size }) <= Self.limit else {
      throw DBusError(DBusError.limitsExceeded, "The message exceeds 32 MiB; send it in parts.")
    }
    var writer = unsafe MessageWriter(message: pointer)
    for value in values { try writer.append(value) }
  }
}

extension Message {
  /// Makes a call; text that C cannot hold is an error.
  static func call(_ call: DBusCall, on bus: OpaquePointer) throws(DBusError) -> Message {
    try plain(call.destination, call.path, call.interface, call.member)
    let message = try unsafe Message { message in
      unsafe sd_bus_message_new_method_call(
        bus, &message, call.destination, call.path, call.interface, call.member)
    }
    unsafe sd_bus_message_set_auto_start(message.pointer, call.startsService ? 1 : 0)
    try message.append(call.arguments)
    return message
  }

  static func signal(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue],
    on bus: OpaquePointer
  ) throws(DBusError) -> Message {
    try plain(path, interface, member)
    let message = try unsafe Message { message in
      unsafe sd_bus_message_new_signal(bus, &message, path, interface, member)
    }
    try message.append(arguments)
    return message
  }

  static func answer(
    _ values: [DBusValue], to call: OpaquePointer
  ) throws(DBusError) -> Message {
    let message = try unsafe Message { unsafe sd_bus_message_new_method_return(call, &$0) }
    try message.append(values)
    return message
  }

  static func answer(
    _ failure: DBusError, to call: OpaquePointer
  ) throws(DBusError) -> Message {
    // At least two parts of permitted characters: the rules for interface names apply to errors.
    guard unsafe sd_bus_interface_name_is_valid(failure.name) > 0 else {
      throw DBusError(code: -EINVAL)
    }
    try plain(failure.name)
    var error = unsafe sd_bus_error()
    unsafe sd_bus_error_set(&error, failure.name, failure.message)
    defer { unsafe sd_bus_error_free(&error) }
    return try unsafe Message { unsafe sd_bus_message_new_method_error(call, &$0, &error) }
  }

  /// Throws when a string contains a zero byte, at which C would truncate it.
  private static func plain(_ strings: String...) throws(DBusError) {
    for string in strings where string.utf8.contains(0) {
      throw DBusError(DBusError.invalidArguments, "A name contains a zero byte.")
    }
  }
}
