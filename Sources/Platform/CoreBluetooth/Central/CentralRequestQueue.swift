// SPDX-License-Identifier: Apache-2.0

/// The requests of one peripheral, in the order of the calls: one is open at a time.
///
/// Writes without response keep their place in the order, but later requests do not wait for them.
struct CentralRequestQueue {
  /// A call of the app.
  struct Entry {
    /// Decides what to send when it is the entry's turn.
    let begin: () -> Step
    /// Changes state and notifies the delegate, on the manager's queue.
    let finish: (Result<PeerAnswer, RadioError>) -> Void
  }

  /// What an entry needs.
  enum Step {
    case ask(PeerRequest)
    /// The answer is known without the radio.
    case known(Result<PeerAnswer, RadioError>)
  }

  /// What the caller has to do next.
  enum Action {
    case perform(PeerRequest, RequestNumber)
    case answer(RequestNumber, Result<PeerAnswer, RadioError>)
  }

  /// What becomes of a write without response.
  enum Admission {
    case queued
    /// There is no room, for the first time since there was some.
    case dropped
    case droppedAgain
  }

  /// The most commands that may wait or be on their way before `hasRoom` becomes false.
  static let commandLimit = 20

  private(set) var next: RequestNumber
  private var waiting: [Entry] = []
  private var open: (number: RequestNumber, entry: Entry)?
  private var commands: Set<RequestNumber> = []
  private var waitingCommands = 0
  /// Whether there has been no room since the delegate was last told that there is.
  private var isFull = false
  private var hasDropped = false

  init(next: RequestNumber = 1) {
    self.next = next
  }

  var hasRoom: Bool { commands.count + waitingCommands < Self.commandLimit }

  mutating func append(_ entry: Entry) {
    waiting.append(entry)
  }

  /// Queues a write without response if there is room.
  mutating func appendCommand(_ request: PeerRequest) -> Admission {
    guard hasRoom else {
      defer { hasDropped = true }
      return hasDropped ? .droppedAgain : .dropped
    }
    waitingCommands += 1
    waiting.append(Entry(begin: { .ask(request) }, finish: { _ in }))
    isFull = !hasRoom
    return .queued
  }

  /// The next thing to do, if any.
  mutating func advance() -> Action? {
    guard open == nil, !waiting.isEmpty else { return nil }
    let entry = waiting.removeFirst()
    let number = next
    next += 1
    switch entry.begin() {
    case .ask(let request):
      if case .writeWithoutResponse = request {
        waitingCommands -= 1
        commands.insert(number)
      } else {
        open = (number, entry)
      }
      return .perform(request, number)
    case .known(let result):
      open = (number, entry)
      return .answer(number, result)
    }
  }

  /// The entry that was answered; nil for commands and cancelled requests.
  mutating func close(_ number: RequestNumber) -> Entry? {
    commands.remove(number)
    guard let open, open.number == number else { return nil }
    self.open = nil
    return open.entry
  }

  /// Whether there is room again for a write without response; true once.
  mutating func becameReady() -> Bool {
    guard isFull, hasRoom else { return false }
    isFull = false
    hasDropped = false
    return true
  }
}
