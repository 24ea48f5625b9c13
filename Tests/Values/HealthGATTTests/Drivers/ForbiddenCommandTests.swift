// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing

/// A write, as the octets would go out.
struct CommandOctets: Sendable, CustomTestStringConvertible {
  let characteristic: String
  let hexadecimal: String
  let what: String

  init(_ characteristic: String, _ hexadecimal: String, _ what: String) {
    self.characteristic = characteristic
    self.hexadecimal = hexadecimal
    self.what = what
  }

  var testDescription: String { "\(what): \(hexadecimal)" }

  func forbidden(in service: String = "1808") throws -> ForbiddenCommand? {
    ForbiddenCommand.first(
      writing: try octets(hexadecimal), to: Attribute(service, characteristic))
  }
}

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
    CommandOctets("2A52", "0201", "delete all stored records"),
    CommandOctets("2A52", "020301 0500", "delete the records up to a number"),
    CommandOctets("2A52", "02", "delete without an operator"),
    CommandOctets("2A9F", "03", "delete the user's data"),
    CommandOctets("2A9F", "05 01", "delete a user"),
    CommandOctets(taiDoc, "5152 00000000A3 46", "clear the memory"),
    CommandOctets(taiDoc, "5143 00000000A3 37", "begin to inflate the cuff"),
    CommandOctets(viatom, "A504FB00000000 00", "reset"),
    CommandOctets(viatom, "A509F600000000 00", "erase (09)"),
    CommandOctets(viatom, "A50AF500000000 00", "inflate (0A)"),
    CommandOctets(viatom, "A524DB00000000 00", "24"),
    CommandOctets(viatom, "A525DA00000000 00", "25"),
    CommandOctets(viatom, "A539C600000000 00", "39"),
    CommandOctets(viatom, "A5E21D00000000 00", "restart"),
    CommandOctets(viatom, "A5E31C00000000 00", "factory reset"),
    CommandOctets(ring, "A5E31C00000000 00", "factory reset of the ring"),
    CommandOctets(ring, "A5EE1100000000 00", "factory reset of the ring with all settings"),
    CommandOctets(aAndD, "020112", "erase"),
    CommandOctets(aAndD, "020110", "any command of A&D's own"),
    CommandOctets(transferringCuff, "F101", "begin to inflate the cuff"),
    CommandOctets("FFF2", "4DFF0008 06 0000000000 5A", "write the patient's identity"),
    CommandOctets("FFE1", "E743 0000000000000064", "delete the weighings of a user"),
    CommandOctets("FFE1", "F732 0000000000000064", "delete a user"),
    CommandOctets("FFF1", "F201", "delete the stored weighings"),
    CommandOctets("FF01", "A1", "erase"),
    CommandOctets("FF01", "A10021", "erase, with octets behind"),
    CommandOctets("FF01", "9D7F1C", "erase the segments"),
    CommandOctets("FF01", "917F10", "erase 91"), CommandOctets("FF01", "927F11", "erase 92"),
    CommandOctets("FF01", "947F13", "erase 94"), CommandOctets("FF01", "967F15", "erase 96"),
    CommandOctets("FF01", "997F18", "end and perhaps erase"),
  ])
  func `are recognised`(command: CommandOctets) throws {
    let found = try #require(try command.forbidden())
    #expect(found.characteristic == command.characteristic)
    #expect(!found.effect.isEmpty)
  }

  @Test(arguments: omron)
  func `are recognised on each channel of an Omron`(channel: String) throws {
    let write = CommandOctets(channel, "0A01C0 0260 02 0000 00 A9", "write to the memory")
    #expect(try write.forbidden()?.effect == "writes to the memory that holds the calibration")
    let read = CommandOctets(channel, "080100 0260 26 00 4D", "read the memory")
    #expect(try read.forbidden() == nil)
    #expect(try CommandOctets(channel, "0800000000100018", "begin").forbidden() == nil)
    #expect(try CommandOctets(channel, "080F000000000007", "end").forbidden() == nil)
  }

  @Test(arguments: [
    CommandOctets("2A52", "0101", "report all stored records"),
    CommandOctets("2A52", "0104", "report from a number on"),
    CommandOctets("2A52", "0300", "abort"),
    CommandOctets("2A52", "0401", "count"),
    CommandOctets("2A9F", "01 0100", "register a user"),
    CommandOctets("2A9F", "02 01 3412", "consent"),
    CommandOctets("2A9F", "04", "list the users"),
    CommandOctets(taiDoc, "512B 00000000A3 1F", "count"),
    CommandOctets(taiDoc, "5150 00000000A3 44", "switch off"),
    CommandOctets(taiDoc, "51", "a frame cut short"),
    CommandOctets(viatom, "A5F20D000000", "open a file"),
    CommandOctets(viatom, "A5EC13000000", "set the clock"),
    CommandOctets(viatom, "A5", "a frame cut short"),
    CommandOctets(ring, "A5E11E000000", "tell about itself"),
    CommandOctets(transferringCuff, "F102", "stop inflating"),
    CommandOctets("FFF2", "4DFF0009 00 000000000000 FD52", "read all"),
    CommandOctets("FFF2", "4DFF0002 0D 06", "another command with a 6 in it"),
    CommandOctets("FFF2", "4DFF00", "a frame cut short"),
    CommandOctets("FF01", "990019", "begin"),
    CommandOctets("FF01", "99011A", "the next batch"),
    CommandOctets("FF01", "9D0000", "the next data"),
    CommandOctets("2A08", "0201", "an octet that is an operation elsewhere"),
    CommandOctets("2A52", "", "nothing"),
  ])
  func `are not seen where there is no harm`(command: CommandOctets) throws {
    #expect(try command.forbidden() == nil)
  }

  @Test func `are forbidden in whichever service the characteristic is`() throws {
    let command = CommandOctets("2A52", "0201", "delete all stored records")
    for service in ["1808", "1810", "1822"] {
      #expect(try command.forbidden(in: service)?.effect == "deletes stored records")
    }
  }
}
