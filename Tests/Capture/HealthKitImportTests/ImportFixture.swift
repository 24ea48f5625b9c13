// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitImport
import HealthKitSimulation
import SyntheticHealthExport
import TestSupport

/// A synthetic export, and a store to import it into.
final class ImportFixture {
  let folder: TemporaryFolder
  let truth: SyntheticHealthExport.Truth
  let document: [UInt8]
  private(set) var system: HealthSystem

  init(_ options: SyntheticHealthExport.Options) throws {
    folder = try TemporaryFolder()
    truth = try SyntheticHealthExport(options).write(to: folder.path("export"))
    document = Array(
      try Data(
        contentsOf: URL(
          fileURLWithPath: folder.path("export/apple_health_export/\(options.documentName)"))))
    system = HealthSystem(path: folder.path("health.sqlite"))
  }

  var exportPath: String { folder.path("export") }

  /// The store as another process opens it.
  func reopen() { system = HealthSystem(path: folder.path("health.sqlite")) }

  @discardableResult
  func run() throws -> ImportReport { try HealthImport.run(exportPath, into: system) { _ in } }

  /// Imports the document in blocks, up to a place.
  func feed(_ size: Int, upTo end: Int? = nil, into system: HealthSystem) throws -> HealthImport {
    let healthImport = try HealthImport(into: system, document: "test", totalBytes: nil) { _ in }
    var place = healthImport.offset
    let end = end ?? document.count
    while place < end {
      let next = min(end, place + size)
      try unsafe document[place..<next].withUnsafeBytes { try unsafe healthImport.feed($0) }
      place = next
    }
    return healthImport
  }

  /// A text of all samples that says the same for stores with the same content.
  func content() throws -> [String] {
    try system.sync { database in
      try database.contents().flatMap { content in
        let type = HKObjectType.named(content.type, unit: nil)
        return try database.samples(SampleRequest(type), limit: nil).map { sample in
          "\(sample.uuid) \(sample.description) \(sample.metadata.map { "\($0.count)" } ?? "-")"
        }
      }
    }.sorted()
  }

  func store() async throws -> HKHealthStore {
    let phone = SimulatedPhone(store: folder.url.appendingPathComponent("health.sqlite"))
    let store = phone.makeHealthStore()
    let types: Set<HKObjectType> = Set(
      try system.sync { try $0.contents() }.map { HKObjectType.named($0.type, unit: nil) }
        .filter { !($0 is HKCorrelationType) })
    try await store.requestAuthorization(toShare: [], read: types)
    return store
  }
}
