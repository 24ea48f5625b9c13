// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import PayloadInspection
import HealthRecords
import SantorioJSON

extension Command {
  static let decode = Command(
    name: "decode",
    summary: "Decode the payload of a Bluetooth characteristic.",
    forms: ["[--json] [--key HEX] [--address HEX] CHARACTERISTIC HEX", "--jsonl <FILE"],
    options: [
      CommandOption("json", help: "Print one JSON object instead of a list."),
      CommandOption(
        "jsonl",
        help:
          "Read objects, one per line, with \"char\", \"hex\", optional \"params\"; print likewise."
      ),
      CommandOption(
        "key", "HEX", help: "The bind key of a device with encrypted broadcasts."),
      CommandOption("address", "HEX", help: "That device's address."),
    ],
    details: """
      CHARACTERISTIC is a 16-bit UUID, HEX the payload in hexadecimal digits; spaces, colons and
      hyphens between bytes are ignored. An invalid payload gives exit status 1, or with --jsonl
      an object {"error": …} in its place.

      characteristics:
      \(characteristics)

      example: santorio decode 2A35 167C0056006100E807060F11111B33000000
      """
  ) { arguments in
    if arguments.has("jsonl") { return try PayloadPrinter.printLines(arguments) }
    return try PayloadPrinter.printOne(arguments)
  }

  private static var characteristics: String {
    CharacteristicCodec.all
      .map { "  \($0.characteristic.padded(to: 6))  \($0.name)" }
      .joined(separator: "\n")
  }
}

/// Decodes payloads and prints what is in them.
enum PayloadPrinter {
  static func printOne(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 2 else {
      throw UsageError(
        "\"decode\" takes a characteristic and a payload, for example: santorio decode 2A19 4B.",
        command: "decode")
    }
    let (characteristic, hex) = (arguments.operands[0], arguments.operands[1])
    let bytes = try bytes(hex)
    do throws(PayloadError) {
      let decoded = try CharacteristicCodec.decode(
        characteristic: characteristic, payload: bytes, parameters: parameters(arguments))
      print(arguments.has("json") ? json(decoded) : list(decoded))
      return 0
    } catch {
      if arguments.has("json") { print(json(error)) }
      printError("santorio: \(error)")
      return 1
    }
  }

  static func printLines(_ arguments: Arguments) throws -> Int32 {
    let others = ["json", "key", "address"].filter(arguments.has)
    guard arguments.operands.isEmpty, others.isEmpty else {
      throw UsageError(
        "--jsonl reads standard input and cannot be combined with operands or other options.",
        command: "decode")
    }
    var input = StandardInput()
    while let line = try input.line() {
      print(Self.line(String(decoding: line, as: UTF8.self)))
    }
    return 0
  }

  /// The output for a line of the input.
  static func line(_ line: String) -> String {
    do {
      let object = try JSONReader(parsing: line.utf8)
      let characteristic = try object.member("char").string()
      let bytes = try bytes(try object.member("hex").string())
      let parameters = try parameters(object)
      return json(
        try CharacteristicCodec.decode(
          characteristic: characteristic, payload: bytes, parameters: parameters))
    } catch let error as PayloadError {
      return json(error)
    } catch let error as RecordError {
      return errorObject { json in
        json.key("code")
        json.string("malformedInput")
        json.key("message")
        json.string("\(error)")
      }
    } catch {
      return errorObject { json in
        json.key("code")
        json.string("malformedInput")
        json.key("message")
        json.string((error as? UsageError)?.message ?? "\(error)")
      }
    }
  }

  /// The options for an encrypted payload, by the codec's parameter names.
  private static func parameters(_ arguments: Arguments) -> [String: String] {
    var parameters: [String: String] = [:]
    parameters["key"] = arguments["key"]
    parameters["mac"] = arguments["address"]
    return parameters
  }

  /// The texts of the member "params"; none when there is no such member.
  private static func parameters(
    _ object: JSONReader
  ) throws(RecordError) -> [String: String] {
    var parameters: [String: String] = [:]
    for (name, value) in try object.optional("params")?.members() ?? [] {
      parameters[name] = try value.string()
    }
    return parameters
  }

  /// The bytes of hexadecimal digits.
  static func bytes(_ text: String) throws(UsageError) -> [UInt8] {
    let text = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
    let digits = text.filter { !" :-\t".contains($0) }
    guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw UsageError(
        "the payload contains characters that are not hexadecimal digits.", command: "decode")
    }
    guard let bytes = [UInt8](hexadecimal: digits) else {
      throw UsageError(
        "the payload has an odd number of hexadecimal digits; each byte takes two.",
        command: "decode")
    }
    return bytes
  }

  private static func list(_ decoded: DecodedPayload) -> String {
    let width = decoded.fields.map(\.name.count).max() ?? 0
    let rows = decoded.fields.map { "\($0.name.padded(to: width))  \(text($0.value))" }
    let rest =
      decoded.trailingBytes.isEmpty
      ? [] : ["(\(decoded.trailingBytes.count) unknown bytes follow)"]
    return (["\(decoded.name)"] + rows + rest).joined(separator: "\n")
  }

  private static func text(_ value: DecodedPayload.FieldValue) -> String {
    switch value {
    case .null: return "–"
    case .text(let text): return text.printable
    default:
      var json = JSONWriter()
      json.field(value)
      return String(decoding: json.bytes, as: UTF8.self).printable
    }
  }

  private static func json(_ decoded: DecodedPayload) -> String {
    var json = JSONWriter()
    json.fields(decoded.fields)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func json(_ error: PayloadError) -> String {
    errorObject { json in
      json.key("code")
      json.string("\(error.code)")
      json.key("field")
      json.string(error.field)
      json.optional("offset", error.offset)
      json.key("message")
      json.string(error.message)
    }
  }

  private static func errorObject(_ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    json.object { json in
      json.key("error")
      json.object(body)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  fileprivate mutating func fields(_ fields: [DecodedPayload.Field]) {
    object { json in
      for field in fields {
        json.key(text: field.name)
        json.field(field.value)
      }
    }
  }

  fileprivate mutating func field(_ value: DecodedPayload.FieldValue) {
    switch value {
    case .number(let number): self.number(number)
    case .integer(let number): integer(number)
    case .text(let text): string(text)
    case .bool(let bool): self.bool(bool)
    case .null: null()
    case .object(let fields): self.fields(fields)
    case .list(let values):
      array { json in
        for value in values { json.field(value) }
      }
    }
  }
}

extension String {
  /// The text, padded with spaces.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
