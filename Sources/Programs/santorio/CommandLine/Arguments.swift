// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Glibc

/// The arguments of one call of a command.
struct Arguments: Sendable {
  /// The options given, with their values; an option without a value has an empty one.
  private(set) var options: [String: String] = [:]
  /// What is no option, in order.
  private(set) var operands: [String] = []
  /// The command's name, for error texts.
  let command: String

  /// The option's value, or nil when it was not given.
  subscript(option: String) -> String? { options[option] }

  /// Whether an option was given.
  func has(_ option: String) -> Bool { options[option] != nil }

  /// The option's value as a number within a range.
  func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = options[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "--\(option) takes a whole number \(range.lowerBound)...\(range.upperBound), not «\(text)».",
        command: command)
    }
    return number
  }

  /// Parses by the C library's `getopt_long`.
  ///
  /// - Parameters:
  ///   - words: What follows the command's name.
  ///   - command: Whose options to take.
  /// - Throws: ``UsageError`` for an unknown option, a missing or an unexpected value.
  init(parsing words: [String], for command: Command) throws(UsageError) {
    self.command = command.name
    let known = command.options + [.help]
    // getopt_long wants the program's name first, and permutes the array it is given.
    var pointers = unsafe (["santorio"] + words).map { unsafe strdup($0) } + [nil]
    let names = unsafe known.map { unsafe strdup($0.name) }
    defer {
      for unsafepointer in unsafe pointers { unsafe free(pointer) }
      for unsafename in unsafe names { unsafe free(name) }
    }
    let table =
      unsafe zip(known, names).enumerated().map { index, row in
        unsafe option(
          name: row.1, has_arg: row.0.value == nil ? 0 : 1, flag: nil, val: Int32(1000 + index))
      } + [option()]
    unsafe (optind, opterr) = (0, 0)
    let count = Int32(words.count + 1)
    while true {
      let found = unsafe getopt_long(count, &pointers, ":", table, nil)
      if found == -1 { break }
      guard found >= 1000 else {
        let word = unsafe pointers[Int(optind) - 1].map { unsafe String(cString: $0) } ?? ""
        throw Self.error(word, isKnown: found == Int32(UInt8(ascii: ":")), in: command)
      }
      options[known[Int(found) - 1000].name] =
        unsafe optarg.map { unsafe String(cString: $0) } ?? ""
    }
    let rest = unsafe pointers[Int(optind)..<Int(count)]
    operands = unsafe rest.compactMap { unsafe $0.map { unsafe String(cString: $0) } }
  }

  private static func error(_ word: String, isKnown: Bool, in command: Command) -> UsageError {
    let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
    if let option = command.options.first(where: { $0.name == name }) {
      let right = isKnown ? "needs a value: \(option.synopsis)" : "takes no value"
      return UsageError("--\(option.name) \(right).", command: command.name)
    }
    let known = (command.options + [.help]).map { "--\($0.name)" }.joined(separator: ", ")
    return UsageError(
      "«\(word)» is no option of this command; it knows \(known).", command: command.name)
  }
}

/// A call that cannot be understood.
struct UsageError: Error, CustomStringConvertible {
  /// What was wrong and what is right.
  let message: String
  /// The command, if one was named.
  let command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  var description: String {
    let help = command.map { "santorio \($0) --help" } ?? "santorio help"
    return "santorio: \(message)\nTry «\(help)»."
  }
}
