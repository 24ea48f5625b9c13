// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Testing

/// A stream of `EnduranceChild`, and how many events it has to endure.
struct EnduredStream: CustomTestStringConvertible, CustomStringConvertible {
  let name: String
  /// The events in `make test`; nil if only the long form has this stream.
  var few: Int?
  /// The events in the long form.
  let many: Int

  private static let known = [
    EnduredStream(name: "advertisements-bluez", few: 20_000, many: 1_000_000),
    EnduredStream(name: "advertisements-simulated", many: 20_000),
    EnduredStream(name: "health-observers", many: 100_000),
    EnduredStream(name: "home-assistant", many: 50_000),
    EnduredStream(name: "queue", few: 5_000, many: 200_000),
    EnduredStream(name: "server-events", many: 100_000),
  ]

  static var all: [EnduredStream] { known.filter { programs != nil || $0.few != nil } }

  private static let environment = ProcessInfo.processInfo.environment
  /// The folder of release programs, for the long form; nil for the programs beside the tests.
  static let programs = environment["SANTORIO_ENDURANCE_PROGRAMS"]
  /// Multiplies the events of the long form.
  private static let times = environment["SANTORIO_ENDURANCE_TIMES"].flatMap { Int($0) } ?? 1

  var events: Int { Self.programs == nil ? few ?? many : many * Self.times }

  /// The events of each turn in which an aged process is compared with a fresh one.
  var turn: Int { Self.programs == nil ? events / 10 : many / 50 }

  /// The memory in bytes that the process may hold more after all events than after three tenths, for
  /// the fragments of the allocator and the caches of SQLite.
  let mostGrowth = 2 << 20

  var description: String { name }
  var testDescription: String { name }
}

/// A running `EnduranceChild`.
final class StreamProcess {
  struct Usage {
    /// The processor time of the run.
    let seconds: Double
    /// The memory after the run.
    let bytes: Int
  }

  /// The process has ended, or said something else than expected.
  struct Ended: Error {
    let stream: EnduredStream
    let events: Int
  }

  private let stream: EnduredStream
  private let child: ChildProcess
  private var lines: AsyncStream<String>.AsyncIterator
  private(set) var events = 0

  /// Starts the process and waits until it is ready.
  init(_ stream: EnduredStream) async throws {
    self.stream = stream
    let (lines, line) = AsyncStream<String>.makeStream()
    let program = EnduredStream.programs.map { $0 + "/EnduranceChild" } ?? "EnduranceChild"
    let child = try ChildProcess(program, [stream.name]) { line.yield($0) }
    self.child = child
    self.lines = lines.makeAsyncIterator()
    Task {
      _ = await child.status()
      line.finish()
    }
    guard await self.lines.next(isolation: nil) == "ready" else {
      throw Ended(stream: stream, events: 0)
    }
  }

  /// Lets events happen; fails when the process ends.
  @discardableResult
  func run(_ count: Int) async throws -> Usage {
    child.write("run \(count)")
    let words = await lines.next(isolation: nil)?.split(separator: " ") ?? []
    guard words.count == 3, words[0] == "done", let seconds = Double(words[1]),
      let bytes = Int(words[2])
    else { throw Ended(stream: stream, events: events) }
    events += count
    if EnduredStream.programs != nil {
      print("\(stream): \(events) events, \(seconds / Double(count) * 1e6) µs each, \(bytes) bytes")
    }
    return Usage(seconds: seconds, bytes: bytes)
  }
}
