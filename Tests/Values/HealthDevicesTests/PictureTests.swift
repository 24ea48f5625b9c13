// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import TestSupport
import Testing

@testable import HealthDevicePictures

@Suite struct `Picture of a device` {
  /// The types of the first version; a type that comes later needs a picture, too.
  private static let names = [
    "blood-pressure", "coagulation-meter", "continuous-glucose-monitor", "glucose-meter",
    "heart-rate", "pulse-oximeter", "thermometer", "weight-scale",
  ]

  /// The head of a PNG (RFC 2083): signature, length and name of the first chunk, width, height,
  /// bits for each channel, colour type 6 (with transparency).
  private static let head: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    0, 0, 2, 0, 0, 0, 2, 0, 8, 6,
  ]

  @Test func `is a PNG of 512 pixels square with transparency, for each entry`() throws {
    let entries = DeviceCatalogue.standard.entries
    #expect(entries.count > 90)
    for entry in entries {
      let url = try #require(entry.imageURL, "\(entry.name)")
      #expect(url.isFileURL)
      #expect(url == entry.type.pictureURL)
      #expect(try Array(Data(contentsOf: url).prefix(26)) == Self.head, "\(entry.name)")
    }
  }

  @Test func `is another one for each type`() throws {
    let types = PeripheralType.standard
    let pictures = try types.map { try Data(contentsOf: #require($0.pictureURL)) }
    #expect(Set(pictures).count == types.count)
    #expect(
      PeripheralType(rawValue: "bloodPressure").pictureURL?.lastPathComponent
        == "blood-pressure.png")
  }

  @Test func `is shipped for each source, and for nothing else`() throws {
    let folder = try #require(PeripheralType.thermometer.pictureURL).deletingLastPathComponent()
    let shipped = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(shipped.sorted() == Self.names.map { $0 + ".png" })

    let catalogue = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/Values/HealthDevicePictures/PictureSources")
    let sources = try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
    #expect(sources.sorted() == Self.names.map { $0 + ".svg" })
  }

  @Test(arguments: ["peakFlowMeter", "", "../Pictures/thermometer", "x/y"])
  func `is none for a type that has no picture`(name: String) {
    #expect(PeripheralType(rawValue: name).pictureURL == nil)
  }

  @Test func `is none in a program that was installed without the pictures`() throws {
    let installed = try TemporaryFolder()
    let program = installed.path("program")
    #expect(DevicePicture.url(named: "thermometer", besideExecutable: program) == nil)

    let folder = installed.url.appendingPathComponent(
      "santorio_HealthDevicePictures.resources/Pictures")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent("thermometer.png"))
    #expect(
      DevicePicture.url(named: "thermometer", besideExecutable: program)?.path
        == folder.appendingPathComponent("thermometer.png").path)
    #expect(DevicePicture.url(named: "weight-scale", besideExecutable: program) == nil)
  }

  @Test func `is the app's own where it has set one`() throws {
    var entry = try #require(DeviceModel(id: 2))
    let own = URL(fileURLWithPath: "/own.png")
    entry.imageURL = own
    #expect(entry.imageURL == own)
    entry.imageURL = nil
    #expect(entry.imageURL == PeripheralType.bloodPressure.pictureURL)
    #expect(entry == DeviceModel(id: 2))
  }
}
