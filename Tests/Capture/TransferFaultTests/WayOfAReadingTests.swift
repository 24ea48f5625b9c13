// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `The way of a reading` {
  /// What the architecture's page says that each step writes to the log, in order.
  private func documented() throws -> [String] {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Documentation/architecture.md")
    return try String(contentsOf: page, encoding: .utf8)
      .matches(of: /\(log: "([^"]+)"\)/).map { String($0.1) }
  }

  @Test func `from the delegate of Core Bluetooth to the committed row is as written down`()
    async throws
  {
    let steps = try documented()
    #expect(steps.count == 7)
    let scene = try await TransferScene()
    let lines = try await scene.read(endingAt: ["trace"])
    let messages = lines.values(of: "LOG").compactMap { line in
      steps.filter { line == $0 || line.hasPrefix($0 + " ") }.max { $0.count < $1.count }
    }

    // What is done on the central's queue goes on while the operation's task stores the first reading.
    let (queue, task) = (steps[..<3], steps[3...])
    let decoded = try #require(messages.firstIndex(of: steps[2]))
    let trace =
      messages[...decoded].filter(queue.contains).suffix(3)
      + messages.filter(task.contains).prefix(4)
    print("the way of a reading: \(trace.joined(separator: " -> "))")
    #expect(Array(trace) == steps)
  }
}
