// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthDevices
import HealthGATT

/// One pairing or one reading, from looking for the device to the end of the connection.
///
/// It decides and does nothing: each event returns the actions to be carried out, in order. It
/// looks after radio, search, connection and time; what is asked of the device is its driver's. The
/// carrier of the actions keeps one timer, set to ``deadline``.
struct PeripheralOperation: ~Copyable {
  enum Phase: Hashable {
    /// Until the radio is on. Next: searching, over.
    case waitingForRadio
    /// Looking for a device and connecting. Next: waitingForRadio, opening, discovering, closing,
    /// over.
    case searching
    /// Looking for services, then for the characteristics of each. Next: opening, closing, over.
    case discovering(pendingServices: Set<String>)
    /// Looking up what is kept about the device. Next: driving, listening, closing.
    case opening
    /// The driver has the device. Next: unsubscribing, closing, over.
    case driving
    /// Advertisements are taken of a device that is never connected. Next: closing, over.
    case listening
    /// Ending the subscriptions, then the connection. Next: closing, over.
    case unsubscribing(Outcome)
    /// Waiting for the end of all connections. Next: over.
    case closing(Outcome)
    case over
  }

  /// How long a cancelled connection may take to end before it is taken for ended.
  private static let closingTime = Duration.seconds(10)

  let purpose: Purpose
  /// The time of the event that is being handled.
  private var time: DriverTime?
  var phase = Phase.waitingForRadio
  var search: DeviceSearch
  var chosen: DeviceModel
  var name: String?
  var device: UUID?
  var limit: Duration
  var found: Set<GATTAttribute> = []
  var run: DriverRun?
  var isPaired = false
  var hasReading = false
  /// Whether the driver has finished, and the device is left as soon as all readings are on disk.
  var isFinishing = false
  var hasSerialNumber = false
  /// Whether it was decided before by what the device is recognised.
  var isIdentified = false
  var broadcast: (any BroadcastDriver)?
  var lastAdvertisement: Advertisement?
  /// The device that it has, and what it is.
  var used: (device: UUID, model: DeviceModel)? { device.map { ($0, chosen) } }
  /// Whether a device was heard, which is connected within a time or not at all.
  private var hasHeard = false
  /// What the device has sent before its driver has come to listen.
  var earlyValues: [(attribute: GATTAttribute, bytes: [UInt8])] = []
  /// How long the radio may take to be on.
  private let radioTime: Duration
  /// How long is left to look for a device once the radio is on.
  private var searchTime: Duration
  /// Whether there is less time to look for a device than the peripherals say.
  private let isLimited: Bool
  /// Whether nobody waits for it: it looks for its device without an end, and tells of no device that
  /// is not there.
  private let isPassive: Bool
  /// Whether the user is being asked whether Bluetooth may be used.
  private var isAwaitingPermission = false
  /// Whether the user was told to use the device.
  private var isReadyReported = false
  private var dialog: PairingDialog?
  private let keys: [Int: AppKeys]

  /// Prepares an operation.
  ///
  /// - Parameters:
  ///   - purpose: What it is for.
  ///   - first: A peripheral to look for.
  ///   - others: More peripherals to look for.
  ///   - allowed: The identifiers to which it is restricted, if any.
  ///   - resting: The identifiers of devices that are left alone.
  ///   - known: Devices that were used before, the last one first.
  ///   - keys: The app's keys, by the numbers of the peripherals.
  ///   - minimumRSSI: The weakest signal in dBm with which a device is taken; any when nil.
  ///   - time: How long to look for a device at most; as long as the peripherals say when nil.
  ///   - isPassive: Whether it looks for its device without an end.
  ///   - now: The present instant.
  init(
    _ purpose: Purpose, _ first: DeviceModel, _ others: [DeviceModel] = [],
    allowed: Set<UUID>? = nil, resting: Set<UUID> = [], known: [KnownPeripheral] = [],
    keys: [Int: AppKeys] = [:], minimumRSSI: Int? = nil,
    within time: Duration? = nil, isPassive: Bool = false, at now: Duration
  ) {
    self.isPassive = isPassive
    self.keys = keys
    self.purpose = purpose
    search = DeviceSearch(
      purpose, for: [first] + others, allowed: allowed, resting: resting, known: known,
      minimumRSSI: minimumRSSI, isHurried: time != nil)
    chosen = first
    radioTime = others.reduce(first.connectTimeout) { max($0, $1.connectTimeout) }
    searchTime = min(radioTime, time ?? radioTime)
    isLimited = time != nil
    limit = now + radioTime
  }

  /// When ``Event/timeReached`` is due; nil when nothing is waited for.
  var deadline: Duration? {
    switch phase {
    case .over: nil
    case .waitingForRadio: isAwaitingPermission || isPassive ? nil : limit
    case .searching: isEndless ? search.deadline : min(limit, search.deadline ?? limit)
    case .driving: min(drivingLimit, run?.deadline ?? drivingLimit)
    case .listening: min(limit, broadcast?.deadline ?? limit)
    default: limit
    }
  }

  /// Whether the search has no end.
  private var isEndless: Bool { isPassive && !hasHeard }

  /// When the driver has had its time.
  var drivingLimit: Duration { dialog?.limit ?? limit }

  /// Takes an event and returns what to do, in order.
  mutating func handle(_ event: Event, at time: DriverTime) -> [Action] {
    self.time = time
    let actions = actions(for: event, at: time)
    if phase == .driving { dialog?.note(isAsking: run?.isAsking == true, at: time.elapsed) }
    return actions
  }

  private mutating func actions(for event: Event, at time: DriverTime) -> [Action] {
    let now = time.elapsed
    return switch event {
    case .radioChanged(let state): radioChanged(state, at: time)
    case .retrievedKnown(let devices): search.retrievedKnown(devices, at: now)
    case .retrievedConnected(let devices): search.retrievedConnected(devices, at: now)
    case .discovered(let device): discovered(device, at: time)
    case .waiting(let id, let obstacle): search.waiting(id, for: obstacle)
    case .connected(let id): connected(id, at: now)
    case .connectionFailed(let id, let failure): connectionEnded(id, failure, at: time)
    case .servicesDiscovered(let services): servicesDiscovered(services, at: now)
    case .characteristicsDiscovered(let characteristics, let service):
      characteristicsDiscovered(characteristics, service, at: now)
    case .discoveryFailed(let failure): discoveryFailed(failure, at: time)
    case .deviceState(let id, let deviceState): opened(id, deviceState, at: time)
    case .deviceStateUnread(let error): deviceStateUnread(error, at: now)
    case .value(let attribute, let bytes): valueReceived(attribute, bytes, at: time)
    case .readFailed(let attribute, let failure): readFailed(attribute, failure, at: time)
    case .written(let attribute, let failure): written(attribute, failure, at: time)
    case .subscriptionChanged(let attribute, let failure):
      subscriptionChanged(attribute, failure, at: time)
    case .disconnected(let id, let failure): connectionEnded(id, failure, at: time)
    case .stored: stored(at: time)
    case .notStored: notStored(at: now)
    case .keptForOthers: keptForOthers(at: now)
    case .servicesChanged: servicesChanged(at: time)
    case .timeReached: timeReached(at: time)
    case .backgroundTimeExpired: backgroundTimeExpired(at: time)
    case .cancelRequested: cancelRequested(at: time)
    }
  }

  // MARK: - Radio and search

  private mutating func radioChanged(_ state: RadioState, at time: DriverTime) -> [Action] {
    switch (state, phase) {
    case (.unknown, .searching), (.awaitingPermission, .searching):
      phase = .waitingForRadio
      // What the radio takes is not taken from the search.
      searchTime = max(.zero, limit - time.elapsed)
      waitForRadio(state, at: time.elapsed)
      search.forget()
      hasHeard = false
      return []
    case (.unknown, .waitingForRadio), (.awaitingPermission, .waitingForRadio):
      if isAwaitingPermission || state == .awaitingPermission {
        waitForRadio(state, at: time.elapsed)
      }
      return []
    case (_, .over), (.on, .searching), (.unknown, _), (.awaitingPermission, _): return []
    case (.on, .waitingForRadio):
      phase = .searching
      limit = time.elapsed + searchTime
      return readyBeforeConnecting() + search.begin()
    case (.on, _):
      // A reset has ended the connection, which the system does not report.
      search.forget()
      return deviceLost(RequestFailure(.other, "Bluetooth was reset."), at: time)
    case (.unavailable(let reason), _):
      // The system reports no disconnection when the radio goes off.
      search.forget()
      return lastReadings(at: time)
        + end(outcomeOfClosing ?? .failed(BluetoothError(unavailable: reason)))
    }
  }

  private mutating func waitForRadio(_ state: RadioState, at now: Duration) {
    isAwaitingPermission = state == .awaitingPermission
    limit = now + radioTime
  }

  /// Tells the user of a device that has to be used before it connects, if that one is looked for.
  private mutating func readyBeforeConnecting() -> [Action] {
    guard !isPassive, let model = search.only, model.isUsedBeforeConnecting else { return [] }
    return reportReady()
  }

  /// Tells the user to use the device now, once.
  ///
  /// A user who has not asked for the reading is told only of a device that waits for a measurement.
  mutating func reportReady(isWaiting: Bool = false) -> [Action] {
    guard purpose == .read, !isReadyReported, isWaiting || !isPassive else { return [] }
    isReadyReported = true
    return [.report(.readyToRead)]
  }

  /// What was held back, when nothing more can come.
  private mutating func lastReadings(at time: DriverTime) -> [Action] {
    switch phase {
    case .driving: driveEarly(at: time) + drive(.ended, at: time)
    case .listening: broadcastEnded(at: time)
    default: []
    }
  }

  private var outcomeOfClosing: Outcome? {
    switch phase {
    case .closing(let outcome), .unsubscribing(let outcome): outcome
    default: nil
    }
  }

  private mutating func discovered(_ device: DiscoveredDevice, at time: DriverTime) -> [Action] {
    if phase == .listening, device.id == self.device {
      return listen(to: device.advertisement, at: time)
    }
    guard phase == .searching else { return [] }
    let actions = search.discovered(device)
    guard let link = search.broadcaster else {
      // A search within a time ends then, but not the device that was found in it.
      if !actions.isEmpty {
        hasHeard = true
        if isLimited || isPassive { limit = time.elapsed + radioTime }
      }
      return actions
    }
    take(link, limit: time.elapsed + link.peripheral.readTimeout)
    guard purpose == .read else {
      return actions + [.report(.paired)] + close(.finished, at: time.elapsed)
    }
    phase = .opening
    lastAdvertisement = device.advertisement
    return actions + [.retrieveDeviceState(link.id)]
  }

  private mutating func connected(_ id: UUID, at now: Duration) -> [Action] {
    guard phase == .searching, let found = search.connected(id) else { return [] }
    let timeout = found.link.peripheral.readTimeout
    take(found.link, limit: now + (purpose == .pair ? max(timeout, PairingDialog.time) : timeout))
    if purpose == .read, mayAskToPair(found.link) {
      dialog = PairingDialog(timeout: timeout, connected: now)
    }
    return found.actions + discover(id)
  }

  /// Whether a reading may open the system's pairing dialog: what has kept its bond does not.
  private func mayAskToPair(_ link: DeviceSearch.Link) -> Bool {
    link.peripheral.requiresPairing && search.bond(of: link.id) != .verified
  }

  private mutating func take(_ link: DeviceSearch.Link, limit: Duration) {
    device = link.id
    chosen = link.peripheral
    name = link.name
    self.limit = limit
  }

  private mutating func connectionEnded(
    _ id: UUID, _ failure: RequestFailure?, at time: DriverTime
  ) -> [Action] {
    let link = search.ended(id)
    switch phase {
    case .closing(let outcome): return search.isClosed ? end(outcome) : []
    case .searching:
      guard let link else { return [] }
      return notConnected(link, failure ?? RequestFailure(.other), at: time.elapsed)
    default: return id == device ? deviceLost(failure, at: time) : []
    }
  }

  /// A known device that cannot be connected now may be found in another way; one that was heard,
  /// or that has forgotten the bond, ends the search: its user waits for an answer.
  private mutating func notConnected(
    _ link: DeviceSearch.Link, _ failure: RequestFailure, at now: Duration
  ) -> [Action] {
    let error = BluetoothError(
      failure, code: .connectionFailure, while: purpose, bond: search.bond(of: link.id))
    if error.code != .bondLost, !isPassive, let actions = search.proceed(without: link, at: now) {
      return actions
    }
    return search.report(link) + close(.failed(error), at: now)
  }

  // MARK: - Discovery

  private mutating func discover(_ device: UUID) -> [Action] {
    phase = .discovering(pendingServices: [])
    found = []
    return [.discoverServices(wanted.map(\.service).uniqued, of: device)]
  }

  /// A device may change its services when it is paired: what it was asked before is asked again,
  /// unless it has sent something that it may not send again.
  private mutating func servicesChanged(at time: DriverTime) -> [Action] {
    guard let device else { return [] }
    switch phase {
    case .discovering, .opening: return discover(device)
    case .driving:
      // What the driver holds back has been confirmed.
      let last = lastReadings(at: time)
      guard case .driving = phase else { return last }
      guard !hasReading else {
        let failure = RequestFailure(.other, "The device has changed its services.")
        return last + lost(failure, at: time.elapsed)
      }
      run = nil
      return last + discover(device)
    default: return []
    }
  }

  /// All attributes that one of the drivers may use.
  private var wanted: [GATTAttribute] { chosen.drivers.flatMap { $0.required + $0.optional } }

  private mutating func servicesDiscovered(_ services: [String], at now: Duration) -> [Action] {
    guard case .discovering = phase else { return [] }
    let canBeDriven = chosen.drivers.contains { model in
      model.required.allSatisfy { services.contains($0.service) }
    }
    guard canBeDriven else { return lacksProtocol(at: now) }
    let pending = wanted.map(\.service).uniqued.filter(services.contains)
    phase = .discovering(pendingServices: Set(pending))
    return pending.map { service in
      let characteristics = wanted.filter { $0.service == service }.map(\.characteristic)
      return .discoverCharacteristics(characteristics.uniqued, service: service)
    }
  }

  private mutating func characteristicsDiscovered(
    _ characteristics: [String], _ service: String, at now: Duration
  ) -> [Action] {
    guard case .discovering(var pending) = phase, pending.remove(service) != nil else { return [] }
    found.formUnion(characteristics.map { GATTAttribute(service, $0) })
    phase = .discovering(pendingServices: pending)
    guard pending.isEmpty else { return [] }
    guard model != nil, let device else { return lacksProtocol(at: now) }
    phase = .opening
    return [.retrieveDeviceState(device)]
  }

  /// The driver whose attributes the device has.
  private var model: DriverModel? { chosen.drivers.first { found.isSuperset(of: $0.required) } }

  private mutating func lacksProtocol(at now: Duration) -> [Action] {
    let protocols = chosen.drivers.map { model in
      "\(model.name) (\(model.required.map(\.characteristic).uniqued.joined(separator: ", ")))"
    }
    return close(
      failed(
        BluetoothError(
          .communicationFailure,
          "The device lacks what every \(chosen.type.displayName.lowercased()) of this kind has: "
            + "\(protocols.joined(separator: ", or ")). It is another kind of device.")),
      at: now)
  }

  /// A failure after a bond that stands: a device may change with it, and needs nothing more.
  private func failed(_ error: BluetoothError) -> Outcome {
    isFinishedWhenLeft ? .finished : .failed(error)
  }

  private mutating func discoveryFailed(
    _ failure: RequestFailure, at time: DriverTime
  ) -> [Action] {
    switch failure.cause {
    // That the device is gone may be reported to its requests first.
    case .disconnected: deviceLost(failure, at: time)
    case .other, .noRoom:
      switch phase {
      case .discovering, .opening: close(failed(error(for: failure)), at: time.elapsed)
      default: []
      }
    case .notPaired, .notEncrypted, .encryptionTimedOut, .bondLost, .noBondFree:
      fail(failure, at: time.elapsed)
    }
  }

  private mutating func opened(
    _ id: UUID, _ deviceState: DeviceState, at time: DriverTime
  ) -> [Action] {
    guard phase == .opening, id == device else { return [] }
    isIdentified = deviceState.isIdentified
    var context = DriverContext(
      purpose: purpose, attributes: found, name: name,
      checkpoints: deviceState.checkpoints, secrets: deviceState.secrets, user: deviceState.user)
    context.checkpointKey = deviceState.checkpointKey
    context.secrets.merge(keys[chosen.id] ?? [:]) { _, key in key }
    if let broadcaster = chosen.broadcast {
      phase = .listening
      broadcast = broadcaster.make(context)
      return lastAdvertisement.map { listen(to: $0, at: time) } ?? []
    }
    guard let model else { return lacksProtocol(at: time.elapsed) }
    context.attributes = found.intersection(model.required + model.optional)
    phase = .driving
    run = DriverRun(model.make(context))
    // A memory is asked for anyway, from where it has been read.
    if model.readsMemory { earlyValues = [] }
    return (model.readsMemory ? reportReady() : []) + drive(.begun, at: time)
  }

  /// What came before the driver listened is not sent again: a connection that an earlier process has
  /// had goes on, and its device with it.
  ///
  /// The driver is told once it knows the device, or at the end.
  mutating func driveEarly(at time: DriverTime) -> [Action] {
    guard run != nil else { return [] }
    let values = earlyValues
    earlyValues = []
    return values.reduce(into: []) { actions, value in
      actions += drive(.value(value.attribute, value.bytes), at: time)
    }
  }

  /// Without it measurements could be taken off the device that cannot be stored.
  private mutating func deviceStateUnread(_ error: BluetoothError, at now: Duration) -> [Action] {
    phase == .opening ? close(failed(error), at: now) : []
  }

  // MARK: - Ends

  private mutating func timeReached(at time: DriverTime) -> [Action] {
    let now = time.elapsed
    switch phase {
    case .over: return []
    case .unsubscribing(let outcome) where now >= limit: return close(outcome, at: now)
    case .closing(let outcome) where now >= limit: return end(outcome)
    case .waitingForRadio where now >= limit && !isAwaitingPermission && !isPassive:
      return end(.failed(BluetoothError(unavailable: .unknown)))
    case .searching where now >= limit && !isEndless:
      return close(.failed(search.timeoutError), at: now)
    case .searching: return search.timeReached(at: now)
    case .driving: return drivingTimeReached(at: time)
    case .listening: return listeningTimeReached(at: time)
    case .discovering where now >= limit, .opening where now >= limit:
      return close(failed(BluetoothError(.readingTimeout)), at: now)
    default: return []
    }
  }

  /// The app is about to be suspended, and is not woken for what the device sends: the system would
  /// confirm it, and the device forget it.
  private mutating func backgroundTimeExpired(at time: DriverTime) -> [Action] {
    switch phase {
    case .discovering, .opening, .driving, .listening:
      let last = lastReadings(at: time)
      let isFinished = isFinishedWhenLeft || run == nil && hasReading
      // Not the connection first: with it would go what the system has confirmed and keeps back.
      return last
        + unsubscribe(
          isFinished ? .finished : .failed(BluetoothError(.interrupted)), at: time.elapsed)
    default: return []
    }
  }

  private mutating func cancelRequested(at time: DriverTime) -> [Action] {
    switch phase {
    case .over, .closing: return []
    default: return lastReadings(at: time) + close(.cancelled, at: time.elapsed)
    }
  }

  /// A request failed in a way that is the connection's or the bond's matter.
  mutating func fail(_ failure: RequestFailure, at now: Duration) -> [Action] {
    switch phase {
    case .discovering, .opening, .driving:
      close(.failed(error(for: failure)), at: now)
    default: []
    }
  }

  private func error(for failure: RequestFailure) -> BluetoothError {
    BluetoothError(
      failure, code: .communicationFailure, while: purpose,
      bond: device.map { search.bond(of: $0) } ?? .none)
  }

  mutating func deviceLost(_ failure: RequestFailure?, at time: DriverTime) -> [Action] {
    // What the driver has held back is a reading all the same.
    let last = lastReadings(at: time)
    return last + lost(failure, at: time.elapsed)
  }

  private mutating func lost(_ failure: RequestFailure?, at now: Duration) -> [Action] {
    switch phase {
    case .closing(let outcome), .unsubscribing(let outcome): return close(outcome, at: now)
    case .discovering where isFinishedWhenLeft, .opening where isFinishedWhenLeft,
      .driving where isFinishedWhenLeft:
      return close(.finished, at: now)
    case .driving where failure?.cause == .disconnected && run?.isReady == true && !hasReading:
      return close(.failed(BluetoothError(.noReading)), at: now)
    case .discovering, .opening, .driving, .listening:
      let failure = failure ?? RequestFailure(.other, "The connection ended.")
      return close(.failed(error(for: failure)), at: now)
    case .waitingForRadio, .searching, .over: return []
    }
  }

  /// Ends the subscriptions, so that the device knows of the end, and then the connection.
  mutating func unsubscribe(_ outcome: Outcome, at now: Duration) -> [Action] {
    let actions = run?.leave() ?? []
    guard !actions.isEmpty else { return close(outcome, at: now) }
    phase = .unsubscribing(outcome)
    limit = now + Self.closingTime
    return actions
  }

  /// Ends the scan and all connections; the outcome is reported when they are gone.
  mutating func close(_ outcome: Outcome, at now: Duration) -> [Action] {
    guard phase != .over else { return [] }
    let actions = search.close()
    guard !search.isClosed else { return actions + end(outcome) }
    phase = .closing(outcome)
    limit = now + Self.closingTime
    return actions
  }

  private mutating func end(_ outcome: Outcome) -> [Action] {
    guard phase != .over else { return [] }
    phase = .over
    // What the driver still holds back: the device may have forgotten it.
    let last = time.map { driveEarly(at: $0) + drive(.ended, at: $0) } ?? []
    return last + [.report(.ended(outcome))]
  }
}
