// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Command {
  static let health = Command(
    name: "health",
    summary: "Import exports of Apple's Health app into a health store, and look into it.",
    forms: ["import FILE --store STORE", "summary --store STORE"],
    options: [
      CommandOption("store", "STORE", help: "The file of the health store.")
    ],
    details: """
      import   Takes what an export has: export.zip, the folder that was unpacked from it, or the XML
               document alone, of any version and in any language. What the store has already is not
               taken twice: neither the same file again nor a later export of the same person. An import
               that was interrupted continues when the same file is imported again. The exit status is
               1 when something could not be read; the rest is in the store.
      summary  Prints what the store has of each type: how many samples, from when to when.

      An export has neither the identifiers of samples nor deletions: what was deleted on the phone
      stays in the store. Electrocardiograms and routes of workouts are counted and not imported.

      example: santorio health import export.zip --store health.sqlite
      """
  ) { arguments in
    try HealthCommand(arguments).run()
  }
}

/// Works on a health store.
struct HealthCommand {
  private enum Verb: String, CaseIterable {
    case `import`, summary
  }

  private let verb: Verb
  private let operands: [String]
  private let store: String

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
    guard let store = arguments["store"] else {
      throw UsageError("--store is missing; it takes the file of a health store.", command: "health")
    }
    self.verb = verb
    self.store = store
    operands = Array(arguments.operands.dropFirst())
  }

  func run() throws -> Int32 {
    switch verb {
    case .import:
      guard let file = operands.first, operands.count == 1 else {
        throw UsageError("\"health import\" takes one file or folder.", command: "health")
      }
      return try HealthImporting(store: store).run(file)
    case .summary:
      guard operands.isEmpty else {
        throw UsageError("\"health summary\" takes no operands.", command: "health")
      }
      return try HealthSummary(store: store).run()
    }
  }
}
