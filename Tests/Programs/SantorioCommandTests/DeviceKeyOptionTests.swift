// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import TestSupport
import Testing
import VirtualDevices

@testable import SantorioBluetooth
@testable import santorio

@Suite struct `Key of a device, from a file` {
  private static let digits = "58305740b64e4b425e518aa1f4e51339\n84:46:93:64:A5:E6\n"

  private let folder: TemporaryFolder
  private let receiver = BluetoothReceiver()
  private let device = UUID()

  init() throws { folder = try TemporaryFolder() }

  private func option(_ text: String?, mode: Int = 0o600) throws -> DeviceKeyOption {
    var words = ["--data", folder.path("data")]
    if let text {
      let path = folder.path("key")
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
      words += ["--key-file", path]
    }
    return try DeviceKeyOption(Arguments(parsing: words, for: .pair), isKept: true)
  }

  /// What is said, and whether it went well.
  private func store(
    _ option: DeviceKeyOption, of number: Int = 10502, isKept: Bool = true
  ) throws -> (isStored: Bool, lines: [String]) {
    let model = try #require(DeviceModel(id: number))
    let paired = PairingMetadata(peripheral: model, peripheralUUID: device, bond: .none)
    var lines: [String] = []
    let isStored = option.store(for: paired, in: receiver, isKept: isKept) { lines.append($0) }
    return (isStored, lines)
  }

  @Test func `is stored when the device is paired`() throws {
    let result = try store(option(Self.digits))
    #expect(result == (true, []))
    #expect(
      try receiver.secrets.secrets(of: device) == [.bindKey: VirtualDeviceModel.s400Secret])
    // It is not asked for again.
    #expect(try store(option(nil)) == (true, []))
  }

  @Test(arguments: [true, false])
  func `is asked for where it is missing`(_ isKept: Bool) throws {
    let result = try store(option(nil), isKept: isKept)
    #expect(
      result == (
        true,
        [
          "Xiaomi Body Composition Scale S400 encrypts what it sends. Before it is read, give its "
            + "key (32 and 12 hexadecimal digits): santorio pair \(device) --key-file FILE "
            + "--data FOLDER"
        ]
      ))
    #expect(try receiver.secrets.secrets(of: device) == [:])
  }

  @Test func `that is none is refused, and what it should be is said`() throws {
    let result = try store(option("58305740"))
    #expect(
      result == (
        false,
        [
          "santorio: paired, but its key is not stored: The key has 44 hexadecimal digits (0 to 9, "
            + "A to F); this text has 8 characters."
        ]
      ))
  }

  @Test func `of a device that has none is not used`() throws {
    let result = try store(option(Self.digits), of: 2)
    let name = try #require(DeviceModel(id: 2)).name
    #expect(result == (true, ["\(name) has no key of its own: --key-file was not used."]))
    #expect(try receiver.secrets.secrets(of: device) == [:])
  }

  @Test func `is not read from a file that is missing, or that others may read`() throws {
    let missing = #expect(throws: CommandError.self) {
      _ = try DeviceKeyOption(
        Arguments(
          parsing: ["--data", "x", "--key-file", folder.path("none")], for: .pair), isKept: true)
    }
    #expect(missing?.description == "the key file \(folder.path("none")) does not exist")
    let exposed = #expect(throws: CommandError.self) { _ = try option(Self.digits, mode: 0o644) }
    #expect(exposed?.description == "others may read the key; run: chmod 600 \(folder.path("key"))")
  }
}
