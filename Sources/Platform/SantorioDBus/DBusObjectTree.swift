// SPDX-License-Identifier: Apache-2.0

/// A mirror of the objects of a service, kept up to date by its signals.
///
/// It subscribes before it lists, so nothing is missed between the two; signals that other programs
/// send in the service's name are ignored. It starts the service once; when the service ends later,
/// it waits for it to come back. Used on the queue of its connection.
package final class DBusObjectTree: @unchecked Sendable {
  /// A change; `objects` is updated before it is reported.
  package enum Change: Hashable, Sendable {
    /// The service is running, and its objects are known.
    case appeared
    /// The service has ended, and its objects were removed.
    case vanished
    /// The objects could not be listed: the service refused, or cannot be started. Listing is tried
    /// again when the service appears.
    case failed(DBusError)
    case added(path: String, interface: String)
    case removed(path: String, interface: String)
    /// Reported for every signal, even when values stay the same.
    case changed(
      path: String, interface: String, properties: [String: DBusValue], invalidated: [String])
  }

  // All state is touched on the connection's queue only.
  private typealias Listing = [String: [String: [String: DBusValue]]]
  private let connection: DBusConnection
  private let service: String
  private let handler: @Sendable (Change) -> Void
  private var registrations: [DBusRegistration] = []
  /// The unique name of the service's program; nil while there is none.
  package private(set) var owner: String?
  private var isListed = false

  /// The properties by path, interface and name, without the variants around the values.
  package private(set) var objects: [String: [String: [String: DBusValue]]] = [:]

  /// Begins to follow a service; `handler` is never called before this returned.
  package init(
    _ connection: DBusConnection, service: String, handler: @escaping @Sendable (Change) -> Void
  ) {
    self.connection = connection
    self.service = service
    self.handler = handler
    subscribe()
    findOwner()
  }

  /// The properties of an interface; nil when there is none.
  package subscript(path: String, interface: String) -> [String: DBusValue]? {
    objects[path]?[interface]
  }

  /// The paths of the objects at or below `prefix` that have an interface, sorted.
  package func paths(with interface: String, below prefix: String = "/") -> [String] {
    let start = prefix == "/" ? prefix : prefix + "/"
    return objects.compactMap { path, interfaces in
      guard interfaces[interface] != nil else { return nil }
      return path == prefix || path.hasPrefix(start) ? path : nil
    }.sorted()
  }
}

// MARK: - The service

extension DBusObjectTree {
  private static let bus = "org.freedesktop.DBus"

  private func subscribe() {
    let owners = MatchRule(
      sender: Self.bus, interface: Self.bus, member: "NameOwnerChanged", firstArgument: service)
    registrations = [
      connection.bus.match(owners) { [weak self] in self?.ownerChanged($0) },
      connection.match(sender: service, interface: StandardInterface.objectManager) {
        [weak self] in self?.objectsChanged($0)
      },
      connection.match(
        sender: service, interface: StandardInterface.properties, member: "PropertiesChanged"
      ) { [weak self] in self?.propertiesChanged($0) },
    ]
  }

  private func findOwner() {
    ask("GetNameOwner", .string(service)) { tree, answer in
      guard tree.owner == nil else { return }
      switch answer {
      case .success(let values): tree.list(values.first?.string)
      case .failure(let error) where error.name == DBusError.nameHasNoOwner: tree.startService()
      case .failure(let error): tree.handler(.failed(error))
      }
    }
  }

  private func startService() {
    ask("StartServiceByName", .string(service), .uint32(0)) { tree, answer in
      // On success, NameOwnerChanged has already reported it.
      guard tree.owner == nil, case .failure(let error) = answer else { return }
      tree.handler(.failed(error))
    }
  }

  private func ask(
    _ member: String, _ arguments: DBusValue...,
    reply: @escaping @Sendable (DBusObjectTree, Result<[DBusValue], DBusError>) -> Void
  ) {
    var call = DBusCall(Self.bus, "/org/freedesktop/DBus", Self.bus, member)
    call.arguments = arguments
    connection.call(call) { [weak self] answer in
      if let self { reply(self, answer) }
    }
  }

  private func ownerChanged(_ signal: DBusSignal) {
    guard signal.sender == Self.bus, signal.arguments.first?.string == service,
      let new = signal.arguments.last?.string
    else { return }
    let hadVanished = isListed
    (owner, isListed, objects) = (nil, false, [:])
    if hadVanished { handler(.vanished) }
    if !new.isEmpty { list(new) }
  }

  private func list(_ owner: String?) {
    guard let owner else { return }
    self.owner = owner
    let call = DBusCall(owner, "/", StandardInterface.objectManager, "GetManagedObjects")
    connection.call(call) { [weak self] answer in
      guard let self, self.owner == owner else { return }
      listed(answer)
    }
  }

  private func listed(_ answer: Result<[DBusValue], DBusError>) {
    switch answer {
    case .success(let values):
      objects = Self.objects(values.first)
      isListed = true
      handler(.appeared)
    case .failure(let error):
      handler(.failed(error))
    }
  }
}

// MARK: - Its objects

extension DBusObjectTree {
  private static func objects(_ listing: DBusValue?) -> Listing {
    guard case .dictionary(let entries, _, _)? = listing else { return [:] }
    var objects: Listing = [:]
    for (path, object) in entries {
      if let path = path.string { objects[path] = interfaces(object) }
    }
    return objects
  }

  private static func interfaces(_ object: DBusValue?) -> [String: [String: DBusValue]] {
    guard case .dictionary(let entries, _, _)? = object else { return [:] }
    var interfaces: [String: [String: DBusValue]] = [:]
    for (name, properties) in entries {
      if let name = name.string { interfaces[name] = properties.properties }
    }
    return interfaces
  }

  /// Whether a signal is from the listed service.
  private func isOfService(_ signal: DBusSignal) -> Bool { isListed && signal.sender == owner }

  private func objectsChanged(_ signal: DBusSignal) {
    guard isOfService(signal), signal.arguments.count == 2,
      let path = signal.arguments.first?.string
    else { return }
    switch signal.member {
    case "InterfacesAdded": add(Self.interfaces(signal.arguments.last), at: path)
    case "InterfacesRemoved": remove(signal.arguments.last?.strings ?? [], at: path)
    default: break
    }
  }

  private func add(_ interfaces: [String: [String: DBusValue]], at path: String) {
    objects[path, default: [:]].merge(interfaces) { _, new in new }
    for interface in interfaces.keys.sorted() { handler(.added(path: path, interface: interface)) }
  }

  private func remove(_ interfaces: [String], at path: String) {
    let removed = interfaces.filter { objects[path]?.removeValue(forKey: $0) != nil }
    if objects[path]?.isEmpty == true { objects[path] = nil }
    for interface in removed { handler(.removed(path: path, interface: interface)) }
  }

  /// Asks for the properties of an interface, for a service that does not signal all changes.
  ///
  /// The closure is called when the changes have been reported, or the service has refused.
  package func refresh(
    _ path: String, _ interface: String, finish: @escaping @Sendable () -> Void
  ) {
    let owner = owner
    let call = DBusCall(
      owner ?? service, path, StandardInterface.properties, "GetAll", .string(interface))
    connection.call(call) { [weak self] answer in
      let properties = (try? answer.get())?.first?.properties
      if let self, self.owner == owner, let properties { take(properties, of: interface, at: path) }
      finish()
    }
  }

  private func take(
    _ properties: [String: DBusValue], of interface: String, at path: String
  ) {
    guard let known = objects[path]?[interface] else { return }
    let changed = properties.filter { known[$0.key] != $0.value }
    guard !changed.isEmpty else { return }
    objects[path]?[interface]?.merge(changed) { _, new in new }
    handler(.changed(path: path, interface: interface, properties: changed, invalidated: []))
  }

  private func propertiesChanged(_ signal: DBusSignal) {
    let arguments = signal.arguments
    guard isOfService(signal), arguments.count == 3, let interface = arguments[0].string,
      let properties = arguments[1].properties, let invalidated = arguments[2].strings,
      objects[signal.path]?[interface] != nil
    else { return }
    objects[signal.path]?[interface]?.merge(properties) { _, new in new }
    for name in invalidated { objects[signal.path]?[interface]?[name] = nil }
    handler(
      .changed(
        path: signal.path, interface: interface, properties: properties, invalidated: invalidated))
  }
}
