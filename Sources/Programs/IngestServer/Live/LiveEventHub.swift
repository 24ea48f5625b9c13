// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import HealthRecords
import SantorioConcurrency
import SantorioJSON

/// Where a stream of events starts.
enum EventStart: Sendable {
  /// After an event that the client has.
  case after(Int64)
  /// With a number of the most recent readings.
  case recent(Int64)
}

/// The client that watches a stream of events.
struct EventWatcher: Sendable {
  /// The organisation whose events it may see; nil if it may see all events and the totals.
  let organization: String?
  /// The digest of its token; nil for the server's administrator, whose token never expires.
  let tokenDigest: [UInt8]?
}

/// Delivers stored readings to all event streams.
///
/// The store is the queue: each stream remembers the last arrival it was given. So nothing is kept
/// for a slow stream, and a client that reconnects continues where it was.
final class LiveEventHub: Sendable {
  /// The most open streams.
  static let maximumStreams = 64
  /// The most open streams of the administrators of one organisation.
  static let streamsOfOrganization = 8
  /// The most readings given to a stream at once.
  static let pageSize = 100
  /// How many arrivals are searched at once for those of one organisation.
  static let searched: Int64 = 100_000

  private struct State {
    var streams: [ObjectIdentifier: EventStream] = [:]
    var isScheduled = false
    var isClosed = false

    /// The number of open streams that prevents another one for this watcher; nil if there is room.
    func excess(of watcher: EventWatcher) -> Int? {
      if isClosed || streams.count >= maximumStreams { return streams.count }
      guard let organization = watcher.organization else { return nil }
      let own = streams.values.count { $0.watcher.organization == organization }
      return own >= streamsOfOrganization ? own : nil
    }
  }

  private let store: any RecordStore
  private let heartbeat: DispatchTimeInterval
  private let now: @Sendable () -> Date
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "santorio.ingest.events")
  private let state = Locked(State())

  /// Creates a hub that sends a comment at each `heartbeat`, to detect vanished peers.
  init(
    store: any RecordStore, heartbeat: DispatchTimeInterval = .seconds(15),
    now: @escaping @Sendable () -> Date = { Date() }, log: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.heartbeat = heartbeat
    self.now = now
    self.log = log
    scheduleHeartbeat()
  }

  /// The response that opens a stream, or refuses one beyond the limits.
  ///
  /// A stream does not count as a concurrent request, but its lease holds memory.
  func response(
    from start: EventStart, to watcher: EventWatcher, lease: RequestLease
  ) throws(IngestError) -> HTTPResponse {
    if let count = state.withLock({ $0.excess(of: watcher) }) {
      return .unavailable("too many streams are open (\(count)); close one and try again")
    }
    let newest = try store.totals().arrival
    let position =
      switch start {
      case .after(let arrival): min(arrival, newest)
      case .recent(let count):
        try watcher.organization.map { name throws(IngestError) in
          try store.position(before: Int(count), in: name, after: newest - Self.searched)
        } ?? max(0, newest - count)
      }
    lease.becomeStream()
    return HTTPResponse(
      200, type: "text/event-stream",
      body: .stream { connection in
        self.register(
          EventStream(
            of: watcher, position: position, connection: connection, hub: self, lease: lease))
      })
  }

  private func register(_ stream: EventStream) -> EventStream {
    let isClosed = state.withLock { state in
      state.streams[ObjectIdentifier(stream)] = stream
      return state.isClosed
    }
    if isClosed { stream.close() }
    return stream
  }

  func remove(_ stream: EventStream) {
    state.withLock { _ = $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// Called when something was received or a stream waits for more.
  func notify() {
    let mustSchedule = state.withLock { state in
      guard !state.isScheduled, !state.streams.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    if mustSchedule { queue.async { self.pump() } }
  }

  /// Ends all streams; streams opened later end at once.
  func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.close() }
    queue.sync {}
  }

  private func scheduleHeartbeat() {
    queue.asyncAfter(deadline: .now() + heartbeat) { [weak self] in
      guard let self, !state.withLock({ $0.isClosed }) else { return }
      closeEndedStreams()
      for stream in waitingStreams() { stream.feed(Self.comment) }
      scheduleHeartbeat()
    }
  }

  private static let comment = Array(": \n\n".utf8)

  private func waitingStreams() -> [EventStream] {
    state.withLock { Array($0.streams.values) }.filter(\.isWaiting)
  }

  private func pump() {
    state.withLock { $0.isScheduled = false }
    closeEndedStreams()
    let waiting = waitingStreams()
    guard !waiting.isEmpty else { return }
    do throws(IngestError) {
      let totals = try store.totals()
      // Most streams are at the same position: read and render it once.
      var pages: [EventPage.Start: EventPage] = [:]
      var hasMore = false
      for stream in waiting {
        let start = EventPage.Start(
          position: stream.position, organization: stream.watcher.organization)
        if pages[start] == nil {
          pages[start] = try EventPage(store, from: start, newest: totals.arrival)
        }
        guard let page = pages[start] else { continue }
        stream.feed(page, start.organization == nil ? totals : nil)
        hasMore = hasMore || stream.isWaiting && stream.position > start.position
      }
      if hasMore { notify() }
    } catch {
      log("cannot read events: \(error)")
    }
  }

  /// Ends the streams whose token has expired or was revoked.
  private func closeEndedStreams() {
    for stream in state.withLock({ Array($0.streams.values) }) {
      do throws(IngestError) {
        let digest = stream.watcher.tokenDigest
        if try !store.isLive(tokenDigest: digest, at: now()) { stream.cancel() }
      } catch {
        log("cannot read a token: \(error)")
        stream.cancel()
      }
    }
  }
}

/// Stored readings as server-sent events.
struct EventPage: Sendable {
  /// The start of a page.
  struct Start: Hashable {
    let position: Int64
    /// The organisation whose events it contains; nil for all.
    let organization: String?
  }

  let bytes: [UInt8]
  /// The arrival number to continue from.
  let position: Int64

  /// Reads the events after a start; `newest` is an arrival number that was in the store before.
  init(_ store: any RecordStore, from start: Start, newest: Int64) throws(IngestError) {
    let end = max(start.position, min(newest, start.position + LiveEventHub.searched))
    let page = try store.arrivals(
      after: start.position, through: end, limit: PageLimit(count: LiveEventHub.pageSize),
      in: start.organization)
    bytes = page.elements.flatMap(Self.event)
    // The arrivals of other organisations are not searched again.
    position = page.isCut ? page.elements.last?.number ?? end : end
  }

  private static func event(_ arrival: Arrival) -> [UInt8] {
    var json = JSONWriter()
    var name = "record"
    json.object { json in
      json.optional("organization", arrival.account.organization)
      json.optional("user", arrival.account.id)
      json.optional("uid", arrival.account.uid.isEmpty ? nil : arrival.account.uid)
      switch arrival.event {
      case .stored(let record):
        json.key("record")
        record.write(to: &json)
      case .deleted(let id):
        name = "deleted"
        json.optional("id", String(id))
      case .erased: name = "erased"
      }
    }
    // A line break ends an event's data; in the JSON text as sent it is only whitespace.
    let data = json.bytes.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }
    return Array("id: \(arrival.number)\nevent: \(name)\ndata: ".utf8) + data
      + Array("\n\n".utf8)
  }
}

extension Totals {
  /// The totals as a server-sent event.
  var event: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.optional("records", Int(kept))
      json.optional("duplicates", Int(duplicates))
      json.optional("revised", Int(revised))
      json.optional("rejected", Int(rejected))
      json.optional("deleted", Int(deleted))
    }
    return Array("event: totals\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
  }
}
