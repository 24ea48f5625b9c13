// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import SantorioBluetooth
import SantorioCore

/// The key of one device, without which what it sends cannot be read.
struct DeviceKeyOption: Sendable {
  static let option = CommandOption(
    "key-file", "FILE",
    help: "With --data: the file that holds the device's own key; - reads standard input.")

  static let details = """
    Some devices encrypt what they send (see "santorio devices NUMBER"). Their own key is read from
    --key-file: hexadecimal digits, and for a scale that broadcasts its address after them. It is
    kept with the session's token, for all readings of FOLDER.
    """

  /// What the file holds; nil when none was named.
  private let text: String?

  init(_ arguments: Arguments, isKept: Bool) throws {
    guard let path = arguments["key-file"] else {
      text = nil
      return
    }
    guard isKept else {
      throw UsageError("--key-file requires --data: the key is kept there.", command: "pair")
    }
    text = try path == "-" ? Self.standardInput() : Self.file(path)
  }

  private static func standardInput() throws(CommandError) -> String {
    var input = StandardInput()
    var text = ""
    // No key is longer; input piped in by mistake must not fill the memory.
    while text.utf8.count < 4096, let line = try input.line() {
      text += String(decoding: line, as: UTF8.self) + "\n"
    }
    return text
  }

  private static func file(_ path: String) throws(CommandError) -> String {
    do throws(SessionError) {
      return String(decoding: try CredentialFiles.read(path, refusing: 0o077), as: UTF8.self)
    } catch {
      switch error.code {
      case .credentialsMissing: throw CommandError("the key file \(path) does not exist")
      case .credentialsExposed:
        throw CommandError("others may read the key; run: chmod 600 \(path)")
      default: throw CommandError("the key file \(path) cannot be read: \(error.message)")
      }
    }
  }

  /// Stores the key of a device that was paired, or says that it is missing; false when it could
  /// not be stored.
  func store(
    for paired: PairingMetadata, in receiver: BluetoothReceiver, isKept: Bool,
    show: (String) -> Void = printError
  ) -> Bool {
    let name = paired.peripheral.name
    guard let key = PeripheralDataKey(of: paired.peripheral) else {
      if text != nil { show("\(name) has no key of its own: --key-file was not used.") }
      return true
    }
    do throws(BluetoothError) {
      if let text {
        try receiver.setSecret(text, key, for: paired.peripheralUUID)
        return true
      }
      let isKnown = isKept ? try receiver.hasSecret(key, for: paired.peripheralUUID) : false
      if !isKnown {
        show("\(name) encrypts what it sends. \(Self.remedy(paired, key))")
      }
      return true
    } catch {
      show("santorio: paired, but its key is not stored: \(error.message)")
      return false
    }
  }

  private static func remedy(_ paired: PairingMetadata, _ key: PeripheralDataKey) -> String {
    let command = "santorio pair \(paired.peripheralUUID) --key-file FILE --data FOLDER"
    let digits = key.digitCounts.map { "\($0)" }.joined(separator: " and ")
    return "Before it is read, give its key (\(digits) hexadecimal digits): \(command)"
  }
}
