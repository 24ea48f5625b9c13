// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import TestSupport

/// What goes wrong with one request.
package enum LineFault: Sendable {
  case none
  /// Before the server has the request: an orderly end, a reset, or nothing until the client gives
  /// up.
  case close, reset, stall
  /// An answer that is none of the server's; the server has no part in it.
  case answer(String)
  /// After the server has carried the request out.
  case closeAfter, resetAfter, halfHead, halfBody, stallAfter
  /// An answer in place of the server's, which has carried the request out.
  case answerAfter(String)

  /// An HTTP answer.
  package static func http(_ status: Int, _ body: String = "", _ fields: [String] = []) -> String {
    (["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + fields)
      .joined(separator: "\r\n") + "\r\n\r\n" + body
  }
}

/// Faults drawn by a seed.
package final class RandomFaults: Sendable {
  private let random: Locked<SeededGenerator>
  private let share: Int
  private let pause: Int

  /// Spoils `share` of a hundred requests; a stall, which takes the client's timeout, is rare.
  package init(seed: UInt64, share: Int, pause: Int = 7) {
    random = Locked(SeededGenerator(seed: seed))
    self.share = share
    self.pause = pause
  }

  package func draw(_ request: HTTPMessage, _ number: Int) -> LineFault {
    random.withLock { random in
      guard Int.random(in: 0..<100, using: &random) < share else { return .none }
      let kinds = LineFault.all(logIDs: request.logIDs, pause: pause)
      let rare = Int.random(in: 0..<30, using: &random) == 0
      return rare
        ? [.stall, .stallAfter][Int.random(in: 0..<2, using: &random)]
        : kinds.randomElement(using: &random)?.1 ?? .none
    }
  }
}

extension LineFault {
  /// Every way in which a request with these records can go wrong, but for stalls, by its name.
  ///
  /// A server that asks for a pause asks for `pause` seconds, at most nine.
  fileprivate static func all(logIDs sent: [String], pause: Int = 7) -> [(String, LineFault)] {
    func results(_ logIDs: [String]) -> String {
      let results = logIDs.map { #"{"log_id":"\#($0)","status":"created","id":"lie"}"# }
      return #"{"results":[\#(results.joined(separator: ","))]}"#
    }
    return [
      ("closes before", .close), ("resets before", .reset), ("closes after", .closeAfter),
      ("resets after", .resetAfter), ("half a head", .halfHead), ("half a body", .halfBody),
      ("502 after", .answerAfter(http(502, "<html>bad gateway</html>"))),
      ("500", .answer(http(500))),
      ("503 with seconds", .answer(http(503, "", ["Retry-After: \(pause)"]))),
      (
        "429 with a date",
        .answer(
          http(
            429, "",
            [
              "Date: Sun, 01 Mar 2026 10:00:00 GMT",
              "Retry-After: Sun, 01 Mar 2026 10:00:0\(pause) GMT",
            ]))
      ),
      ("413", sent.count > 1 ? .answer(http(413)) : .none),
      ("results of strangers", .answer(http(200, results(sent.map { "stranger-" + $0 })))),
      ("one result too many", .answer(http(200, results(["stranger"])))),
      ("no results", .answer(http(200, results([])))),
      ("wrong JSON", .answer(http(200, #"{"results":[{"log_id":"#))),
      ("other JSON", .answer(http(200, #"[{"status":"created"}]"#))),
      ("a page", .answer(http(200, "<html>sign in</html>", ["Content-Type: text/html"]))),
      ("nothing", .answer("HTTP/1.1 204 X\r\n\r\n")),
      ("no HTTP", .answer("SSH-2.0-OpenSSH_9.2\r\n\r\n")),
    ]
  }
}

extension RandomFaults {
  /// The names of all faults but stalls.
  package static var names: [String] { LineFault.all(logIDs: []).map(\.0) }

  /// A fault by its name.
  package static func named(_ name: String, for request: HTTPMessage) -> LineFault {
    switch name {
    case "stall before": .stall
    case "stall after": .stallAfter
    default: LineFault.all(logIDs: request.logIDs).first { $0.0 == name }?.1 ?? .none
    }
  }
}
