// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitImport
import SyntheticHealthExport
import TestSupport

/// A folder for exports and health stores.
final class HealthFixture: Sendable {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a file, and returns its path.
  func write(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  func importing(_ export: String, _ store: String) -> [String] {
    ["health", "import", export, "--store", folder.path(store)]
  }

  /// The names of all files, in order.
  func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// A text of each sample that says the same for stores with the same content, in order.
  static func content(of store: String) throws -> [String] {
    try HealthSystem(path: store, isMade: false).sync { database in
      try database.contents().flatMap { content in
        let type = HKObjectType.named(content.type, unit: nil)
        return try database.samples(SampleRequest(type), limit: nil).map { sample in
          "\(sample.uuid) \(sample.description) \(sample.metadata.map { "\($0.count)" } ?? "-")"
        }
      }
    }.sorted()
  }

  /// A small document of steps, one a day.
  static func steps(_ days: [String], source: String = "Watch") -> String {
    let records = days.map { day in
      """
       <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(source)" unit="count" \
      startDate="\(day) 10:00:00 +0000" endDate="\(day) 10:10:00 +0000" value="100"/>

      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <HealthData locale="en_US">
       <ExportDate value="2025-03-05 10:00:00 +0000"/>
      \(records.joined())</HealthData>

      """
  }

  /// A text in UTF-16, with a byte order mark.
  static func wide(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    return bytes
  }

  /// A document of some megabytes, with everything among it that is counted and not imported.
  static func fullDocument(bytes size: Int) throws -> [UInt8] {
    var options = SyntheticHealthExport.Options(size: .bytes(size), seed: 3)
    options.faults.duplicateRecords = 0.02
    let document = Collected()
    _ = try SyntheticHealthExport(options).writeDocument { document.bytes += $0 }
    var (result, count): ([UInt8], Int) = ([], 0)
    result.reserveCapacity(document.bytes.count * 11 / 10)
    for line in document.bytes.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: " <Record ".utf8) {
        count += 1
        if count.isMultiple(of: 30) { result += oddities[count / 30 % oddities.count] }
      }
      result += line
      result.append(UInt8(ascii: "\n"))
    }
    return result
  }

  private final class Collected {
    var bytes: [UInt8] = []
  }

  private static let oddities: [[UInt8]] = [
    Array(#" <ClinicalRecord type="Immunization" identifier="1"/>"#.utf8),
    Array(
      #" <Audiogram type="A"><SensitivityPoint frequencyValue="500"/></Audiogram>"#.utf8),
    Array(#" <VisionPrescription type="glasses"><RightEye sphere="1"/></VisionPrescription>"#.utf8),
    Array(#" <NewThing a="1"><Part b="2"/></NewThing>"#.utf8),
    Array(#" <Record type="HKQuantityTypeIdentifierStepCount" sourceName="S"/>"#.utf8),
    Array(
      #"""
       <Record type="HKQuantityTypeIdentifierStepCount" sourceName="S" unit="furlong" \#
      startDate="2020-01-01 10:00:00 +0000" endDate="2020-01-01 10:00:00 +0000" value="1"/>
      """#.utf8),
    Array(#" <Record type="HKQuantityTypeIdentifierHeight" sourceName="Jos"#.utf8) + [0xE9]
      + Array(
        #"""
        " unit="cm" startDate="2020-01-01 10:00:00 +0000" \#
        endDate="2020-01-01 10:00:00 +0000" value="170"/>
        """#.utf8),
    Array(
      #"""
       <Workout workoutActivityType="HKWorkoutActivityTypeWalking" sourceName="S" \#
      startDate="2020-01-01 10:00:00 +0000" endDate="2020-01-01 11:00:00 +0000">
        <WorkoutRoute><FileReference path="/r.gpx"/><Location latitude="1"/></WorkoutRoute>
        <Unheard c="3"/>
       </Workout>
      """#.utf8),
  ]
}
