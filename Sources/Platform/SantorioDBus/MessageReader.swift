// SPDX-License-Identifier: Apache-2.0

import CSystemd
import FoundationEssentials
import Glibc

/// Reads the values of a received message; sd-bus bounds its size and its depth.
@safe struct MessageReader {
  let message: OpaquePointer

  /// All values, from the first.
  func values() throws(DBusError) -> [DBusValue] {
    try DBusError.check(unsafe sd_bus_message_rewind(message, 1))
    return try remaining()
  }

  private func remaining() throws(DBusError) -> [DBusValue] {
    var values: [DBusValue] = []
    while let value = try next() { values.append(value) }
    return values
  }

  private func next() throws(DBusError) -> DBusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard try DBusError.check(unsafe sd_bus_message_peek_type(message, &type, &contents)) > 0
    else { return nil }
    let inner = unsafe contents.map { unsafe String(cString: $0) } ?? ""
    let letter = Unicode.Scalar(UInt8(bitPattern: type))
    switch letter {
    case "a": return try array(of: inner)
    case "r": return .structure(try enter("r", inner))
    case "v": return try variant(inner)
    case "s": return .string(try string("s"))
    case "o": return .objectPath(try string("o"))
    case "g": return .signature(try string("g"))
    case "h": return .fileDescriptor(try descriptor())
    default: return try number(letter)
    }
  }

  private func number(_ type: Unicode.Scalar) throws(DBusError) -> DBusValue {
    switch type {
    case "y": .byte(try read(0, type))
    case "b": .boolean(try read(0 as Int32, type) != 0)
    case "n": .int16(try read(0, type))
    case "q": .uint16(try read(0, type))
    case "i": .int32(try read(0, type))
    case "u": .uint32(try read(0, type))
    case "x": .int64(try read(0, type))
    case "t": .uint64(try read(0, type))
    case "d": .double(try read(0, type))
    default: throw DBusError(code: -EBADMSG)
    }
  }

  private func read<Number: BitwiseCopyable>(
    _ zero: Number, _ type: Unicode.Scalar
  ) throws(DBusError) -> Number {
    var number = zero
    try DBusError.check(unsafe sd_bus_message_read_basic(message, type.code, &number))
    return number
  }

  private func string(_ type: Unicode.Scalar) throws(DBusError) -> String {
    var string: UnsafePointer<CChar>?
    try DBusError.check(unsafe sd_bus_message_read_basic(message, type.code, &string))
    return unsafe string.map { unsafe String(cString: $0) } ?? ""
  }

  private func descriptor() throws(DBusError) -> DBusFileDescriptor {
    // The message owns its descriptors.
    let copy = fcntl(try read(-1 as Int32, "h"), F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw DBusError(code: -errno) }
    return DBusFileDescriptor(copy)
  }

  private func variant(_ contents: String) throws(DBusError) -> DBusValue {
    guard let content = try enter("v", contents).first else { throw DBusError(code: -EBADMSG) }
    return .variant(content)
  }

  private func array(of element: String) throws(DBusError) -> DBusValue {
    if element == "y" { return .bytes(try bytes()) }
    if element.hasPrefix("{") { return try dictionary(String(element.dropFirst().dropLast())) }
    return .array(try enter("a", element), of: element)
  }

  private func bytes() throws(DBusError) -> Data {
    var start: UnsafeRawPointer?
    var count = 0
    let type = ("y" as Unicode.Scalar).code
    try DBusError.check(unsafe sd_bus_message_read_array(message, type, &start, &count))
    return unsafe start.map { unsafe Data(bytes: $0, count: count) } ?? Data()
  }

  private func dictionary(_ entry: String) throws(DBusError) -> DBusValue {
    var entries: [DBusValue: DBusValue] = [:]
    try DBusError.check(open("a", "{" + entry + "}"))
    while try DBusError.check(open("e", entry)) > 0 {
      guard let key = try next(), let value = try next() else { throw DBusError(code: -EBADMSG) }
      entries[key] = value
      try close()
    }
    try close()
    return .dictionary(entries, key: String(entry.prefix(1)), value: String(entry.dropFirst()))
  }

  private func enter(
    _ type: Unicode.Scalar, _ contents: String
  ) throws(DBusError) -> [DBusValue] {
    try DBusError.check(open(type, contents))
    let values = try remaining()
    try close()
    return values
  }

  private func open(_ type: Unicode.Scalar, _ contents: String) -> Int32 {
    unsafe sd_bus_message_enter_container(message, type.code, contents)
  }

  private func close() throws(DBusError) {
    try DBusError.check(unsafe sd_bus_message_exit_container(message))
  }
}

extension MessageReader {
  var sender: String { unsafe text(sd_bus_message_get_sender(message)) }
  var path: String { unsafe text(sd_bus_message_get_path(message)) }
  var interface: String { unsafe text(sd_bus_message_get_interface(message)) }
  var member: String { unsafe text(sd_bus_message_get_member(message)) }

  /// The answer: the values, or the error instead of them.
  var answer: Result<[DBusValue], DBusError> {
    if let error = unsafe sd_bus_message_get_error(message) {
      return unsafe .failure(DBusError(error.pointee))
    }
    do { return .success(try values()) } catch { return .failure(error) }
  }

  /// The signal; nil when its values cannot be read.
  var signal: DBusSignal? {
    guard let arguments = try? values() else { return nil }
    return DBusSignal(
      sender: sender, path: path, interface: interface, member: member, arguments: arguments)
  }

  private func text(_ string: UnsafePointer<CChar>?) -> String {
    unsafe string.map { unsafe String(cString: $0) } ?? ""
  }
}
