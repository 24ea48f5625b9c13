// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `SANTORIO_SOAK=long` is the long form, `SANTORIO_SEED` another run; `make soak` sets both.
@Suite(.timeLimit(.minutes(120))) struct `A soak of the gateway` {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isLong = environment["SANTORIO_SOAK"] == "long"
  private static let seed = environment["SANTORIO_SEED"].flatMap { UInt64($0) }

  @Test func `accounts for every reading of every device`() async throws {
    let seed = Self.seed ?? (Self.isLong ? UInt64.random(in: 0..<1_000_000) : 19)
    let isTold = Self.isLong || Self.seed != nil
    let begin = Date()
    var soak = try Soak(seed: seed, Self.isLong ? .long : .short) { line in
      guard isTold else { return }
      let seconds = Int(Date().timeIntervalSince(begin))
      FileHandle.standardError.write(Data("\(seconds) s: \(line)\n".utf8))
    }
    try await soak.run()
    let fates = try await soak.fates()
    let report = SoakReport(seed: seed, soak.happenings, fates)
    if isTold { print(report.text) }
    if let path = Self.environment["SANTORIO_SOAK_LEDGER"] {
      try Data(report.text.utf8).write(to: URL(fileURLWithPath: path))
    }
    let faults = fates.filter(\.0.isFault)
    #expect(faults.isEmpty, "seed \(seed): \(report.text)")
    #expect(fates.count { $0.0 == .stored } > fates.count / 2)
    // The seed of the short form is one in which these occur.
    let isChosen = !Self.isLong && Self.seed == nil
    for fate in [SoakFate.held, .rejected, .overwritten] where isChosen {
      #expect(fates.contains { $0.0 == fate }, "\(fate)")
    }
    if faults.isEmpty { try await spoil(soak) }
    await soak.end()
  }

  /// A fault in the server's file must not go unnoticed.
  private func spoil(_ soak: Soak) async throws {
    try soak.spoil(
      """
      UPDATE record SET position = position + 1000000,
        user = (SELECT number FROM user WHERE number != record.user LIMIT 1) WHERE number = ?
      """)
    #expect(try await soak.fates().map(\.0).filter(\.isFault) == [.misplaced])
    try soak.spoil("DELETE FROM revision WHERE record = ?")
    #expect(try await soak.fates().map(\.0).filter(\.isFault) == [.missing])
  }
}

/// The ledger as a table by reason, with a line for each fault.
struct SoakReport {
  let seed: UInt64
  let happenings: [String: Int]
  let fates: [(SoakFate, String)]

  init(seed: UInt64, _ happenings: [String: Int], _ fates: [(SoakFate, String)]) {
    (self.seed, self.happenings, self.fates) = (seed, happenings, fates)
  }

  var text: String {
    let counts = Dictionary(grouping: fates, by: \.0).mapValues(\.count)
    let table = SoakFate.allCases.map { line(counts[$0] ?? 0, $0.rawValue) }
    let events = happenings.sorted { $0.key < $1.key }.map { line($0.value, $0.key) }
    let faults = fates.filter(\.0.isFault).map { "\($0.0.rawValue): \($0.1)" }
    let parts = [
      ["seed \(seed)", "", "What happened:"], events, ["", "What became of the measurements:"],
      table, [""], faults,
    ]
    return parts.joined().joined(separator: "\n") + "\n"
  }

  private func line(_ count: Int, _ text: String) -> String {
    String(repeating: " ", count: max(0, 8 - "\(count)".count)) + "\(count)  \(text)"
  }
}
