// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

/// A write, as the bytes would go out.
struct CommandBytes: Sendable, CustomTestStringConvertible {
  let characteristic: String
  let hexadecimal: String
  let what: String

  init(_ characteristic: String, _ hexadecimal: String, _ what: String) {
    self.characteristic = characteristic
    self.hexadecimal = hexadecimal
    self.what = what
  }

  var testDescription: String { "\(what): \(hexadecimal)" }

  func forbidden(in service: String? = nil) throws -> ForbiddenCommand? {
    ForbiddenCommand.first(
      writing: try bytes(hexadecimal),
      to: GATTAttribute(service ?? services[characteristic] ?? "1808", characteristic))
  }
}

/// In which service of its device a characteristic is.
private let services = [
  "2A9F": "181C", "FFE1": "FFE0", "FFF1": "FFF0", "FFF2": "FFF0", "FF01": "FF12",
  viatom: "14839AC4-7D7E-415C-9A42-167340CF2339", ring: "E8FB0001-A14B-98F9-831B-4E2941D01248",
  taiDoc: "00001523-1212-EFDE-1523-785FEABCD123", transferringCuff: "1810",
]

private let viatom = "8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3"
private let ring = "E8FB0002-A14B-98F9-831B-4E2941D01248"
private let taiDoc = "00001524-1212-EFDE-1523-785FEABCD123"
private let aAndD = "233BF001-5A34-1B6D-975C-000D5690ABE4"
private let transferringCuff = "583CB5B3-875D-40ED-9098-C39EB0C1983D"
private let omron = [
  "DB5B55E0-AEE7-11E1-965E-0002A5D5C51B", "E0B8A060-AEE7-11E1-92F4-0002A5D5C51B",
  "0AE12B00-AEE8-11E1-A192-0002A5D5C51B", "10E1BA60-AEE8-11E1-89E5-0002A5D5C51B",
]

@Suite struct `Forbidden commands` {
  @Test(arguments: [
    CommandBytes("2A52", "0201", "delete all stored records"),
    CommandBytes("2A52", "020301 0500", "delete the records up to a number"),
    CommandBytes("2A52", "02", "delete without an operator"),
    CommandBytes("2A9F", "03", "delete the user's data"),
    CommandBytes("2A9F", "05 01", "delete a user"),
    CommandBytes("2AAC", "04 6400 0A00 11 0000 0000 00", "calibrate a sensor"),
    CommandBytes("2AAC", "1A", "begin another session"),
    CommandBytes("2AAC", "1B 2F5A", "end the session"),
    CommandBytes(taiDoc, "5152 00000000A3 46", "clear the memory"),
    CommandBytes(taiDoc, "5143 00000000A3 37", "begin to inflate the cuff"),
    CommandBytes(viatom, "A504FB00000000 00", "reset"),
    CommandBytes(viatom, "A509F600000000 00", "erase (09)"),
    CommandBytes(viatom, "A50AF500000000 00", "inflate (0A)"),
    CommandBytes(viatom, "A524DB00000000 00", "24"),
    CommandBytes(viatom, "A525DA00000000 00", "25"),
    CommandBytes(viatom, "A539C600000000 00", "39"),
    CommandBytes(viatom, "A5E21D00000000 00", "restart"),
    CommandBytes(viatom, "A5E31C00000000 00", "factory reset"),
    CommandBytes(ring, "A5E31C00000000 00", "factory reset of the ring"),
    CommandBytes(ring, "A5EE1100000000 00", "factory reset of the ring with all settings"),
    CommandBytes(aAndD, "020112", "erase"),
    CommandBytes(aAndD, "020110", "any command of A&D's own"),
    CommandBytes(transferringCuff, "F101", "begin to inflate the cuff"),
    CommandBytes("FFF2", "4DFF0008 06 0000000000 5A", "write the patient's identity"),
    CommandBytes("FFE1", "E743 0000000000000064", "delete the weighings of a user"),
    CommandBytes("FFE1", "F732 0000000000000064", "delete a user"),
    CommandBytes("FFF1", "F201", "delete the stored weighings"),
    CommandBytes("FF01", "A1", "erase"),
    CommandBytes("FF01", "A10021", "erase, with bytes behind"),
    CommandBytes("FF01", "9D7F1C", "erase the segments"),
    CommandBytes("FF01", "917F10", "erase 91"), CommandBytes("FF01", "927F11", "erase 92"),
    CommandBytes("FF01", "947F13", "erase 94"), CommandBytes("FF01", "967F15", "erase 96"),
    CommandBytes("FF01", "997F18", "end and perhaps erase"),
  ])
  func `are recognised`(command: CommandBytes) throws {
    let found = try #require(try command.forbidden())
    #expect(found.attribute.characteristic == command.characteristic)
    #expect(!found.effect.isEmpty)
  }

  @Test(arguments: omron)
  func `are recognised on each channel of an Omron`(channel: String) throws {
    let write = CommandBytes(channel, "0A01C0 0260 02 0000 00 A9", "write to the memory")
    #expect(try write.forbidden()?.effect == "writes to the memory that holds the calibration")
    let read = CommandBytes(channel, "080100 0260 26 00 4D", "read the memory")
    #expect(try read.forbidden() == nil)
    #expect(try CommandBytes(channel, "0800000000100018", "begin").forbidden() == nil)
    #expect(try CommandBytes(channel, "080F000000000007", "end").forbidden() == nil)
  }

  @Test(arguments: [
    CommandBytes("2A52", "0101", "report all stored records"),
    CommandBytes("2A52", "0104", "report from a number on"),
    CommandBytes("2A52", "0300", "abort"),
    CommandBytes("2A52", "0401", "count"),
    CommandBytes("2A9F", "01 0100", "register a user"),
    CommandBytes("2A9F", "02 01 3412", "consent"),
    CommandBytes("2A9F", "04", "list the users"),
    CommandBytes("2AAC", "02", "ask for the interval"),
    CommandBytes("2AAC", "05 FFFF", "ask for the last calibration"),
    CommandBytes(taiDoc, "512B 00000000A3 1F", "count"),
    CommandBytes(taiDoc, "5150 00000000A3 44", "switch off"),
    CommandBytes(taiDoc, "51", "a frame cut short"),
    CommandBytes(viatom, "A5F20D000000", "open a file"),
    CommandBytes(viatom, "A5EC13000000", "set the clock"),
    CommandBytes(viatom, "A5", "a frame cut short"),
    CommandBytes(ring, "A5E11E000000", "tell about itself"),
    CommandBytes(transferringCuff, "F102", "stop inflating"),
    CommandBytes("FFF2", "4DFF0009 00 000000000000 FD52", "read all"),
    CommandBytes("FFF2", "4DFF0002 0D 06", "another command with a 6 in it"),
    CommandBytes("FFF2", "4DFF00", "a frame cut short"),
    CommandBytes("FF01", "990019", "begin"),
    CommandBytes("FF01", "99011A", "the next batch"),
    CommandBytes("FF01", "9D0000", "the next data"),
    CommandBytes("2A08", "0201", "a byte that is an operation elsewhere"),
    CommandBytes("2A52", "", "nothing"),
  ])
  func `are not seen where there is no harm`(command: CommandBytes) throws {
    #expect(try command.forbidden() == nil)
  }

  @Test func `of a manufacturer are those of its service alone`() throws {
    let command = CommandBytes("FFE1", "F732 0000000000000064", "delete a user")
    #expect(try command.forbidden() != nil)
    #expect(try command.forbidden(in: "FFF0") == nil)
  }

  @Test func `of the record access are forbidden in whichever service it is`() throws {
    let command = CommandBytes("2A52", "0201", "delete all stored records")
    for service in ["1808", "1810", "1822"] {
      #expect(try command.forbidden(in: service)?.effect == "deletes stored records")
    }
  }
}
