// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Sends a device one request after the other until all are answered.
///
/// Facts are read and replies subscribed to; then questions are put, each again when it is not
/// answered. A driver says what its questions are and what the replies to them mean. It ends with
/// ``finish()`` or ``fail(_:_:)``.
protocol RequestResponseDriver: DeviceDriver {
  associatedtype Question: Sendable

  var exchange: Exchange<Question> { get set }

  /// Asks the first question.
  mutating func begin(at time: DriverTime) -> [DriverAction]
  /// Writes a question, for the first time or again.
  mutating func put(_ question: Question, at time: DriverTime) -> [DriverAction]
  /// Takes a reply, or a part of one.
  mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction]
  /// Continues without an answer, or ends.
  mutating func unanswered(_ question: Question, at time: DriverTime) -> [DriverAction]
}

/// How far a ``RequestResponseDriver`` has come.
struct Exchange<Question: Sendable>: Sendable {
  fileprivate enum Phase {
    /// Facts are read, and replies subscribed to. Next: asking, done.
    case preparing
    /// The device is asked one thing after the other. Next: done.
    case asking
    /// Nothing is left. Next: none.
    case done
  }

  fileprivate let context: DriverContext
  fileprivate let device: String
  fileprivate let requests: GATTAttribute
  fileprivate let replies: GATTAttribute
  fileprivate var phase = Phase.preparing
  fileprivate var steps: DriverSteps
  fileprivate var questions: RetryPolicy<Question>

  /// Prepares a exchange.
  ///
  /// - Parameters:
  ///   - device: What messages call the device: the subject of a sentence.
  ///   - requests: Where questions are written to.
  ///   - replies: Where the device answers.
  ///   - rule: How long to wait for an answer, and how often to ask.
  ///   - context: What the driver knows.
  init(
    with device: String, requests: GATTAttribute, replies: GATTAttribute,
    rule: RetryPolicy<Question>.Rule = .init(), context: DriverContext
  ) {
    self.context = context
    self.device = device
    self.requests = requests
    self.replies = replies
    steps = DriverSteps(.facts + [.subscribe(replies)], having: context)
    questions = RetryPolicy(rule: rule)
  }
}

extension RequestResponseDriver {
  package var deadline: Duration? {
    switch exchange.phase {
    case .preparing: exchange.steps.deadline
    case .asking: questions.deadline
    case .done: nil
    }
  }

  package var isComplete: Bool { exchange.phase == .done }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (exchange.phase, event) {
    case (.preparing, .begun): return prepared(exchange.steps.begin(at: time), at: time)
    case (.preparing, _): return prepared(exchange.steps.handle(event, at: time), at: time)
    case (.asking, .value(exchange.replies, let bytes)): return received(bytes, at: time)
    case (.asking, .writeFailed(exchange.requests, let failure)):
      return fail(.communication, "\(exchange.device) refuses a request. \(failure.message)")
    case (.asking, .timeReached): return timeReached(at: time)
    default: return []
    }
  }

  private mutating func prepared(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    guard exchange.steps.isDone else { return actions }
    exchange.phase = .asking
    return actions + (context.purpose == .pair ? [.paired] : []) + begin(at: time)
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    switch questions.timeReached(time.elapsed) {
    case .nothing: []
    case .put(let question): put(question, at: time)
    case .unanswered(let question): unanswered(question, at: time)
    }
  }
}

// MARK: - For those who conform

extension RequestResponseDriver {
  /// What the driver knew before it began.
  var context: DriverContext { exchange.context }

  /// Which question is under way, and when it is due again.
  var questions: RetryPolicy<Question> {
    get { exchange.questions }
    set { exchange.questions = newValue }
  }

  /// Asks the next question; the one before has been answered.
  mutating func proceed(to question: Question, at time: DriverTime) -> [DriverAction] {
    guard let question = questions.proceed(to: question, at: time.elapsed) else { return [] }
    return put(question, at: time)
  }

  /// Ends: all requests are answered.
  mutating func finish() -> [DriverAction] { end(.finish) }

  /// Ends: it cannot go on.
  mutating func fail(_ kind: DriverFailure.Kind, _ message: String) -> [DriverAction] {
    end(.fail(DriverFailure(kind, message)))
  }

  private mutating func end(_ action: DriverAction) -> [DriverAction] {
    questions.stop()
    exchange.phase = .done
    return [action]
  }
}
