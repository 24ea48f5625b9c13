// SPDX-License-Identifier: Apache-2.0

/// The objects that a connection offers, with the interfaces that every object has.
struct PublishedObjects {
  private var objects: [String: DBusObject] = [:]
  private var publications: [Int: (objects: [DBusObject], root: String)] = [:]
  private var count = 0

  /// Adds objects and returns the number to remove them by.
  mutating func insert(_ added: [DBusObject], root: String) throws(DBusError) -> Int {
    var paths = Set(objects.keys)
    for object in added where !paths.insert(object.path).inserted {
      throw DBusError(DBusError.objectPathInUse, "There is already an object at this path.")
    }
    for object in added { objects[object.path] = object }
    count += 1
    publications[count] = (added, root)
    return count
  }

  mutating func remove(_ number: Int) -> (objects: [DBusObject], root: String)? {
    let removed = publications.removeValue(forKey: number)
    for object in removed?.objects ?? [] { objects[object.path] = nil }
    return removed
  }

  private func isRoot(_ path: String) -> Bool {
    publications.values.contains { $0.root == path }
  }

  /// Answers a call, or hands it to the object's method.
  func handle(_ call: DBusIncomingCall) {
    do {
      if let values = try answer(call) { call.reply(values) }
    } catch {
      call.fail(error)
    }
  }

  private func answer(_ call: DBusIncomingCall) throws(DBusError) -> [DBusValue]? {
    switch (call.interface, call.member) {
    case (StandardInterface.introspectable, "Introspect"), ("", "Introspect"):
      return [.string(try introspection(of: call.path))]
    case (StandardInterface.objectManager, "GetManagedObjects") where isRoot(call.path):
      return [managedObjects(below: call.path)]
    case (StandardInterface.properties, _):
      return [try property(call)].compactMap(\.self)
    default:
      try method(call)(call)
      return nil
    }
  }
}

// MARK: - Methods and properties

extension PublishedObjects {
  private func object(_ path: String) throws(DBusError) -> DBusObject {
    guard let object = objects[path] else {
      throw DBusError(DBusError.unknownObject, "There is no such object.")
    }
    return object
  }

  private func interface(
    _ name: String, of path: String
  ) throws(DBusError) -> DBusInterface {
    guard let interface = try object(path).interfaces[name] else {
      throw DBusError(DBusError.unknownInterface, "The object has no such interface.")
    }
    return interface
  }

  private func method(
    _ call: DBusIncomingCall
  ) throws(DBusError) -> @Sendable (DBusIncomingCall) -> Void {
    let method =
      if call.interface.isEmpty {
        try object(call.path).interfaces.values.lazy.compactMap { $0.methods[call.member] }.first
      } else {
        try interface(call.interface, of: call.path).methods[call.member]
      }
    guard let method else {
      throw DBusError(DBusError.unknownMethod, "The object has no such method.")
    }
    return method
  }

  private func property(_ call: DBusIncomingCall) throws(DBusError) -> DBusValue? {
    let arguments = call.arguments.compactMap(\.string)
    switch (call.member, arguments.first, arguments.dropFirst().first) {
    case ("GetAll", let name?, _):
      return .properties(try interface(name, of: call.path).properties)
    case ("Get", let name?, let property?):
      return .variant(try value(property, of: try interface(name, of: call.path)))
    case ("Set", let name?, let property?):
      _ = try value(property, of: try interface(name, of: call.path))
      throw DBusError(DBusError.propertyReadOnly, "The property cannot be set.")
    case ("GetAll", _, _), ("Get", _, _), ("Set", _, _):
      throw DBusError(DBusError.invalidArguments, "An interface and a property are required.")
    default:
      throw DBusError(DBusError.unknownMethod, "The object has no such method.")
    }
  }

  private func value(
    _ property: String, of interface: DBusInterface
  ) throws(DBusError) -> DBusValue {
    guard let value = interface.properties[property] else {
      throw DBusError(DBusError.unknownProperty, "The interface has no such property.")
    }
    return value
  }
}

// MARK: - Listing

extension PublishedObjects {
  private static func isPath(_ path: String, below root: String) -> Bool {
    path.hasPrefix(root == "/" ? root : root + "/")
  }

  private func managedObjects(below root: String) -> DBusValue {
    var entries: [DBusValue: DBusValue] = [:]
    for (path, object) in objects where path == root || Self.isPath(path, below: root) {
      entries[.objectPath(path)] = object.listing
    }
    return .dictionary(entries, key: "o", value: "a{sa{sv}}")
  }

  /// The description in the specification's XML; paths without an object also list their children,
  /// so that clients can walk to the objects.
  private func introspection(of path: String) throws(DBusError) -> String {
    let children = Set(
      objects.keys.filter { $0 != path && Self.isPath($0, below: path) }.compactMap { child in
        child.dropFirst(path == "/" ? 1 : path.count + 1).split(separator: "/").first
      })
    guard objects[path] != nil || isRoot(path) || !children.isEmpty else {
      throw DBusError(DBusError.unknownObject, "There is no such object.")
    }
    let interfaces = (objects[path]?.interfaces.values).map(Array.init) ?? []
    return Introspection(
      interfaces: interfaces, isRoot: isRoot(path), children: children.sorted()
    ).text
  }
}

extension DBusObject {
  /// The interfaces and their properties (`a{sa{sv}}`).
  var listing: DBusValue {
    var entries: [DBusValue: DBusValue] = [:]
    for (name, interface) in interfaces {
      entries[.string(name)] = .properties(interface.properties)
    }
    return .dictionary(entries, key: "s", value: "a{sv}")
  }
}
