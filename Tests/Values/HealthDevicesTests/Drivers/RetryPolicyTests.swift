// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

@Suite struct `Questions to a device` {
  private var questions = RetryPolicy<String>()

  private mutating func due(_ seconds: Int) -> String {
    switch questions.timeReached(.seconds(seconds)) {
    case .nothing: "-"
    case .put(let question): question
    case .unanswered(let question): "\(question)?"
    }
  }

  @Test mutating func `follow each other at once when they are answered`() {
    #expect(questions.proceed(to: "a", at: .zero) == "a")
    #expect(questions.awaited == "a")
    #expect(questions.proceed(to: "b", at: .seconds(1)) == "b")
    #expect(questions.deadline == .seconds(4))
  }

  @Test mutating func `are put three times, three seconds apart`() {
    _ = questions.proceed(to: "a", at: .zero)

    #expect([2, 3, 6, 8, 9, 10].map { due($0) } == ["-", "a", "a", "-", "a?", "-"])
    #expect(questions.deadline == nil)
    #expect(questions.awaited == nil)
  }

  @Test mutating func `are repeated from the second time on`() {
    #expect(!questions.isRepeated)
    _ = questions.proceed(to: "a", at: .zero)
    #expect(!questions.isRepeated)

    _ = due(3)
    #expect(questions.isRepeated)

    _ = questions.proceed(to: "b", at: .seconds(4))
    #expect(!questions.isRepeated)
    _ = due(5)
    #expect(!questions.isRepeated)
  }

  @Test mutating func `wait for late answers after one that was put again`() {
    _ = questions.proceed(to: "a", at: .zero)
    _ = due(3)

    #expect(questions.proceed(to: "b", at: .seconds(4)) == nil)
    #expect(questions.awaited == nil)
    #expect(questions.deadline == .seconds(5))
    #expect(due(4) == "-")
    #expect(due(5) == "b")
    #expect(questions.proceed(to: "c", at: .seconds(6)) == "c")
  }

  @Test mutating func `may be given more time`() {
    _ = questions.proceed(to: "a", at: .zero)
    questions.extend(at: .seconds(2))

    #expect(due(3) == "-")
    #expect(due(5) == "a")
  }

  @Test mutating func `end when they are stopped`() {
    _ = questions.proceed(to: "a", at: .zero)
    questions.stop()

    #expect(due(100) == "-")
    #expect(questions.deadline == nil)
  }
}
