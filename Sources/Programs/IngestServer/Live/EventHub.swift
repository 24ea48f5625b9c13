// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HealthRecords
import SantorioConcurrency

/// Where a stream of events begins.
enum EventStart: Sendable {
  /// After an event that the client has.
  case after(Int64)
  /// With the last few readings before now.
  case recent(Int64)
}

/// Feeds what was stored to all who watch.
///
/// The store is the queue: each stream remembers the last arrival it was given, so nothing is kept
/// for a slow one, and one that comes back goes on where it was.
final class EventHub: Sendable {
  /// The most streams at once.
  static let maximumStreams = 64
  /// The most readings handed to a stream at once.
  static let pageSize = 100

  private struct State {
    var streams: [ObjectIdentifier: EventStream] = [:]
    var isScheduled = false
    var isClosed = false
  }

  private let store: any RecordStore
  private let heartbeat: DispatchTimeInterval
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "santorio.ingest.events")
  private let state = Locked(State())

  /// Makes a hub; a comment goes out at each `heartbeat`, so that a vanished peer is noticed.
  init(
    store: any RecordStore, heartbeat: DispatchTimeInterval = .seconds(15),
    log: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.heartbeat = heartbeat
    self.log = log
    scheduleHeartbeat()
  }

  /// The answer that opens a stream, or refuses one too many.
  func response(from start: EventStart) throws(IngestError) -> HTTPResponse {
    let isFull = state.withLock { $0.streams.count >= Self.maximumStreams || $0.isClosed }
    guard !isFull else {
      return .unavailable("\(Self.maximumStreams) streams are open; close one and try again")
    }
    let newest = try store.totals().arrival
    let position =
      switch start {
      case .after(let arrival): min(arrival, newest)
      case .recent(let count): max(0, newest - count)
      }
    return HTTPResponse(
      200, type: "text/event-stream",
      body: .stream { connection in self.open(at: position, on: connection) })
  }

  private func open(at position: Int64, on connection: SuspendableConnection) -> EventStream {
    let stream = EventStream(position: position, connection: connection, hub: self)
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

  /// Something was received, or a stream waits for more.
  func notify() {
    let mustSchedule = state.withLock { state in
      guard !state.isScheduled, !state.streams.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    if mustSchedule { queue.async { self.pump() } }
  }

  /// Ends all streams, and at once those that are opened later.
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
    let waiting = waitingStreams()
    guard !waiting.isEmpty else { return }
    do throws(IngestError) {
      let totals = try store.totals()
      // Most streams stand at the same place: read and render it once.
      var pages: [Int64: EventPage] = [:]
      for stream in waiting {
        let position = stream.position
        if pages[position] == nil { pages[position] = try EventPage(store, after: position) }
        if let page = pages[position] { stream.feed(page, totals) }
      }
    } catch {
      log("events cannot be read: \(error)")
    }
  }
}

/// Stored readings as server-sent events.
struct EventPage: Sendable {
  let octets: [UInt8]
  /// The arrival number to go on from.
  let position: Int64

  init(_ store: any RecordStore, after position: Int64) throws(IngestError) {
    let arrivals = try store.arrivals(after: position, limit: EventHub.pageSize)
    octets = arrivals.flatMap(Self.event)
    self.position = arrivals.last?.number ?? position
  }

  private static func event(_ arrival: Arrival) -> [UInt8] {
    var json = JSONWriter()
    var name = "record"
    json.object { json in
      json.optional("organization", arrival.account.organization)
      json.optional("user", arrival.account.id)
      json.optional("uid", arrival.account.uid)
      switch arrival.event {
      case .stored(let record):
        json.key("record")
        record.write(to: &json)
      case .deleted(let logID):
        name = "deleted"
        json.optional("log_id", logID)
      }
    }
    // A line break ends an event's data; in JSON text as it was sent it is mere space.
    let data = json.octets.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }
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
    return Array("event: totals\ndata: ".utf8) + json.octets + Array("\n\n".utf8)
  }
}
