// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// The connection to one peer, shared by the sessions of the process.
///
/// bluetoothd gives up an attempt after 40 seconds; attempts are repeated here until no session
/// wants the connection any more.
final class BlueZLink {
  private enum Phase {
    case idle
    /// bluetoothd does not show the peer; a discovery searches for it.
    case searching
    /// bluetoothd connects when the peer appears.
    case awaiting
    case connecting
    /// The link is up, the services are not known yet.
    case resolving
    case up(GattClient)
    case closing
    /// The pairing handler is asked what to do about a lost bond.
    case asking
  }

  private struct PendingConnection {
    let session: BlueZCentralSession
    let options: ConnectRequest
    var isDue: Bool
  }

  let peer: PeerIdentifier
  private unowned let host: BlueZHost
  private var phase = Phase.idle
  private var pending: [PendingConnection] = []
  private var members: [BlueZCentralSession] = []
  /// The number of the attempt; replies to earlier attempts are ignored.
  private var attempt = 0
  /// Whether the link came up in this attempt.
  private var wasUp = false
  /// How many attempts in a row with a bonded peer have failed after the link was established.
  private var brokenAttempts = 0
  /// A radio may occasionally lose a new link, but hardly this often in a row.
  private static let attemptsBeforeBondIsLost = 3
  /// Whether the link was closed to make bluetoothd discover the services again.
  private var hasRediscovered = false
  private var isPairing = false
  /// Why the link was lost, as far as bluetoothd reports it.
  private var lossReason: CBError.Code?

  init(to peer: PeerIdentifier, of host: BlueZHost) {
    self.peer = peer
    self.host = host
  }

  private var device: BlueZDevice? { host.device(of: peer) }
  private var isWanted: Bool { pending.contains(where: \.isDue) }

  /// Whether bluetoothd is to make the link, now or when the peer appears.
  var isPending: Bool {
    switch phase {
    case .connecting, .awaiting: true
    default: false
    }
  }

  /// Whether there is a link, or one is being made or ended.
  var isOpen: Bool {
    switch phase {
    case .idle, .searching, .awaiting: false
    case .connecting, .resolving, .up, .closing, .asking: true
    }
  }

  /// Whether a session has or wants the link.
  var isUsed: Bool { !members.isEmpty || !pending.isEmpty }

  /// Whether the link is still that of the client.
  private func isUp(_ client: GattClient) -> Bool {
    if case .up(let current) = phase { current === client } else { false }
  }

  // MARK: - Requests of sessions

  func connect(_ session: BlueZCentralSession, _ options: ConnectRequest) {
    guard !members.contains(where: { $0 === session }) else { return }
    pending.removeAll { $0.session === session }
    pending.append(
      PendingConnection(session: session, options: options, isDue: options.delay <= .zero))
    guard options.delay > .zero else { return advance() }
    host.after(options.delay) { [weak self, weak session] in
      guard let self, let index = pending.firstIndex(where: { $0.session === session }) else {
        return
      }
      pending[index].isDue = true
      advance()
    }
  }

  /// Reports the connection again if the session has it.
  func confirm(to session: BlueZCentralSession) {
    guard case .up(let client) = phase, members.contains(where: { $0 === session }) else { return }
    session.send(.connected(host.radioPeer(peer), maximumWrite: client.maximumWrite))
  }

  func disconnect(_ session: BlueZCentralSession) {
    guard remove(session) else { return }
    // Call bluetoothd before notifying the program, which may exit as soon as it is notified.
    releaseIfUnused()
    session.send(.disconnected(peer, nil))
  }

  func leave(_ session: BlueZCentralSession) {
    if remove(session) { releaseIfUnused() }
  }

  private func remove(_ session: BlueZCentralSession) -> Bool {
    let count = pending.count + members.count
    pending.removeAll { $0.session === session }
    members.removeAll { $0 === session }
    if case .up(let client) = phase { client.unsubscribe(session) }
    return pending.count + members.count < count
  }

  /// Restores a connection of an earlier process.
  func restore(_ wanted: CentralRestoration.Peer, for session: BlueZCentralSession) -> Bool {
    guard wanted.maximumWrite != nil, let client = existingClient,
      client.database.holds(wanted.attributes)
    else { return addPending(wanted, session) }
    phase = .up(client)
    members.append(session)
    for handle in wanted.attributes.notifying { client.subscribe(session, to: handle) { _ in } }
    return true
  }

  /// The client of the link that is up, if there is one; it may be that of another session.
  private var existingClient: GattClient? {
    if case .up(let client) = phase { return client }
    guard let device, device.isConnected, device.isResolved,
      let client = GattClient(peer: peer, device: device.path, host: host)
    else { return nil }
    client.readMaximumWrite {}
    return client
  }

  private func addPending(_ wanted: CentralRestoration.Peer, _ session: BlueZCentralSession) -> Bool
  {
    pending.append(PendingConnection(session: session, options: wanted.options, isDue: true))
    host.queue.async { [weak self] in self?.advance() }
    return false
  }

  // MARK: - Getting connected

  /// Starts the next step of the connection, depending on the phase.
  func advance() {
    guard host.state == .poweredOn else { return }
    switch phase {
    case .up(let client): join(client)
    case .idle, .searching:
      guard isWanted else { return becomeIdle() }
      guard let device else {
        phase = .searching
        return host.discovery.search(for: peer)
      }
      host.discovery.endSearch(for: peer)
      if device.isConnected { resolve() } else { call(device) }
      // Writes a file, for which the call does not wait.
      host.peers?.keep(peer)
    case .awaiting, .connecting, .resolving, .closing, .asking: break
    }
  }

  private func becomeIdle() {
    host.discovery.endSearch(for: peer)
    host.autoConnection.remove(peer)
    hasRediscovered = false
    phase = .idle
  }

  private func call(_ device: BlueZDevice) {
    guard let connection = host.connection else { return }
    host.stuckAdapter.attemptBegins(to: device)
    phase = .connecting
    attempt += 1
    wasUp = false
    let number = attempt
    // bluetoothd answers within 40 seconds.
    connection.call(BlueZ.call(device.path, BlueZ.device, "Connect"), timeout: .seconds(90)) {
      [weak self] result in
      guard let self, number == attempt, case .connecting = phase else { return }
      switch result {
      case .success: resolve()
      case .failure(let error): failed(error)
      }
    }
  }

  private func failed(_ error: DBusError) {
    phase = .idle
    guard let device, isWanted else { return advance() }
    if device.isPaired && wasUp { brokenAttempts += 1 }
    if brokenAttempts >= Self.attemptsBeforeBondIsLost || device.isPaired && error.isKeyMissing {
      return bondIsLost()
    }
    if !wasUp, host.autoConnection.add(peer, device) {
      host.stuckAdapter.attemptBegins(to: device)
      phase = .awaiting
      return
    }
    retry()
  }

  private func retry() {
    host.after(.milliseconds(300)) { [weak self] in self?.advance() }
  }

  /// The peer accepted the connection several times, but refused to encrypt it.
  private func bondIsLost() {
    brokenAttempts = 0
    attempt += 1
    phase = .asking
    host.agent.askToReplaceBond(with: peer) { [weak self] isReplaced in
      guard let self, case .asking = phase else { return }
      phase = .idle
      if !isReplaced { fail(.peerRemovedPairingInformation) }
      advance()
    }
  }

  private func fail(_ code: CBError.Code) {
    let failed = pending.filter(\.isDue)
    pending.removeAll(where: \.isDue)
    for connection in failed { connection.session.send(.connectFailed(peer, .system(code))) }
  }

  /// bluetoothd no longer connects the peer by itself: connect from here instead.
  func endAwaiting() {
    guard case .awaiting = phase else { return }
    phase = .idle
    retry()
  }

  // MARK: - Resolving the services

  private func resolve() {
    phase = .resolving
    guard let device, let tree = host.tree else { return reconnect() }
    guard !device.isConnected else { return checkServices() }
    // bluetoothd sends no signal for a connection that the kernel reports late ("already
    // connected"), so the state is checked after a delay.
    let number = attempt
    let proceed = Unchecked { [weak self] in
      guard let self, number == attempt, case .resolving = phase else { return }
      self.device?.isConnected == true ? checkServices() : reconnect()
    }
    tree.refresh(device.path, BlueZ.device) { proceed.value() }
  }

  private func reconnect() {
    phase = .idle
    retry()
  }

  private func checkServices() {
    if let device, device.isConnected, device.isResolved { checkResolvedServices(device) }
  }

  /// The services are known; bluetoothd may still owe the answer to the call to connect.
  private func resolved() {
    switch phase {
    case .connecting, .awaiting: resolve()
    case .resolving: checkServices()
    default: break
    }
  }

  /// After a failed attempt bluetoothd may report services as resolved before it shows them.
  private func checkResolvedServices(_ device: BlueZDevice) {
    guard let client = GattClient(peer: peer, device: device.path, host: host) else { return }
    let number = attempt
    client.prepare { [weak self] areChangesIndicated in
      guard let self, number == attempt, case .resolving = phase else { return }
      guard self.device?.isConnected == true else { return reconnect() }
      guard areChangesIndicated || hasRediscovered else { return rediscoverServices() }
      hasRediscovered = false
      brokenAttempts = 0
      phase = .up(client)
      join(client)
    }
  }

  /// The services have changed since bluetoothd discovered them, which it does once per link.
  private func rediscoverServices() {
    hasRediscovered = true
    endConnection()
  }

  private func join(_ client: GattClient) {
    let joining = pending.filter(\.isDue).map(\.session)
    guard !joining.isEmpty else { return releaseIfUnused() }
    pending.removeAll(where: \.isDue)
    host.autoConnection.remove(peer)
    members += joining
    let known = host.radioPeer(peer)
    for session in joining {
      session.send(.connected(known, maximumWrite: client.maximumWrite))
    }
  }

  // MARK: - The end

  private func releaseIfUnused() {
    guard members.isEmpty, !isWanted else { return }
    switch phase {
    case .idle, .searching, .awaiting: becomeIdle()
    case .closing, .asking: break
    case .connecting, .resolving: endConnection()
    case .up(let client):
      client.close()
      endConnection()
    }
  }

  /// Ends the link, or the attempt.
  ///
  /// While bluetoothd is disconnecting, which takes two to three seconds, no new attempt is made.
  private func endConnection() {
    attempt += 1
    phase = .closing
    guard let connection = host.connection, let device else { return closed() }
    connection.call(BlueZ.call(device.path, BlueZ.device, "Disconnect")) { [weak self] _ in
      self?.closed()
    }
  }

  /// bluetoothd answers the call to disconnect before it updates the device's state.
  private func closed() {
    guard device?.isConnected == true else { return reopen() }
    host.after(.seconds(1)) { [weak self] in self?.reopen() }
  }

  private func reopen() {
    guard case .closing = phase else { return }
    phase = .idle
    advance()
  }

  func stateChanged() {
    guard host.state != .poweredOn else { return advance() }
    attempt += 1
    if case .up(let client) = phase { client.close() }
    phase = .idle
    pending = []
    members = []
    brokenAttempts = 0
  }

  private func lost() {
    guard case .up(let client) = phase else { return }
    // A failed pairing ends the link: fail the request that required it with that reason.
    if isPairing, device?.isPaired != true {
      client.failRequests(.attribute(.insufficientAuthentication))
    }
    isPairing = false
    client.close()
    phase = .idle
    let left = members
    members = []
    // Switching off the adapter ends its links first; then only the new state is reported.
    host.afterPendingMessages { [weak self] in
      guard let self, host.state == .poweredOn else { return }
      let reason = lossReason ?? .peripheralDisconnected
      for session in left { session.send(.disconnected(peer, .system(reason))) }
    }
    advance()
  }

  // MARK: - Events

  func deviceChanged(_ properties: [String: DBusValue]) {
    if let isConnected = properties["Connected"]?.bool {
      isConnected ? linkCameUp() : linkWentDown()
    }
    if properties["ServicesResolved"]?.bool == true { resolved() }
    if let name = properties["Name"]?.string, case .up = phase {
      for session in members { session.send(.nameChanged(peer, name)) }
    }
  }

  /// bluetoothd has called the pairing agent for this peer.
  func pairingBegins() {
    isPairing = true
  }

  /// A pairing is refused on this side.
  ///
  /// bluetoothd leaves the request that needed it, and all later ones, without an answer until the
  /// attribute protocol's 30 seconds are over; then it ends the link.
  func pairingIsRefused() {
    guard case .up(let client) = phase, client.hasOpenRequests else { return }
    client.failRequests(.attribute(.insufficientAuthentication))
    drop()
  }

  /// A request was not answered within 30 seconds; no later request will be answered either.
  ///
  /// See the Core Specification, Vol 3, Part F, 3.3.3. bluetoothd does not notice this when a
  /// pairing that needed no agent has failed.
  func requestTimedOut() {
    if case .up = phase { drop() }
  }

  /// Ends the link as if it were lost.
  private func drop() {
    guard let path = device?.path else { return }
    host.connection?.send(BlueZ.call(path, BlueZ.device, "Disconnect"))
  }

  /// Notes the reason that versions of BlueZ after 5.80 give for the loss of a link.
  func noteLoss(_ reason: String) {
    switch reason.split(separator: ".").last {
    case "Timeout": lossReason = .connectionTimeout
    case "Remote": lossReason = .peripheralDisconnected
    case "Authentication": lossReason = .encryptionTimedOut
    default: lossReason = .unknown
    }
  }

  private func linkCameUp() {
    lossReason = nil
    isPairing = false
    // One that the peer has made says nothing of those that this machine makes.
    if isPending { host.stuckAdapter.linkCameUp() }
    switch phase {
    case .connecting: wasUp = true
    case .awaiting: resolve()
    case .idle where isWanted: advance()
    default: break
    }
  }

  private func linkWentDown() {
    switch phase {
    case .up: lost()
    case .resolving:
      phase = .idle
      if device?.isPaired == true { brokenAttempts += 1 }
      if brokenAttempts >= Self.attemptsBeforeBondIsLost { return bondIsLost() }
      retry()
    case .closing: reopen()
    default: break
    }
  }

  /// Ends the link if bluetoothd has removed the peer.
  func checkObject() {
    guard device == nil else { return }
    switch phase {
    case .up: lost()
    case .awaiting, .resolving:
      host.autoConnection.remove(peer)
      phase = .idle
      advance()
    case .idle, .searching, .connecting, .closing, .asking: break
    }
  }

  func serviceAdded(_ path: String) {
    guard case .up(let client) = phase else { return }
    // bluetoothd shows the contents of a service after the service.
    host.afterPendingMessages { [weak self] in
      guard let self, isUp(client) else { return }
      for session in members { session.send(.servicesChanged(peer, [])) }
    }
  }

  func serviceRemoved(_ path: String) {
    guard case .up = phase, device?.isConnected == true,
      let handle = RemoteDatabase.handle(of: path)
    else { return }
    for session in members { session.send(.servicesChanged(peer, [handle])) }
  }

  func characteristicChanged(_ path: String, _ properties: [String: DBusValue]) {
    guard case .up(let client) = phase else { return }
    client.characteristicChanged(path, properties)
    if properties["MTU"] != nil {
      for session in members {
        session.send(.maximumWriteChanged(peer, client.maximumWrite))
      }
    }
  }

  // MARK: - Requests

  func perform(_ request: PeerRequest, number: RequestNumber, for session: BlueZCentralSession) {
    guard case .up(let client) = phase, members.contains(where: { $0 === session }) else { return }
    client.perform(request, for: session) { [weak self, weak session] result in
      guard let self, let session, isUp(client), members.contains(where: { $0 === session })
      else { return }
      session.send(.answered(number, peer, result))
    }
  }
}
