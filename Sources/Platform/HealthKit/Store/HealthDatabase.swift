// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// The file in which the health store's objects are, with the names that its rows refer to.
///
/// It is used from one queue at a time.
package final class HealthDatabase {
  /// What the store has of a type.
  struct TypeRow {
    let id: Int64
    let type: HKObjectType
    /// The numbers of the first and the last row, in `sample` or `deletion`.
    var first: Int64?
    var last: Int64?
    /// The longest sample's duration, in seconds.
    var longest: Double
  }

  let connection: SQLiteDatabase
  /// Whether the file, or its folder, may not be written.
  let isReadOnly: Bool
  private(set) var types: [Int64: TypeRow] = [:]
  private var typesByIdentifier: [String: Int64] = [:]
  private(set) var units: [Int64: HKUnit] = [:]
  private var unitsByText: [String: Int64] = [:]
  private(set) var sources: [Int64: HKSource] = [:]
  private var sourcesByBundle: [String: Int64] = [:]
  private(set) var revisions: [Int64: HKSourceRevision] = [:]
  private var revisionsByValue: [HKSourceRevision: Int64] = [:]
  private(set) var revisionSources: [Int64: Int64] = [:]
  /// The first revision of each origin.
  private var originNumbers: [String: Int64] = [:]
  private(set) var devices: [Int64: HKDevice] = [:]
  private var devicesByValue: [HKDevice: Int64] = [:]
  // Metadata is often the same from one sample to the next.
  private var metadataByText: [String: Int64] = [:]
  private var metadataByID: [Int64: [String: Any]] = [:]
  /// What SQLite says another number of when another process has written.
  private var dataVersion: Int64 = 0
  /// The types with new rows since the last commit.
  private var changed: Set<Int64> = []
  /// The rows that were added last, all of one type, as far as ``types`` does not know of them.
  private var noted: (type: Int64, first: Int64, last: Int64, longest: Double)?

  /// Opens the store of a file, or makes one there.
  ///
  /// A store that may not be written is opened to be read only.
  ///
  /// - Throws: ``HealthStoreError`` when the file is no health store or of a later form, and the
  ///   error of SQLite when it cannot be opened.
  package init(path: String) throws {
    isReadOnly = Self.isReadOnly(path)
    connection = try Self.connect(path, isReadOnly: isReadOnly)
    let version = try connection.integer("PRAGMA user_version")
    switch version {
    case HealthSchema.version: break
    case 0 where try !isReadOnly && connection.integer("SELECT count(*) FROM sqlite_schema") == 0:
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute(HealthSchema.tables)
        try connection.execute("PRAGMA user_version = \(HealthSchema.version)")
      }
    case 0:
      throw HealthStoreError(
        description: "\(path) is a database, but not a health store. Name another file.")
    default:
      throw HealthStoreError(
        description: "\(path) is a health store of form \(version), and this program knows form "
          + "\(HealthSchema.version). Use the program that made it.")
    }
    try loadNames()
  }

  private static func isReadOnly(_ path: String) -> Bool {
    guard unsafe access(path, F_OK) == 0 else { return false }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return unsafe access(path, W_OK) != 0 || access(folder, W_OK) != 0
  }

  private static func connect(_ path: String, isReadOnly: Bool) throws -> SQLiteDatabase {
    do throws(SQLiteError) {
      guard isReadOnly else { return try SQLiteDatabase(path: path) }
      let connection = try SQLiteDatabase(readingOnly: path)
      _ = try connection.integer("PRAGMA user_version")
      return connection
    } catch {
      if unsafe access(path, R_OK) != 0 {
        throw HealthStoreError(
          description: "\(path) may not be read. Check the permissions of it and of its folder.")
      }
      if isReadOnly, !error.isCorrupt {
        throw HealthStoreError(
          description: "\(path) cannot be read where it is, in a folder that may not be written "
            + "(\(error.message)). Copy it to another folder with all files whose names begin alike."
        )
      }
      guard error.isCorrupt else { throw error }
      throw HealthStoreError(
        description: "\(path) is no health store, or it is damaged: \(error.message). Name another "
          + "file.")
    }
  }

  // MARK: - Names

  /// Reads what the rows refer to, again after a failure or after another process has written.
  private func loadNames() throws {
    dataVersion = try connection.integer("PRAGMA data_version")
    (types, typesByIdentifier) = ([:], [:])
    (units, unitsByText) = ([:], [:])
    (sources, sourcesByBundle, originNumbers) = ([:], [:], [:])
    (revisions, revisionsByValue, revisionSources) = ([:], [:], [:])
    (devices, devicesByValue) = ([:], [:])
    try connection.prepare("SELECT id, identifier, first, last, longest, unit FROM type").query {
      (row: SQLiteRow) throws(SQLiteError) in
      let identifier = row.text(1)
      types[row.integer(0)] = TypeRow(
        id: row.integer(0),
        type: HKObjectType.named(identifier, unit: row.optionalText(5).map(HKUnit.init(from:))),
        first: row.isNull(2) ? nil : row.integer(2), last: row.isNull(3) ? nil : row.integer(3),
        longest: row.real(4))
      typesByIdentifier[identifier] = row.integer(0)
    }
    try connection.prepare("SELECT id, text FROM unit").query { (row) throws(SQLiteError) in
      units[row.integer(0)] = HKUnit(from: row.text(1))
      unitsByText[row.text(1)] = row.integer(0)
    }
    try connection.prepare("SELECT id, bundle, name FROM source").query {
      (row) throws(SQLiteError) in
      sources[row.integer(0)] = HKSource(name: row.text(2), bundleIdentifier: row.text(1))
      sourcesByBundle[row.text(1)] = row.integer(0)
    }
    try connection.prepare(
      "SELECT id, source, version, product, system FROM revision ORDER BY id"
    ).query {
      (row) throws(SQLiteError) in
      guard let source = sources[row.integer(1)] else { return }
      let revision = HKSourceRevision(
        source: source, version: row.optionalText(2), productType: row.optionalText(3),
        operatingSystemVersion: HKSourceRevision.system(row.text(4)))
      keep(revision, row.integer(0), source: row.integer(1))
    }
    try connection.prepare("SELECT id, facts FROM device").query { (row) throws(SQLiteError) in
      guard let facts = try? MetadataCoding.value(row.text(1), as: [String?].self),
        facts.count == 8
      else { return }
      devices[row.integer(0)] = HKDevice(facts)
      devicesByValue[HKDevice(facts)] = row.integer(0)
    }
    metadataByText = [:]
    metadataByID = [:]
  }

  private func keep(_ revision: HKSourceRevision, _ id: Int64, source: Int64) {
    revisions[id] = revision
    revisionSources[id] = source
    revisionsByValue[revision] = id
    let origin = origin(id)
    if originNumbers[origin] == nil { originNumbers[origin] = id }
  }

  /// The number of the first revision with the same origin as one.
  package func originNumber(_ revision: Int64) -> Int64 {
    originNumbers[origin(revision)] ?? revision
  }

  /// Reads the names again if another process has written since.
  func refresh() throws {
    if try connection.integer("PRAGMA data_version") != dataVersion { try loadNames() }
  }

  /// The row of a type; nil if the store has none of it.
  func row(of type: HKObjectType) -> TypeRow? {
    typesByIdentifier[type.identifier].flatMap { types[$0] }
  }

  /// The number of a type, which is added if it is new.
  package func number(of type: HKObjectType) throws -> Int64 {
    if let number = typesByIdentifier[type.identifier] { return number }
    try connection.prepare("INSERT INTO type(identifier, unit) VALUES(?, ?)")
      .run(.text(type.identifier), .init((type as? HKQuantityType)?.canonicalUnit.unitString))
    let id = connection.lastInsertedID
    typesByIdentifier[type.identifier] = id
    types[id] = TypeRow(id: id, type: type, first: nil, last: nil, longest: 0)
    return id
  }

  /// The number of a unit, which is added if it is new.
  package func number(of unit: HKUnit) throws -> Int64 {
    let text = unit.unitString
    if let number = unitsByText[text] { return number }
    try connection.prepare("INSERT INTO unit(text) VALUES(?)").run(.text(text))
    let id = connection.lastInsertedID
    unitsByText[text] = id
    units[id] = unit
    return id
  }

  /// The number of a source, which is added if it is new; the latest name counts.
  package func number(of source: HKSource) throws -> Int64 {
    if let id = sourcesByBundle[source.bundleIdentifier], let known = sources[id] {
      if known.name != source.name {
        try connection.prepare("UPDATE source SET name = ? WHERE id = ?")
          .run(.text(source.name), .integer(id))
        sources[id] = source
      }
      return id
    }
    try connection.prepare("INSERT INTO source(bundle, name) VALUES(?, ?)")
      .run(.text(source.bundleIdentifier), .text(source.name))
    let id = connection.lastInsertedID
    sources[id] = source
    sourcesByBundle[source.bundleIdentifier] = id
    return id
  }

  /// The number of a revision, which is added if it is new.
  package func number(of revision: HKSourceRevision) throws -> Int64 {
    if let number = revisionsByValue[revision] { return number }
    let source = try number(of: revision.source)
    try connection.prepare(
      "INSERT INTO revision(source, version, product, system) VALUES(?, ?, ?, ?)"
    ).run(
      .integer(source), .init(revision.version), .init(revision.productType),
      .text(revision.systemText))
    let id = connection.lastInsertedID
    keep(revision, id, source: source)
    return id
  }

  /// The number of a device, which is added if it is new.
  package func number(of device: HKDevice) throws -> Int64 {
    if let number = devicesByValue[device] { return number }
    try connection.prepare("INSERT INTO device(facts) VALUES(?)")
      .run(.text(MetadataCoding.text(device.facts)))
    let id = connection.lastInsertedID
    devices[id] = device
    devicesByValue[device] = id
    return id
  }

  /// The number of metadata, which is added if it was not met lately.
  package func number(of metadata: [String: Any]) throws -> Int64 {
    let text = MetadataCoding.encode(metadata)
    if let number = metadataByText[text] { return number }
    try metadataInsertion.get().run { $0.set(1, text) }
    if metadataByText.count >= Self.mostMetadata { metadataByText = [:] }
    let id = connection.lastInsertedID
    metadataByText[text] = id
    return id
  }

  private static let mostMetadata = 4_096

  /// The metadata of a number.
  func metadata(_ id: Int64) throws -> [String: Any]? {
    if let known = metadataByID[id] { return known }
    let text = try connection.prepare("SELECT text FROM metadata WHERE id = ?")
      .first(.integer(id)) { (row) throws(SQLiteError) in row.text(0) }
    guard let text else { return nil }
    let metadata = try MetadataCoding.decode(text)
    if metadataByID.count >= Self.mostMetadata { metadataByID = [:] }
    metadataByID[id] = metadata
    return metadata
  }

  // MARK: - Writing

  /// The next number of the sequence that samples and deletions share.
  private(set) var next: Int64 = 0

  /// Runs `body` in a transaction, and returns the types of which something was added or deleted.
  ///
  /// After an error nothing of it is in the store.
  @discardableResult
  package func write<Result>(_ body: () throws -> Result) throws -> (Result, Set<HKObjectType>) {
    try begin()
    do {
      let result = try body()
      return (result, try commit())
    } catch {
      rollBack()
      throw error
    }
  }

  /// Throws if the store may not be written.
  package func requireWritable() throws(HealthStoreError) {
    guard isReadOnly else { return }
    throw HealthStoreError(
      description: "\(connection.path) may not be written. Check the permissions of it and of its "
        + "folder, or name another store.")
  }

  /// Begins a transaction.
  private func begin() throws {
    try requireWritable()
    try connection.execute("BEGIN IMMEDIATE")
    changed = []
    noted = nil
    try refresh()
    do {
      next = try connection.integer(
        "SELECT max(ifnull((SELECT max(id) FROM sample), 0), "
          + "ifnull((SELECT max(id) FROM deletion), 0)) + 1")
    } catch {
      rollBack()
      throw error
    }
  }

  /// Commits the transaction, and returns the types of which something was added or deleted.
  private func commit() throws -> Set<HKObjectType> {
    try flush()
    try saveTypes()
    try connection.execute("COMMIT")
    return Set(changed.compactMap { types[$0]?.type })
  }

  /// Gives the transaction up: nothing of it is in the store.
  private func rollBack() {
    insertion?.cancel()
    try? connection.execute("ROLLBACK")
    try? loadNames()
  }

  private func saveTypes() throws {
    keepNoted()
    let update = try connection.prepare(
      "UPDATE type SET first = ?, last = ?, longest = ? WHERE id = ?")
    for id in changed {
      guard let row = types[id] else { continue }
      try update.run { values in
        values.set(1, row.first)
        values.set(2, row.last)
        values.set(3, row.longest)
        values.set(4, id)
      }
    }
  }

  /// Notes a part that may come later.
  lazy var expectation = Result {
    try connection.prepare(
      """
      INSERT INTO expected_part(whole, type, start, end, value, unit, revision, device, metadata)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
  }

  private lazy var metadataInsertion = Result {
    try connection.prepare("INSERT INTO metadata(text) VALUES(?)")
  }

  private var insertion: SampleInsertion?

  /// Adds a row, and returns its number; in a transaction only.
  @discardableResult
  package func insert(_ sample: SampleRow) throws -> Int64 {
    let id = try add(sample)
    try flush()
    return id
  }

  /// Adds a row, at once or with later ones, and returns its number; in a transaction only.
  ///
  /// Before rows are read that may be among those, ``flush()`` has to be called.
  @discardableResult
  package func add(_ sample: SampleRow) throws -> Int64 {
    let insertion = try self.insertion ?? SampleInsertion(connection)
    self.insertion = insertion
    var sample = sample
    sample.id = next
    try insertion.add(sample)
    next += 1
    note(sample.id, of: sample.type, lasting: sample.end - sample.start)
    return sample.id
  }

  /// Adds the rows that wait for later ones.
  func flush() throws { try insertion?.flush() }

  /// Reads the samples of a type that start at a time.
  lazy var sameStart = Result {
    try connection.prepare(
      "SELECT \(SampleRow.columns) FROM sample WHERE type = ? AND start = ?")
  }

  // Samples of a type often follow each other, and a dictionary for each would take as long as SQLite.
  private func note(_ id: Int64, of type: Int64, lasting duration: Double) {
    if noted?.type != type {
      keepNoted()
      noted = (type, id, id, duration)
    } else {
      noted?.last = id
      if duration > noted?.longest ?? 0 { noted?.longest = duration }
    }
  }

  private func keepNoted() {
    guard let noted else { return }
    self.noted = nil
    changed.insert(noted.type)
    guard var row = types[noted.type] else { return }
    row.first = row.first ?? noted.first
    row.last = noted.last
    row.longest = max(row.longest, noted.longest)
    types[noted.type] = row
  }

  /// Moves a row to the deleted ones, under a new number; in a transaction only.
  func delete(_ id: Int64) throws {
    guard let row = try self.row(id) else { return }
    let uuid = try uuid(of: row)
    try connection.prepare("DELETE FROM sample WHERE id = ?").run(.integer(id))
    try connection.prepare("DELETE FROM synchronized WHERE sample = ?").run(.integer(id))
    try connection.prepare("DELETE FROM member WHERE whole = ? OR part = ?")
      .run(.integer(id), .integer(id))
    try connection.prepare(
      """
      INSERT INTO deletion(id, type, start, end, value, unit, revision, device, metadata, copy,
        uuid, detail) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(binding: { values in
      values.set(1, next)
      values.set(2, row.type)
      values.set(3, row.start)
      values.set(4, row.end)
      values.set(5, row.value)
      values.set(6, row.unit)
      values.set(7, row.revision)
      values.set(8, row.device)
      values.set(9, row.metadata)
      values.set(10, row.copy)
      values.set(11, SampleIdentity.bytes(of: uuid))
      values.set(12, row.detail)
    })
    note(next, of: row.type, lasting: row.end - row.start)
    next += 1
  }

  // MARK: - State

  /// A value that is kept under a name.
  package func state(_ name: String) throws -> String? {
    try connection.prepare("SELECT value FROM state WHERE name = ?").first(.text(name)) {
      (row) throws(SQLiteError) in row.text(0)
    }
  }

  /// Keeps a value under a name, or forgets it.
  package func setState(_ name: String, _ value: String?) throws {
    if let value {
      try connection.prepare("INSERT OR REPLACE INTO state(name, value) VALUES(?, ?)")
        .run(.text(name), .text(value))
    } else {
      try connection.prepare("DELETE FROM state WHERE name = ?").run(.text(name))
    }
  }
}

extension SQLiteValue {
  /// A text, or NULL.
  init(_ text: String?) { self = text.map(Self.text) ?? .null }
}
