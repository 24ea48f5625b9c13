// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore

extension Command {
  static let queue = Command(
    name: "queue",
    summary:
      "List the records that a session keeps, send them, and handle refused ones.",
    forms: [
      "[status] --data FOLDER", "list [PART] --data FOLDER",
      "export [PART] --data FOLDER [--to inform|open-mhealth]",
      "send --data FOLDER --server URL [--to FORM]", "retry [ID | ARCHIVE ...] --data FOLDER",
      "release LOG_ID ... | --slot [DEVICE=]N --data FOLDER",
      "decline LOG_ID ... | --slot [DEVICE=]N --data FOLDER",
      "discard ID ... --data FOLDER", "remove ARCHIVE --data FOLDER", "rekey --data FOLDER",
      "set-aside --data FOLDER", "pack FILE --data FOLDER [--passphrase-file FILE]",
      "unpack FILE --data FOLDER --passphrase-file FILE [--incomplete]",
    ],
    options: [
      CommandOption("data", "FOLDER", help: "The folder of the session."),
      CommandOption(
        "any-user", help: "With retry: archives of other or no users become the current user's."
      ),
      SlotOption.option(
        "[DEVICE=]N",
        help: "With release and decline: the undecided readings of a device's user."),
      CommandOption(
        "passphrase-file", "FILE",
        help: "With pack and unpack: a file with the passphrase, readable by its owner only."),
      CommandOption(
        "incomplete", help: "With unpack: take all that can be read of a damaged file."),
      CommandOption(
        "to", "FORM",
        help: "With send: the server's API: \(SessionOptions.Form.names); ingest if not given. "
          + "With export: \(Queue.ExportForm.names)."),
    ] + SessionOptions.all.filter { !["data", "to"].contains($0.name) },
    details: """
      status   Prints the number of records and images in each part.
      list     Prints one line per record.
      export   Prints the records as NDJSON in the Inform v2 format, for "santorio convert", or as data
               points of Open mHealth; what has no place in these is reported on standard error.
      send     Sends pending records until none is left, an error stops it, or the server has taken
               none for a minute; the exit status is 0 when the server has everything except held
               records. Not while a "santorio read" sends from the folder.
      retry    Puts refused records back into the queue. Without operands: all of the user's, with
               their images. With ARCHIVE: its records, and removes the archive; records that were
               held are held again.
      release  Lets held readings go to the server, as this user's.
      decline  Says that held readings are not to be sent. They stay on the disk until very many others
               have been declined after them.
      discard  Permanently removes refused records and images.
      remove   Permanently removes the archive of an ended session.
      rekey    Encrypts everything with a new key and removes the old one; the new key is stored
               beside the queue. Only while no other process has the folder open.
      set-aside
               Moves a queue whose key does not exist any more into a folder beside it, so that the
               session's folder can be used again. With the key, "santorio queue" works on that folder.
      pack     Writes all that the session's user has in the folder to FILE, encrypted with a
               passphrase, to take it to another machine or phone; without --passphrase-file it makes
               one and prints it. The folder stays as it is. Tokens are not in the file.
      unpack   Puts what FILE holds into the folder, whose session must be the same user's.

      PART is pending (waiting for the server; the default), held (waiting for the user's consent, or
      for a decision whose they are), older (from before the device was paired without its memory; release
      takes them), quarantine (refused by the server or damaged) or archives (left by ended sessions). LOG_ID is what "list held" shows first. ID is the number that "list
      quarantine" shows; to discard an image, it is image:DIGITS, the first digits of its SHA-256.
      ARCHIVE is a name that "list archives" shows. Another process may run the session at the same
      time.

      \(SlotOption.details)

      \(SessionOptions.details)

      examples: santorio queue export quarantine --data hub | santorio convert --to csv
                santorio queue retry archive-1.records --data hub
      """
  ) { arguments in
    try await Queue.run(arguments)
  }
}

/// Works on the folder of a session, while another process may upload from it.
struct Queue {
  enum Part: String {
    case pending, held, older, quarantine, archives
  }

  private enum Verb: String, CaseIterable {
    case status, list, export, send, retry, release, decline, discard, remove, rekey
    case setAside = "set-aside"
    case pack, unpack

    /// With what an option can be used.
    static func owners(ofOption option: String) -> [Verb] {
      switch option {
      case "any-user": [.retry]
      case "slot": [.release, .decline]
      case "passphrase-file": [.pack, .unpack]
      case "incomplete": [.unpack]
      case "to": [.send, .export]
      default: [.send]
      }
    }
  }

  let session: SantorioSession
  let operands: [String]
  let isAnyUser: Bool
  let passphraseFile: String?
  let isIncompleteAllowed: Bool
  let slots: SlotOption
  let exportForm: ExportForm

  private init(
    _ session: SantorioSession, _ arguments: Arguments, _ exportForm: ExportForm
  ) throws(UsageError) {
    self.session = session
    operands = Array(arguments.operands.dropFirst())
    isAnyUser = arguments.has("any-user")
    passphraseFile = arguments["passphrase-file"]
    isIncompleteAllowed = arguments.has("incomplete")
    slots = try SlotOption(arguments)
    self.exportForm = exportForm
  }

  static func run(_ arguments: Arguments) async throws -> Int32 {
    let verb = try verb(arguments)
    let folder = try await folder(arguments)
    guard verb != .send else { return try await send(arguments) }
    let configuration = try SessionFolder.configuration(of: folder)
    guard verb != .setAside else { return try await setAside(configuration) }
    guard verb != .rekey else { return try changeKey(configuration) }
    let exportForm = try arguments.choice("to", of: ExportForm.self) ?? .inform
    let session = try await SessionFolder.open(configuration)
    return try await Queue(session, arguments, exportForm).perform(verb)
  }

  private static func verb(_ arguments: Arguments) throws(UsageError) -> Verb {
    let name = arguments.operands.first ?? "status"
    guard let verb = Verb(rawValue: name) else {
      let known = Verb.allCases.map(\.rawValue)
      throw UsageError(Suggestion.text(unknown: "subcommand", name, among: known), command: "queue")
    }
    for option in arguments.options.keys.sorted() where option != "data" {
      let owners = Verb.owners(ofOption: option)
      guard owners.contains(verb) else {
        let names = owners.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
        throw UsageError("--\(option) can only be used with \(names).", command: "queue")
      }
    }
    if [.status, .send, .rekey, .setAside].contains(verb), arguments.operands.count > 1 {
      throw UsageError("\"\(name)\" takes options only.", command: "queue")
    }
    return verb
  }

  private static func folder(_ arguments: Arguments) async throws -> URL {
    guard let path = arguments["data"] else {
      throw UsageError("\"queue\" needs --data FOLDER, the folder of a session.", command: "queue")
    }
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    try SessionFolder.check(folder, named: path, for: "queue")
    return folder
  }

  private static func changeKey(_ configuration: SantorioSession.Configuration) throws -> Int32 {
    try SantorioSession.changeKey(configuration)
    print("the key was changed; all data is encrypted with the new key")
    return 0
  }

  private static func setAside(
    _ configuration: SantorioSession.Configuration
  ) async throws -> Int32 {
    var configuration = configuration
    let known = SessionFolder.setAsideQueues(in: configuration.directory)
    configuration.startsAnewWithoutKey = true
    let session = try await SessionFolder.open(configuration)
    let new = try await session.setAsideQueues().filter {
      !known.contains($0.folder.lastPathComponent)
    }
    guard let queue = new.first else {
      throw CommandError("the queue's key exists, so nothing was set aside")
    }
    print(text(queue))
    return 0
  }

  private static func send(_ arguments: Arguments) async throws -> Int32 {
    let options = try SessionOptions(arguments)
    guard options.sends, let session = try await options.open() else {
      throw UsageError("\"send\" needs --server URL.", command: "queue")
    }
    return try await QueueSending(session).run()
  }

  private func perform(_ verb: Verb) async throws -> Int32 {
    switch verb {
    case .status: try await status()
    case .list: try await list(part(of: verb))
    case .export: return try await export(part(of: verb))
    case .retry: return try await retry()
    case .release:
      return try await decide {
        try await BluetoothReceiver(session: $0).releaseHeld($1, decidedBy: NSUserName())
      }
    case .decline: return try await decide { try await $0.declineHeld($1) }
    case .discard: return try await discard()
    case .remove: try await remove()
    case .pack: return try await pack()
    case .unpack: return try await unpack()
    case .send, .rekey, .setAside: break
    }
    return 0
  }

  private func part(of verb: Verb) throws(UsageError) -> Part {
    let text = operands.isEmpty ? "pending" : operands.joined(separator: " ")
    guard let part = Part(rawValue: text) else {
      throw UsageError(
        "\"\(verb.rawValue)\" takes pending, held, older, quarantine or archives, "
          + "not \"\(text.printable)\".", command: "queue")
    }
    return part
  }
}
