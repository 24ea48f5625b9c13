// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Puts questions to a device that answers each of them, one at a time.
///
/// A question without an answer is put again. Replies of many devices do not say what they answer,
/// so that an answer that was only late could be taken for that to the next question: after a
/// question that had to be put again nothing is asked for a while, and what comes meanwhile is let
/// pass.
package struct RetryPolicy<Question: Sendable>: Sendable {
  /// How long to wait, and how often.
  package struct Rule: Hashable, Sendable {
    /// How long a device may take to answer.
    package var answerTime: Duration
    /// How often a question is put.
    package var attempts: Int
    /// How long late answers are ignored.
    package var pause: Duration

    package init(
      answerTime: Duration = .seconds(3), attempts: Int = 3, pause: Duration = .seconds(1)
    ) {
      self.answerTime = answerTime
      self.attempts = attempts
      self.pause = pause
    }
  }

  /// What to do when a deadline has come.
  package enum Due: Sendable {
    case nothing
    /// Put this question.
    case put(Question)
    /// The device does not answer it.
    case unanswered(Question)
  }

  private enum State: Sendable {
    /// Nothing is asked. Next: pausing, asking.
    case idle
    /// Late answers are ignored. Next: asking.
    case pausing(Question, until: Duration)
    /// An answer is awaited. Next: asking, pausing, idle.
    case asking(Question, attempt: Int, until: Duration)
  }

  private let rule: Rule
  private var state = State.idle

  package init(rule: Rule = Rule()) {
    self.rule = rule
  }

  /// When ``timeReached(_:)`` is due.
  package var deadline: Duration? {
    switch state {
    case .idle: nil
    case .pausing(_, let instant), .asking(_, _, let instant): instant
    }
  }

  /// The question whose answer is awaited.
  package var awaited: Question? {
    guard case .asking(let question, _, _) = state else { return nil }
    return question
  }

  /// Whether the question whose answer is awaited was put before.
  package var isRepeated: Bool {
    guard case .asking(_, let attempt, _) = state else { return false }
    return attempt > 1
  }

  /// Continues with the next question; the one before has been answered.
  ///
  /// - Returns: The question, when it is to be put now.
  package mutating func proceed(to question: Question, at now: Duration) -> Question? {
    if isRepeated {
      wait(rule.pause, beforeAsking: question, at: now)
      return nil
    }
    ask(question, attempt: 1, at: now)
    return question
  }

  /// Puts a question after a while, in which nothing that comes is an answer.
  package mutating func wait(
    _ pause: Duration, beforeAsking question: Question, at now: Duration
  ) {
    state = .pausing(question, until: now + pause)
  }

  /// Gives the device some more time: it is still at it.
  package mutating func extend(at now: Duration) {
    guard case .asking(let question, let attempt, _) = state else { return }
    ask(question, attempt: attempt, at: now)
  }

  /// Asks for nothing more.
  package mutating func stop() {
    state = .idle
  }

  /// The deadline may have come.
  package mutating func timeReached(_ now: Duration) -> Due {
    switch state {
    case .pausing(let question, let instant) where now >= instant:
      ask(question, attempt: 1, at: now)
      return .put(question)
    case .asking(let question, let attempt, let instant) where now >= instant:
      guard attempt < rule.attempts else {
        state = .idle
        return .unanswered(question)
      }
      ask(question, attempt: attempt + 1, at: now)
      return .put(question)
    case .idle, .pausing, .asking: return .nothing
    }
  }

  private mutating func ask(_ question: Question, attempt: Int, at now: Duration) {
    state = .asking(question, attempt: attempt, until: now + rule.answerTime)
  }
}
