// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// Answers bluetoothd when a peer pairs (BlueZ, doc/agent-api.txt).
///
/// Without an agent every pairing fails, even one that asks nothing. Without a pairing handler, only
/// a peer that this process communicates with may pair, and only if it needs no passkey. Calls by
/// other programs than bluetoothd are refused.
final class PairingAgent: @unchecked Sendable {
  private static let path = "/org/santorio/agent"

  private unowned let host: BlueZHost
  private var registration: DBusRegistration?
  private var owner: DBusConnection?
  /// The question that is not answered yet.
  private var open: DBusIncomingCall?

  init(host: BlueZHost) {
    self.host = host
  }

  // MARK: - Registration

  /// Registers the agent; necessary again after each start of bluetoothd.
  func register() {
    guard let connection = host.connection else { return }
    if owner !== connection {
      registration = try? connection.publish(
        [DBusObject(Self.path, [interface])], root: Self.path)
      owner = connection
    }
    // Without a pairing handler, the peer must not expect a display or a keyboard.
    let capability = host.pairing == nil ? "NoInputNoOutput" : "KeyboardDisplay"
    let path = DBusValue.objectPath(Self.path)
    connection.send(BlueZ.call(BlueZ.root, BlueZ.agentManager, "UnregisterAgent", path))
    connection.send(
      BlueZ.call(BlueZ.root, BlueZ.agentManager, "RegisterAgent", path, .string(capability)))
    if !host.settings.leavesDefaultAgent {
      connection.send(BlueZ.call(BlueZ.root, BlueZ.agentManager, "RequestDefaultAgent", path))
    }
  }

  /// Makes the adapter bondable again.
  ///
  /// bluetoothd makes the adapter bondable while an agent is registered. If another agent, such as
  /// that of the previous process, is removed just after this one was registered, bluetoothd makes
  /// the adapter unbondable.
  func keepPairable() {
    guard host.state == .poweredOn, owner != nil, !host.settings.leavesDefaultAgent,
      let adapter = host.adapter
    else { return }
    owner?.send(
      BlueZ.call(
        adapter, BlueZ.properties, "Set", .string(BlueZ.adapter), .string("Pairable"),
        .variant(.boolean(true))))
  }

  private var interface: DBusInterface {
    let ask = { (kind: @escaping @Sendable (DBusIncomingCall) -> BlueZPairing.Question?) in
      { @Sendable [weak self] (call: DBusIncomingCall) -> Void in
        guard let self, isOfDaemon(call), let question = kind(call) else {
          return call.fail(.rejected)
        }
        answer(call, question)
      }
    }
    return DBusInterface(
      name: BlueZ.agent, properties: [:],
      methods: [
        "Release": { $0.reply() },
        "RequestPasskey": ask { _ in .passkeyEntry },
        "DisplayPasskey": ask { $0.number.map(BlueZPairing.Question.passkeyDisplay) },
        "RequestConfirmation": ask { $0.number.map(BlueZPairing.Question.numericComparison) },
        "RequestAuthorization": ask { _ in .confirmation },
        "AuthorizeService": ask { _ in .confirmation },
        "Cancel": { [weak self] call in
          guard let self, isOfDaemon(call) else { return call.fail(.rejected) }
          open = nil
          call.reply()
        },
      ])
  }

  /// Whether bluetoothd made the call; called on the host's queue.
  private func isOfDaemon(_ call: DBusIncomingCall) -> Bool {
    Self.isTrusted(call.sender, daemon: host.tree?.owner)
  }

  /// Whether the sender of a call is bluetoothd, by its unique bus name.
  static func isTrusted(_ sender: String, daemon: String?) -> Bool { sender == daemon }

  /// The answer without a pairing handler.
  static func unattended(_ question: BlueZPairing.Question) -> BlueZPairing.Answer {
    question == .confirmation ? .accept : .reject
  }

  // MARK: - Answers

  private func answer(_ call: DBusIncomingCall, _ question: BlueZPairing.Question) {
    guard let path = call.arguments.first?.string,
      let host = BlueZHost.all.first(where: { $0.isOwner(ofDevice: path) })
    else { return call.fail(.rejected) }
    open = call
    // Each adapter of this process has its own host and queue.
    host.queue.async {
      host.agent.answer(call, question, path)
    }
  }

  private func answer(_ call: DBusIncomingCall, _ question: BlueZPairing.Question, _ path: String) {
    guard let peer = host.identifier(ofDevice: path), host.uses(peer) else {
      return call.fail(.rejected)
    }
    host.links[peer].pairingBegins()
    guard let handler = host.pairing else {
      return settle(call, question, Self.unattended(question), peer)
    }
    let known = host.radioPeer(peer)
    Task { [host] in
      let answer = await handler(known, question)
      host.queue.async { host.agent.settle(call, question, answer, peer) }
    }
  }

  private func settle(
    _ call: DBusIncomingCall, _ question: BlueZPairing.Question, _ answer: BlueZPairing.Answer,
    _ peer: PeerIdentifier
  ) {
    switch (question, answer) {
    case (.passkeyEntry, .passkey(let digits)) where (0...999_999).contains(digits):
      call.reply([.uint32(UInt32(digits))])
    case (.passkeyEntry, _), (_, .reject):
      call.fail(.rejected)
      host.links[peer].pairingIsRefused()
    default:
      call.reply()
    }
  }

  /// Asks whether to remove the bond with a peer that has lost it; if so, removes it.
  func askToReplaceBond(with peer: PeerIdentifier, finish: @escaping (Bool) -> Void) {
    guard let handler = host.pairing else { return finish(false) }
    let (known, finish) = (host.radioPeer(peer), Unchecked(finish))
    Task { [host] in
      let answer = await handler(known, .bondReplacement)
      host.queue.async {
        guard answer == .accept else { return finish.value(false) }
        host.removeBond(with: peer) { finish.value($0) }
      }
    }
  }
}

extension DBusIncomingCall {
  /// The number argument after the device.
  fileprivate var number: Int? { arguments.dropFirst().first?.int }
}

extension DBusError {
  fileprivate static let rejected = DBusError(
    name: "org.bluez.Error.Rejected", message: "This pairing was rejected.")
}
