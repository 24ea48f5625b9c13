// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Command {
  static let health = Command(
    name: "health",
    summary: "Import exports of Apple's Health app into a health store, and look into it.",
    forms: [
      "import FILE --store STORE", "summary --store STORE",
      "export --store STORE [--kind KIND] [--from DAY] [--to DAY] [--zone ZONE]",
      "generate FOLDER [--days N | --megabytes N] [--seed N] [--zone ZONE] [--version V] [--faults]",
    ],
    options: [
      CommandOption("store", "STORE", help: "The file of the health store."),
      CommandOption(
        "kind", "KIND", help: "With export: day, night, workout or measurement; all if not given."),
      CommandOption("from", "DAY", help: "With export: the first day, for instance 2026-07-14."),
      CommandOption("to", "DAY", help: "With export: the last day."),
      CommandOption("days", "N", help: "With generate: so many days; 30 if not given."),
      CommandOption("megabytes", "N", help: "With generate: as many days as a size takes."),
      CommandOption(
        "seed", "N", help: "With generate: which of many lives is made up; 1 if not given."),
      CommandOption(
        "zone", "ZONE",
        help:
          "The time zone: with export this machine's, with generate America/New_York if not given."),
      CommandOption(
        "version", "V", help: "With generate: the document's version: 8, 12, 14 or none."),
      CommandOption("faults", help: "With generate: with the faults that real documents have."),
    ],
    details: """
      import   Takes what an export has: export.zip, the folder that was unpacked from it, or the XML
               document alone, of any version and in any language. What the store has already is not
               taken twice: neither the same file again nor a later export of the same person. An import
               that was interrupted continues when the same file is imported again. Of several exports
               in one archive the largest is taken, and the others are named. The exit status is 1 when
               something could not be read or was not taken; the rest is in the store.
      summary  Prints what the store has of each type: how many samples, from when to when.

      export   Prints the records that the samples make, one a line in the Inform v2 format, for "santorio
               convert": a day's sums with phone and watch merged, a night without what two apps have
               both seen, workouts, and each measurement.
      generate Writes an export of a life that is made up, for tests, and beside it truth.json, which says
               what a reader must find: each day's sums with phone and watch merged, nights, workouts.
               The same options make the same bytes.

      An export has neither the identifiers of samples nor deletions: what was deleted on the phone
      stays in the store. Electrocardiograms and routes of workouts are counted and not imported.

      examples: santorio health import export.zip --store health.sqlite
                santorio health export --store health.sqlite --kind day | santorio convert --to csv
                santorio health generate made-up --megabytes 200
      """
  ) { arguments in
    try await HealthCommand(arguments).run()
  }
}

/// Works on a health store.
struct HealthCommand {
  private enum Verb: String, CaseIterable {
    case `import`, summary, export, generate

    /// The options beside the store's.
    var options: Set<String> {
      switch self {
      case .generate: ["days", "megabytes", "seed", "zone", "version", "faults"]
      case .export: ["store", "kind", "from", "to", "zone"]
      case .import, .summary: ["store"]
      }
    }
  }

  private let verb: Verb
  private let operands: [String]
  private let arguments: Arguments

  init(_ arguments: Arguments) throws(UsageError) {
    guard let name = arguments.operands.first else {
      throw UsageError(
        "\"health\" needs to know what to do: \(Verb.allCases.map(\.rawValue).alternatives).",
        command: "health")
    }
    guard let verb = Verb(rawValue: name) else {
      let known = Verb.allCases.map(\.rawValue)
      throw UsageError(
        Suggestion.text(unknown: "subcommand", name, among: known), command: "health")
    }
    for option in arguments.options.keys.sorted() where !verb.options.contains(option) {
      throw UsageError("--\(option) does not go with \"\(name)\".", command: "health")
    }
    self.verb = verb
    self.arguments = arguments
    operands = Array(arguments.operands.dropFirst())
  }

  func run() async throws -> Int32 {
    switch verb {
    case .import:
      return try await HealthImporting(store: store()).run(operand("one file or folder"))
    case .summary:
      guard operands.isEmpty else {
        throw UsageError("\"health summary\" takes no operands.", command: "health")
      }
      return try HealthSummary(store: store()).run()
    case .export:
      guard operands.isEmpty else {
        throw UsageError("\"health export\" takes no operands.", command: "health")
      }
      return try await HealthExporting(arguments, store: store()).run()
    case .generate: return try HealthGenerating(arguments).run(operand("one folder"))
    }
  }

  private func store() throws(UsageError) -> String {
    guard let store = arguments["store"] else {
      throw UsageError(
        "--store is missing; it takes the file of a health store.", command: "health")
    }
    return store
  }

  private func operand(_ what: String) throws(UsageError) -> String {
    guard let operand = operands.first, operands.count == 1 else {
      throw UsageError("\"health \(verb.rawValue)\" takes \(what).", command: "health")
    }
    return operand
  }
}
