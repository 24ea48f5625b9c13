// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import ValidicBluetooth
import ValidicCore
import ValidicHealthKit

/// Swift cannot export constants to Objective-C, so that there they are written a second time.
struct `The constants for Objective-C` {
  /// Those that Swift has, by name, but for the two that need a camera.
  private static let swift = [
    "kVLDSessionErrorDomain": kVLDSessionErrorDomain,
    "kVLDAPIErrorDomain": kVLDAPIErrorDomain,
    "kVLDRawDataValueKey": kVLDRawDataValueKey,
    "kVLDRawDataUnitKey": kVLDRawDataUnitKey,
    "kVLDBluetoothErrorDomain": kVLDBluetoothErrorDomain,
    "kVLDBluetoothPeripheralDataKeyEncryptionKey": kVLDBluetoothPeripheralDataKeyEncryptionKey,
    "kVLDHealthKitErrorDomain": kVLDHealthKitErrorDomain,
    "kVLDSessionEndedNotification": Notification.Name.vldSessionEnded.rawValue,
    "kVLDRecordSubmittedNotification": Notification.Name.vldRecordSubmitted.rawValue,
    "kVLDRecordSubmissionFailedNotification": Notification.Name.vldRecordSubmissionFailed.rawValue,
    "kVLDRecordImageSubmittedNotification": Notification.Name.vldRecordImageSubmitted.rawValue,
    "kVLDRecordImageSubmissionFailedNotification":
      Notification.Name.vldRecordImageSubmissionFailed.rawValue,
    "kVLDBluetoothPassiveDidReadNotification":
      Notification.Name.vldBluetoothPassiveDidRead.rawValue,
    "kVLDBluetoothPassiveDidFailNotification":
      Notification.Name.vldBluetoothPassiveDidFail.rawValue,
    "kVLDBluetoothPassiveIsReadyToReadNotification":
      Notification.Name.vldBluetoothPassiveIsReadyToRead.rawValue,
    "kVLDHealthKitRecordsProcessedNotification":
      Notification.Name.vldHealthKitRecordsProcessed.rawValue,
  ]

  private static let camera = ["kVLDOCRMetadataFinalPreviewKey", "kVLDOCRMetadataImageFrameKey"]

  private static let facades = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/Facades").standardizedFileURL

  private static func text(of path: String) throws -> String {
    try String(contentsOf: facades.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `have the values that Swift's have`() throws {
    let line = #/^\w+ (?:\*const|const) (kVLD\w+) = @"([^"]*)";$/#.anchorsMatchLineEndings()
    let defined = try Self.text(of: "ValidicConstants/ValidicConstants.m").matches(of: line)
      .reduce(into: [:]) { $0[String($1.1)] = String($1.2) }
    let camera = try Self.text(of: "ValidicOCR/Camera/VLDOCRController.swift")
      .matches(of: #/public let (kVLD\w+) = "([^"]*)"/#)
      .reduce(into: [:]) { $0[String($1.1)] = String($1.2) }
    #expect(camera.keys.sorted() == Self.camera)
    #expect(defined == Self.swift.merging(camera) { $1 })
  }

  @Test func `are all declared in the header`() throws {
    let declared = try Self.text(of: "ValidicConstants/include/ValidicConstants.h")
      .matches(of: #/FOUNDATION_EXPORT \w+ (?:\*const|const) (kVLD\w+)/#).map { String($0.1) }
    #expect(declared.sorted() == (Array(Self.swift.keys) + Self.camera).sorted())
  }

  @Test func `are all that the modules have`() throws {
    let files = try #require(FileManager.default.enumerator(atPath: Self.facades.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    let names = try files.flatMap { path in
      let text = try Self.text(of: path)
      return text.matches(of: #/public let (kVLD\w+)/#).map { String($0.1) }
        + text.matches(of: #/"(kVLD\w+Notification)"/#).map { String($0.1) }
    }
    #expect(names.count > 10)
    #expect(Set(names) == Set(Self.swift.keys).union(Self.camera))
  }
}
