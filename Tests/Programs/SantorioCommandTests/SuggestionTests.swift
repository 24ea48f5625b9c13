// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import santorio

@Suite struct `Suggestions for unknown names` {
  @Test(arguments: [
    ("", "read", 4), ("read", "read", 0), ("raed", "read", 1), ("reads", "read", 1),
    ("scan", "pair", 4), ("dekode", "decode", 1), ("ca", "abc", 3),
  ])
  func `count the characters that differ`(one: String, other: String, distance: Int) {
    #expect(Suggestion.distance(one, other) == distance)
    #expect(Suggestion.distance(other, one) == distance)
  }

  @Test(arguments: [
    ("sacn", "scan"), ("serv", "serve"), ("admin", "administrator"),
    ("administrater", "administrator"),
    ("x", nil), ("s", nil), ("frobnicate", nil), ("", nil),
  ])
  func `are made only for similar names`(name: String, expected: String?) {
    let known = ["scan", "serve", "administrator", "simulate"]
    #expect(Suggestion.similar(to: name, among: known) == expected)
  }

  @Test(arguments: [
    ([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"),
  ])
  func `join alternatives with "or"`(names: [String], text: String) {
    #expect(names.alternatives == text)
  }
}
