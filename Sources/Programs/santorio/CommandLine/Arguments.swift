// SPDX-License-Identifier: Apache-2.0

@unsafe @preconcurrency import CGetopt
import Foundation

/// The arguments of one call of a command.
struct Arguments: Sendable {
  /// The options given, with their values; the value is empty for an option that takes none.
  private(set) var options: [String: String] = [:]
  /// All values of the options that may be given several times.
  private var repeated: [String: [String]] = [:]
  /// The operands, which are not options, in order.
  private(set) var operands: [String] = []
  /// The command's name, for error texts.
  let command: String

  /// The option's value, or nil when it was not given.
  subscript(option: String) -> String? { options[option] }

  /// All values of an option that may be given several times, in order.
  func values(of option: String) -> [String] { repeated[option] ?? [] }

  /// Whether an option was given.
  func has(_ option: String) -> Bool { options[option] != nil }

  /// The option's value as a number within a range.
  func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = options[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "--\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "not \"\(text.printable)\".",
        command: command)
    }
    return number
  }

  /// The option's value as one of a set, or nil when it was not given.
  ///
  /// - Throws: ``UsageError`` for any other value.
  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ option: String, of values: Value.Type
  ) throws(UsageError) -> Value? {
    guard let text = options[option] else { return nil }
    guard let value = Value(rawValue: text) else {
      throw UsageError(
        "--\(option) takes \(values.allCases.map(\.rawValue).alternatives), "
          + "not \"\(text.printable)\".", command: command)
    }
    return value
  }

  // getopt_long keeps its state in global variables: one parse at a time.
  private static let turn = NSLock()

  /// Parses by the C library's `getopt_long`.
  ///
  /// - Parameters:
  ///   - words: What follows the command's name.
  ///   - command: The command whose options to accept.
  /// - Throws: ``UsageError`` for an unknown option, a missing or an unexpected value.
  init(parsing words: [String], for command: Command) throws(UsageError) {
    self.command = command.name
    Self.turn.lock()
    defer { Self.turn.unlock() }
    try parse(words, for: command)
  }

  private mutating func parse(_ words: [String], for command: Command) throws(UsageError) {
    let known = command.options + [CommandOption.forHelp]
    let names = CStrings(known.map(\.name))
    // getopt_long expects the program's name first, and permutes the array it is given.
    let vector = CStrings(["santorio"] + words)
    let table = unsafe CommandOption.table(known, names: names)
    (optind, opterr) = (0, 0)
    while true {
      let found = unsafe getopt_long(vector.count, vector.pointers, ":", table, nil)
      guard found != -1 else { break }
      guard found >= CommandOption.firstCode else {
        let word = vector.string(at: Int(optind) - 1)
        throw Self.error(word, isKnown: found == Int32(UInt8(ascii: ":")), in: command)
      }
      let option = known[Int(found - CommandOption.firstCode)]
      let value = unsafe optarg.map { unsafe String(cString: $0) } ?? ""
      guard option.value == nil || !value.isEmpty else {
        throw UsageError(
          "--\(option.name) needs a value: \(option.synopsis).", command: command.name)
      }
      options[option.name] = value
      if option.repeats { repeated[option.name, default: []].append(value) }
    }
    operands = (Int(optind)..<Int(vector.count)).map { vector.string(at: $0) }
  }

  private static func error(_ word: String, isKnown: Bool, in command: Command) -> UsageError {
    let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
    if let option = command.options.first(where: { $0.name == name }) {
      let right = isKnown ? "needs a value: \(option.synopsis)" : "does not take a value"
      return UsageError("--\(option.name) \(right).", command: command.name)
    }
    // Without the value, which may be a secret that was meant for another option.
    let given = String(word.prefix { $0 != "=" })
    let known = (command.options + [CommandOption.forHelp]).map { "--\($0.name)" }
    return UsageError(
      Suggestion.text(unknown: "option", given, among: known), command: command.name)
  }
}

/// A call with wrong arguments.
struct UsageError: Error, CustomStringConvertible {
  /// What is wrong and what is expected, as sentences.
  let message: String
  /// The command, if one was named.
  let command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  var description: String {
    let help = command.map { "santorio \($0) --help" } ?? "santorio help"
    return "santorio: \(message)\nTry \"\(help)\"."
  }
}

/// Why a command failed although its arguments are right, and what to do.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension CommandOption {
  /// The number of the first option; above all characters.
  fileprivate static let firstCode: Int32 = 1000

  /// The table of options for the C library; it is valid as long as the names are.
  fileprivate static func table(_ options: [CommandOption], names: CStrings) -> [CGetopt.option] {
    let rows = unsafe options.indices.map { index in
      unsafe CGetopt.option(
        name: UnsafePointer(names.pointers[index]), has_arg: options[index].value == nil ? 0 : 1,
        flag: nil, val: firstCode + Int32(index))
    }
    return unsafe rows + [CGetopt.option()]
  }
}

/// An array of C strings, terminated by a null pointer as `argv` is.
@safe private final class CStrings {
  let count: Int32
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  init(_ strings: [String]) {
    count = Int32(strings.count)
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
    unsafe pointers[strings.count] = nil
  }

  deinit {
    for index in 0..<Int(count) { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }

  func string(at index: Int) -> String {
    unsafe pointers[index].map { unsafe String(cString: $0) } ?? ""
  }
}
